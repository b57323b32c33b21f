package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.io.JsonText;

/**
 * No answer promises a gain where something else than GPUs held the jobs, by every log of the folder beside the
 * checkout and by generated ones. What GPUs explain is counted here: a strict FIFO on a pool of them.
 */
class PromisedGainTest {
    private static final int WIDE = 8;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss");

    /** A log and a cluster with as many GPUs as its jobs held. */
    private record Logged(Path file, String cluster, double unexplained) {}

    private static Stream<Path> files(String folder) throws IOException {
        Path root = Path.of(System.getProperty("trainyard.root", ".."), "..", "shared", folder);
        assumeTrue(Files.exists(root), () -> "skipped: there is no " + root);
        try (Stream<Path> walk = Files.walk(root)) {
            return walk.filter(Files::isRegularFile).sorted().toList().stream();
        }
    }

    private static List<TraceJob> jobs(Path file) {
        try {
            return TraceReader.read(file, TraceReader.Options.DEFAULT).jobs().stream()
                    .filter(job -> job.past() != null && job.gpus() > 0)
                    .toList();
        } catch (InputException e) {
            return List.of();
        }
    }

    private static Stream<Logged> logs(String folder) throws IOException {
        return files(folder)
                .map(file -> {
                    List<TraceJob> jobs = jobs(file);
                    if (jobs.isEmpty()) {
                        return new Logged(file, "", 0);
                    }
                    int gpus = (int) Math.max(most(jobs), widest(jobs));
                    Path conf = file.toAbsolutePath().resolveSibling("slurm.conf");
                    List<String> types = jobs.stream()
                            .flatMap(job -> job.demand().gpuTypes().stream())
                            .distinct()
                            .toList();
                    int servers = (gpus + WIDE - 1) / WIDE;
                    String cluster = Files.exists(conf)
                            ? SlurmFiles.read(conf.toString()).shorthand()
                            : servers + "x" + WIDE + (types.size() == 1 ? ":" + types.get(0) : "");
                    return new Logged(file, cluster, unexplained(jobs, gpus));
                })
                .filter(log -> !log.cluster.isEmpty());
    }

    private static int widest(List<TraceJob> jobs) {
        return jobs.stream().mapToInt(TraceJob::gpus).max().orElse(0);
    }

    private static long most(List<TraceJob> jobs) {
        TreeMap<Long, Long> changes = new TreeMap<>();
        for (TraceJob job : jobs) {
            changes.merge(job.past().startNanos(), (long) job.gpus(), Long::sum);
            changes.merge(job.past().startNanos() + job.durationNanos(), (long) -job.gpus(), Long::sum);
        }
        long held = 0;
        long most = 0;
        for (long change : changes.values()) {
            held += change;
            most = Math.max(most, held);
        }
        return most;
    }

    /** The part of the waits of a log that its jobs would not have in a strict FIFO on a pool of so many GPUs. */
    private static double unexplained(List<TraceJob> jobs, int gpus) {
        List<TraceJob> inOrder = new ArrayList<>(jobs);
        inOrder.sort(Comparator.comparingLong(TraceJob::submitNanos));
        PriorityQueue<long[]> running = new PriorityQueue<>(Comparator.comparingLong(run -> run[0]));
        long now = Long.MIN_VALUE;
        long free = gpus;
        double past = 0;
        double less = 0;
        for (TraceJob job : inOrder) {
            now = Math.max(now, job.submitNanos());
            while (!running.isEmpty() && (running.peek()[0] <= now || free < job.gpus())) {
                now = Math.max(now, running.peek()[0]);
                free += running.remove()[1];
            }
            free -= job.gpus();
            running.add(new long[] {now + job.durationNanos(), job.gpus()});
            double wait = job.past().startNanos() - job.submitNanos();
            past += wait;
            less += Math.max(0, wait - (now - job.submitNanos()));
        }
        return past == 0 ? 0 : less / past;
    }

    private static void promisesNothing(Path log, String cluster) throws IOException {
        Shell advise = Shell.command("advise %s --cluster %s --limit 0.1 --partial", log, cluster);
        assertThat(advise.code()).as(log + advise.err()).isZero();
        assertThat(advise.out())
                .as(log.toString())
                .containsPattern("Answer: (n|keep )")
                .doesNotContain(" would change the ");
        JsonNode machine =
                JsonText.read(Shell.command("advise %s --cluster %s --limit 0.1 --partial --json", log, cluster)
                        .out());
        if (advise.out().contains("Answer: none") || advise.out().contains("Answer: nothing is to be gained")) {
            assertThat(advise.out())
                    .contains("Answer: " + machine.get("no_answer").asText() + ".");
            for (String key : List.of("best", "best_without_preemption", "best_configurable")) {
                assertThat(machine.get(key).isNull()).as(log + " " + key).isTrue();
            }
            for (String key : List.of("pays", "restart_costs_s", "too_close_to_call")) {
                assertThat(machine.get(key)).as(log + " " + key).isEmpty();
            }
        }

        Shell shadow = Shell.command("shadow %s --cluster %s --scheduler easy --partial", log, cluster);
        assertThat(shadow.code()).as(log + shadow.err()).isZero();
        assertThat(shadow.out()).as(log.toString()).containsPattern("no gain that is promised|; 0 s saved");
        JsonNode saved = JsonText.read(
                        Shell.command("shadow %s --cluster %s --scheduler easy --partial --json", log, cluster)
                                .out())
                .at("/whole/saved_s");
        assertThat(saved.isNull() || saved.get("mean").asDouble() == 0)
                .as(log.toString())
                .isTrue();

        Shell when = Shell.command(
                "when %s --cluster %s --job %s --learn 0 --futures 5 --partial", log, cluster, "1 gpus, 1 h");
        assertThat(when.code() == 0 || when.err().contains("expected at least 30"))
                .as(log + when.err())
                .isTrue();
        if (when.code() == 0) {
            assertThat(when.out()).as(log.toString()).containsPattern("of the wait was while|Asked: ");
        }
    }

    @Test
    void no_log_of_the_field_promises_a_gain_where_gpus_did_not_hold_its_jobs() throws IOException {
        List<Logged> held = logs("field").filter(log -> log.unexplained > 0.5).toList();

        assertThat(held).hasSizeGreaterThan(25);
        for (Logged log : held) {
            promisesNothing(log.file, log.cluster);
        }
    }

    /**
     * Jobs of one server of 8 GPUs, 64 CPUs and 640 GB in order of submission, as the first CPUs or memory let them
     * start.
     */
    private static List<String> bound(long seed, boolean byCpus) {
        var random = RandomStreams.stream(seed, "held by CPUs or memory");
        List<String> rows = new ArrayList<>(List.of("JobID|User|State|Submit|Start|End|Timelimit|AllocTRES|NodeList"));
        long[] capacity = {WIDE, 64, 640};
        List<long[]> ran = new ArrayList<>();
        long submit = 0;
        long start = 0;
        for (int job = 0; job < 40; job++) {
            submit += random.nextLong(600);
            long much = 33 + random.nextLong(31);
            long[] asks = {1, byCpus ? much : 1 + random.nextLong(8), 10 * (byCpus ? 1 : much)};
            long seconds = 600 + random.nextLong(3000);
            start = Math.max(start, submit);
            while (!hasRoom(capacity, ran, start, asks)) {
                start++;
            }
            ran.add(new long[] {start, start + seconds, asks[0], asks[1], asks[2]});
            rows.add("%d|u%d|COMPLETED|%s|%s|%s|%s|cpu=%d,gres/gpu=1,mem=%dG,node=1|n1"
                    .formatted(
                            job,
                            job % 5,
                            time(submit),
                            time(start),
                            time(start + seconds),
                            "02:00:00",
                            asks[1],
                            asks[2]));
        }
        return rows;
    }

    private static boolean hasRoom(long[] capacity, List<long[]> ran, long now, long[] asks) {
        for (int resource = 0; resource < capacity.length; resource++) {
            long held = asks[resource];
            for (long[] job : ran) {
                held += now >= job[0] && now < job[1] ? job[2 + resource] : 0;
            }
            if (held > capacity[resource]) {
                return false;
            }
        }
        return true;
    }

    private static String time(long seconds) {
        return LocalDateTime.parse("2026-03-02T08:00:00").plusSeconds(seconds).format(TIME);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void no_generated_log_promises_a_gain_where_cpus_or_memory_held_its_jobs(long seed, @TempDir Path folder)
            throws IOException {
        Path log = Files.write(folder.resolve("log.txt"), bound(seed, seed % 2 == 0));
        List<TraceJob> jobs = jobs(log);

        assertThat(unexplained(jobs, WIDE)).isGreaterThan(0.5);
        promisesNothing(log, "1x8");

        Files.writeString(folder.resolve("slurm.conf"), """
                SelectType=select/cons_tres
                SelectTypeParameters=CR_Core_Memory
                SchedulerType=sched/builtin
                PriorityType=priority/basic
                NodeName=n1 CPUs=64 RealMemory=655360 Gres=gpu:8
                PartitionName=gpu Nodes=n1 Default=YES
                """);
        JsonNode same =
                JsonText.read(Shell.command("shadow %s --cluster 1x8 --scheduler fifo --tolerance 0 --json", log)
                        .out());
        assertThat(same.at("/whole/starts/equal").asInt()).as(same.toString()).isEqualTo(40);
    }
}
