package org.trainyard.experiments.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;

/** The stress command with budgets of workloads, whatever time they take. */
class StressCommandTest {
    private static final String DEFAULT_POLICY = Path.of(
                    System.getProperty("trainyard.root", ".."), "checkpoints/default")
            .toString();

    @TempDir
    private Path folder;

    private Shell stress(String out, String... more) {
        List<String> args =
                new ArrayList<>(Shell.words("stress --cluster small --jobs 60 --out %s", folder.resolve(out)));
        args.addAll(List.of(more));
        return Shell.run(args);
    }

    private JsonNode summary(String run) throws Exception {
        return new JsonMapper()
                .readTree(folder.resolve(run).resolve("summary.json").toFile());
    }

    private JsonNode replayed(String run, String option, String scheduler) throws Exception {
        Path out = folder.resolve("replay of " + run.replace('/', ' '));
        Shell shell = Shell.command(
                "simulate --trace %s --cluster small %s %s --out %s",
                folder.resolve(run).resolve("hardest.csv"), option, scheduler, out);
        assertThat(shell.code()).as(shell.err()).isZero();
        return new JsonMapper()
                .readTree(out.resolve("summary.json").toFile())
                .get("schedulers")
                .get(0);
    }

    @Test
    void found_workloads_are_a_fifth_worse_than_random_ones_and_replay_to_the_same_figure() throws Exception {
        Shell shell = stress("a", "fifo,sjf,las", "--checkpoint", DEFAULT_POLICY, "--evaluations", "160");

        assertThat(shell.code()).as(shell.err()).isZero();
        for (String name : List.of("fifo", "sjf", "las", "learned")) {
            JsonNode found = summary("a/" + name).get("hardest");
            boolean isLearned = name.equals("learned");
            JsonNode replay = replayed(
                    "a/" + name, isLearned ? "--checkpoint" : "--scheduler", isLearned ? DEFAULT_POLICY : name);

            assertThat(found.get("more_than_random_mean").asDouble()).as(name).isGreaterThan(0.2);
            assertThat(found.at("/jct_s/mean").asDouble() / found.get("bound_s").asDouble())
                    .isEqualTo(found.get("hardness").asDouble());
            assertThat(replay.get("jct_s").get("mean").asDouble())
                    .as(name)
                    .isCloseTo(found.at("/jct_s/mean").asDouble(), within(1e-6));
            assertThat(found.get("shape").get("peak_backlog_hours").asDouble())
                    .isLessThanOrEqualTo(
                            found.get("shape_before").get("peak_backlog_hours").asDouble());
            assertThat(shell.out()).contains(name + ": of 160 workloads");
        }
    }

    @Test
    void a_search_goes_on_where_it_stopped_and_ends_with_the_same_bytes() throws Exception {
        assertThat(stress("whole", "sjf", "--evaluations", "96").code()).isZero();
        assertThat(stress("part", "sjf", "--evaluations", "48").code()).isZero();

        Shell again = stress("part", "sjf", "--evaluations", "96");
        assertThat(again.code()).isEqualTo(2);
        assertThat(again.err()).contains("expected --resume or --replace");
        assertThat(stress("part", "sjf", "--evaluations", "96", "--resume").code())
                .isZero();
        Path state = folder.resolve("part/sjf/checkpoints/last/search.bin");
        assertThat(Shell.command("inspect %s", state).out()).contains("state of a search");
        for (String file : List.of("summary.json", "hardest.csv", "pool/08.csv", "checkpoints/last/search.bin")) {
            assertThat(Files.readAllBytes(folder.resolve("part/sjf").resolve(file)))
                    .as(file)
                    .isEqualTo(Files.readAllBytes(folder.resolve("whole/sjf").resolve(file)));
        }
    }

    @Test
    void a_search_without_time_makes_its_first_generation_and_one_of_so_many_workloads_takes_its_time()
            throws Exception {
        assertThat(stress("short", "sjf", "--minutes", "0").code()).isZero();
        assertThat(summary("short/sjf").get("evaluations").asInt()).isEqualTo(32);
        assertThat(stress("both", "sjf", "--minutes", "0", "--evaluations", "64")
                        .code())
                .isZero();
        assertThat(summary("both/sjf").get("evaluations").asInt()).isEqualTo(32);
        assertThat(stress("counted", "sjf", "--evaluations", "64").code()).isZero();
        assertThat(summary("counted/sjf").get("evaluations").asInt()).isEqualTo(64);
    }

    @Test
    void hardness_can_be_relative_to_another_scheduler() throws Exception {
        Shell shell = stress("b", "sjf", "--evaluations", "64", "--relative-to", "reference", "--reference", "srtf");

        assertThat(shell.code()).as(shell.err()).isZero();
        JsonNode found = summary("b/sjf").get("hardest");
        assertThat(found.get("reference").asText()).isEqualTo("srtf");
        assertThat(found.get("hardness").asDouble())
                .isEqualTo(found.at("/jct_s/mean").asDouble()
                        / found.at("/reference_jct_s/mean").asDouble());
        assertThat(shell.out()).contains("times the mean JCT of srtf");
    }

    @Test
    void wrong_options_are_refused_in_a_line() {
        assertRefused("expected SCHEDULER, or --checkpoint DIR");
        assertRefused("each scheduler once", "fifo,fifo");
        assertRefused("did you mean 'fifo'", "fiffo");
        assertRefused("lower bound", "helios-sjf");
        assertRefused("at least the 32", "fifo", "--evaluations", "10");
        assertRefused("bound or reference", "fifo", "--relative-to", "srtf");
        assertRefused("completes every job", "posted-price:fifo", "--evaluations", "32");
        assertRefused("completes every job", "fifo", "--reference", "posted-price:fifo");
        assertRefused("a number in 0..100000", "fifo", "--minutes", "-1");
        assertThat(folder.resolve("refused")).doesNotExist();
    }

    @Test
    void a_later_search_that_cannot_begin_is_refused_before_the_first_one() {
        assertRefused("a folder with policy.bin", "fifo", "--checkpoint", "nowhere", "--evaluations", "32");
        assertThat(folder.resolve("refused")).doesNotExist();

        assertThat(stress("refused", "sjf", "--evaluations", "32").code()).isZero();
        assertRefused("expected --resume or --replace", "fifo,sjf", "--evaluations", "32");
        assertThat(folder.resolve("refused/fifo/hardest.csv")).doesNotExist();
    }

    private void assertRefused(String message, String... args) {
        Shell shell = stress("refused", args);

        assertThat(shell.code()).as(shell.err()).isEqualTo(2);
        assertThat(shell.err()).contains(message);
    }
}
