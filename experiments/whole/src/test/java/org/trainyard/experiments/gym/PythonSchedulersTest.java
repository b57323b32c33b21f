package org.trainyard.experiments.gym;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.experiments.Shell;

/** Schedulers in Python beside those of the registry; skipped where there is no {@code python3}. */
class PythonSchedulersTest {
    private static final Path EXAMPLES =
            Path.of(System.getProperty("trainyard.root", ".."), "experiments/examples/python");
    private static final String FIFO = "python:" + EXAMPLES.resolve("fifo.py");
    private static final String SHORTEST = "python:" + EXAMPLES.resolve("shortest.py") + ":shortest";
    private static final String URGENT = "python:" + EXAMPLES.resolve("shortest.py") + ":Urgent";

    @TempDir
    private Path folder;

    @BeforeAll
    static void requirePython() throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder("python3", "--version")
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "there is no python3");
            return;
        }
        assumeTrue(process.waitFor() == 0, "python3 does not run");
    }

    private static Shell simulate(String cluster, int seed, String schedulers) {
        return Shell.command(
                "simulate --trace generated --jobs 150 --cluster %s --seed %s --json --scheduler %s",
                cluster, seed, schedulers);
    }

    private static String hash(Shell shell, String scheduler) throws IOException {
        List<String> hashes = new ArrayList<>();
        for (JsonNode row : new ObjectMapper().readTree(shell.out()).findParents("event_log_sha256")) {
            if (row.path("name").asText().equals(scheduler)) {
                hashes.add(row.path("event_log_sha256").asText());
            }
        }
        assertThat(hashes).as(shell.out() + shell.err()).hasSize(1);
        return hashes.get(0);
    }

    @ParameterizedTest
    @CsvSource({"small, 1", "two-generations, 2", "12x8, 3", "2x4, 4"})
    void first_in_first_out_in_python_has_the_event_log_of_fifo(String cluster, int seed) throws IOException {
        Shell shell = simulate(cluster, seed, "fifo," + FIFO);

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(hash(shell, FIFO)).isEqualTo(hash(shell, "fifo"));
        assertThat(shell.err()).containsPattern("fifo\\.py \\(SHA-256 [0-9a-f]{64}\\): fifo");
    }

    @Test
    void one_that_preempts_and_chooses_its_gpus_repeats_to_the_byte() throws IOException {
        Shell first = simulate("small", 7, URGENT + ",fifo");
        Shell second = simulate("small", 7, URGENT);

        assertThat(first.code()).as(first.err()).isZero();
        assertThat(hash(first, URGENT)).isEqualTo(hash(second, URGENT)).isNotEqualTo(hash(first, "fifo"));
        assertThat(first.out()).containsPattern("\"preemptions\" : [1-9]");
    }

    @Test
    void evaluate_and_bench_play_it_as_they_play_others() throws IOException {
        Shell evaluated = Shell.command(
                "evaluate %s --schedulers %s --set episodes.test=3 --set episodes.jobs=60 --out %s",
                EXAMPLES.resolve("../../configs/quickstart.yaml").normalize(),
                "fifo," + FIFO + "," + SHORTEST,
                folder.resolve("run"));
        Shell played =
                Shell.command("bench --task calm-v1 --scheduler %s --out %s", "fifo," + FIFO, folder.resolve("bench"));

        assertThat(evaluated.code()).as(evaluated.err()).isZero();
        // Where lines break depends on the length of the files' paths.
        assertThat(evaluated.out().replaceAll("\\s+", " ")).contains("made the same decisions in all", "py:shortest");
        assertThat(played.code()).as(played.err()).isZero();
        try (Stream<Path> results = Files.list(folder.resolve("bench/calm-v1"))) {
            assertThat(results.filter(file -> file.toString().endsWith(".json")).map(PythonSchedulersTest::episodes))
                    .hasSize(2)
                    .containsOnly(episodes(folder.resolve("bench/calm-v1/fifo.json")));
        }
    }

    private static String episodes(Path result) {
        try {
            String text = Files.readString(result);
            return text.substring(text.indexOf("\"episodes\""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String file(String text) throws IOException {
        return "python:" + Files.writeString(folder.resolve("own.py"), text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "import trainyard\n@trainyard.scheduler\ndef own(cluster):\n    1 / 0\n|own.py:4: ZeroDivisionError: division by zero",
                "import trainyard\n@trainyard.scheduler\nclass Own:\n    def __init__(self, cluster):\n        cluster.nothing\n|own.py:5: AttributeError: 'Cluster' object has no attribute 'nothing'",
                "import trainyard\n@trainyard.scheduler\ndef own(cluster):\n    return cluster.waiting\n|own returned (<job ",
                "import trainyard\n@trainyard.scheduler\ndef own(cluster):\n    for job in cluster.waiting:\n        cluster.start(job, [0, 0])\n|own.py:5: ValueError: job ",
                "import trainyard\n@trainyard.scheduler\ndef own(cluster):\n    for job in cluster.running + cluster.waiting:\n        cluster.start(job) and cluster.preempt(job)\n|own.py:5: ValueError: cluster.preempt is for a scheduler that says so",
                "import trainyard\n@trainyard.scheduler\ndef own(cluster):\n    import os; os._exit(3)\n|the Python process of the run has ended",
                "def own(cluster:\n|own.py:1: SyntaxError: ",
                "import nothing_of_this_name\n|own.py:1: ModuleNotFoundError: ",
                "def own(cluster):\n    pass\n|own.py: has nothing marked by @trainyard.scheduler",
                "import trainyard\n@trainyard.scheduler\ndef a(cluster): pass\n@trainyard.scheduler\ndef b(cluster): pass\n|own.py: has a, b: name one, python:"
            })
    void a_fault_is_one_line_with_its_place(String fileAndSaid) throws IOException {
        String[] parts = fileAndSaid.split("\\|", 2);

        Shell shell = simulate("2x4", 1, file(parts[0]));

        assertThat(shell.code()).as(shell.err()).isEqualTo(2);
        assertThat(shell.err().lines().filter(line -> line.startsWith("trainyard: ")))
                .singleElement()
                .asString()
                .contains(parts[1]);
        assertThat(shell.err()).doesNotContain("Traceback", "\tat ");
    }

    @Test
    void a_missing_file_and_an_unknown_name_are_refused_before_anything_runs() {
        assertThat(simulate("2x4", 1, "python:nowhere.py").err()).contains("nowhere.py: no such file");
        assertThat(simulate("2x4", 1, FIFO + ":lifo").err()).contains("has no 'lifo'", "expected one of fifo");
    }

    /** Account, QOS, partition and time limit of each job of a log, as a scheduler in Python reads them. */
    private List<String> said(String log) throws IOException {
        Path trace = Files.writeString(folder.resolve("log.txt"), log);
        Path said = folder.resolve("said.txt");
        Files.deleteIfExists(said);
        String own = """
                import trainyard

                @trainyard.scheduler
                class Own:
                    def __init__(self, cluster):
                        self.seen = set()

                    def decide(self, cluster):
                        for job in sorted(cluster.waiting, key=lambda job: job.time_limit_seconds or 0):
                            if job.id not in self.seen:
                                self.seen.add(job.id)
                                with open("%s", "a") as out:
                                    print(job.name, job.account, job.qos, job.partition, job.time_limit_seconds, file=out)
                            cluster.start(job)
                """.formatted(said);
        Shell shell = Shell.command("simulate --trace %s --cluster 2x8 --scheduler %s", trace, file(own));
        assertThat(shell.code()).as(shell.err()).isZero();
        return Files.readAllLines(said);
    }

    @Test
    void a_scheduler_sees_account_qos_partition_and_limit_of_each_job() throws IOException {
        String terms = """
                JobID|User|Account|QOS|Partition|Submit|Start|End|State|Timelimit|ReqTRES|AllocTRES|NNodes
                1|ann|bio|normal|batch|2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-01T01:00:00|COMPLETED|02:00:00|gres/gpu=8|gres/gpu=8|1
                2|bob|physics|high|debug,batch|2024-01-01T00:10:00|2024-01-01T00:10:00|2024-01-01T00:40:00|COMPLETED|1-00:00:00|gres/gpu=4|gres/gpu=4|1
                3|bob|||batch|2024-01-01T00:20:00|2024-01-01T00:20:00|2024-01-01T00:50:00|COMPLETED|UNLIMITED|gres/gpu=4|gres/gpu=4|1
                """;

        assertThat(said(terms))
                .containsExactly(
                        "1 bio normal batch 7200.0", "2 physics high debug,batch 86400.0", "3 None None batch None");
        assertThat(said("""
                        JobID|User|Submit|Start|End|State|AllocTRES
                        1|ann|2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-01T01:00:00|COMPLETED|gres/gpu=8
                        """)).containsExactly("1 None None None None");
    }
}
