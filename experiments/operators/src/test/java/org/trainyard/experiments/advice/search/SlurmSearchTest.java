package org.trainyard.experiments.advice.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.advice.LogOutcome;
import org.trainyard.experiments.blocks.BlockBootstrap;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.metrics.RankingMetric;

/** {@code advise --search}, on logs of two servers with four GPUs. */
class SlurmSearchTest {
    @TempDir
    private Path folder;

    /** Every tenth job needs both servers for an hour; the others one GPU for ten minutes. */
    private Path log(int secondsApart) throws IOException {
        List<String> lines = new ArrayList<>(List.of("job,submit_s,gpus,duration_s,limit_s"));
        for (int job = 0; job < 120; job++) {
            boolean isWide = job % 10 == 0;
            lines.add("j%d,%d,%d,%d,%d"
                    .formatted(job, secondsApart * job, isWide ? 8 : 1, isWide ? 3600 : 600, isWide ? 4000 : 700));
        }
        Files.writeString(folder.resolve("slurm.conf"), "SchedulerType=sched/builtin\nPriorityType=priority/basic\n");
        return Files.write(folder.resolve("log.csv"), lines);
    }

    private Shell search(int secondsApart, String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of("advise", log(secondsApart).toString(), "--cluster", "2x4"));
        words.addAll(List.of("--search", "--search-evaluations", "40"));
        words.addAll(List.of(more));
        Shell shell = Shell.run(words.toArray(String[]::new));
        assertThat(shell.code()).as(shell.err()).isZero();
        return shell;
    }

    @Test
    void a_queue_that_wide_jobs_block_is_shortened_on_jobs_that_the_search_has_not_seen() throws IOException {
        JsonNode found = JsonText.read(search(420, "--json").out());
        JsonNode unseen = found.get("held_out");

        assertThat(found.get("is_shown").asBoolean()).isTrue();
        assertThat(found.get("evaluations").asInt()).isLessThanOrEqualTo(40);
        assertThat(found.get("training").get("jobs").asInt()).isEqualTo(80);
        assertThat(unseen.get("jobs").asInt()).isEqualTo(40);
        double saved = unseen.get("saved").get("value").asDouble();
        assertThat(saved)
                .isEqualTo(unseen.get("now").get("wait_s").get("mean").asDouble()
                        - unseen.get("then").get("wait_s").get("mean").asDouble())
                .isBetween(
                        unseen.get("saved").get("interval").get(0).asDouble(),
                        unseen.get("saved").get("interval").get(1).asDouble());
        assertThat(found.get("slurm_conf")).isNotEmpty();
    }

    @Test
    void the_lines_it_writes_give_the_waits_it_promises() throws IOException {
        JsonNode found = JsonText.read(search(420, "--json").out());
        List<String> conf = new ArrayList<>();
        found.get("slurm_conf").forEach(line -> conf.add(line.asText()));
        if (conf.stream().noneMatch(line -> line.startsWith("PriorityType"))) {
            conf.add("PriorityType=priority/basic");
        }
        Path tuned = Files.createDirectory(folder.resolve("tuned"));
        Files.write(tuned.resolve("slurm.conf"), conf);
        Shell shell = Shell.command(
                "advise %s --cluster 2x4 --search --search-evaluations 2 --slurm %s --json",
                folder.resolve("log.csv"), tuned.resolve("slurm.conf"));

        assertThat(JsonText.read(shell.out()).get("held_out").get("now"))
                .isEqualTo(found.get("held_out").get("then"));
    }

    @Test
    void where_nobody_waits_nothing_is_gained_and_no_line_is_written() throws IOException {
        Shell shell = search(4000);

        assertThat(shell.out())
                .startsWith("Result: no settings found that help; nothing to change; none of ")
                .doesNotContain("slurm.conf:");
    }

    /** Ten jobs that waited so long each. */
    private static LogOutcome waiting(long seconds) {
        List<TraceJob> jobs = new ArrayList<>();
        for (long job = 0; job < 10; job++) {
            long start = (100 * job + seconds) * 1_000_000_000L;
            jobs.add(new TraceJob(
                            "j" + job, 100_000_000_000L * job, Demand.ofGpus(1), 1_000_000_000L, null, null, null, null)
                    .ran(new LoggedRun(start, start + 1_000_000_000L)));
        }
        return LogOutcome.past(jobs, 8, true);
    }

    private static String judged(long now, long then, boolean isKept) {
        boolean isShown = then < now && isKept;
        BlockBootstrap.Bounds saved = new BlockBootstrap.Bounds(now - then, now - then);
        return new SlurmSearch(
                        RankingMetric.P95_WAIT,
                        40,
                        new SlurmSearch.Training(20, "weeks 1 to 2 of 3", 3600, 1800),
                        new SlurmSearch.HeldOut(
                                10, null, waiting(now), waiting(then), new SlurmSearch.Saved(now - then, saved)),
                        isShown,
                        "p95 of all: 10 %",
                        isKept,
                        isShown ? List.of("PriorityWeightAge=1") : List.of())
                .answer()
                .console();
    }

    @Test
    void settings_that_do_not_help_on_unseen_weeks_are_no_advice() {
        assertThat(judged(3600, 7200, false))
                .startsWith("Result: no settings found that help; nothing to change; on weeks that")
                .contains("goes from 1 h to 2 h, 1 h more (saved ", ": a loss.", "on the judged weeks it is broken.")
                .doesNotContain("less", "slurm.conf:");
        assertThat(judged(7200, 3600, false))
                .startsWith("Result: no settings found that help; nothing to change; ")
                .doesNotContain("slurm.conf:");
        assertThat(judged(7200, 3600, true))
                .startsWith(
                        "Result: on weeks that the search has not seen, the p95 wait goes from 2 h to 1 h, 1 h less")
                .contains(
                        "Bound (p95 of all: 10 %): ",
                        "on the judged weeks it is kept.", "slurm.conf: PriorityWeightAge=1");
    }

    @Test
    void a_bound_of_the_search_is_said_with_its_answer() throws IOException {
        Shell shell = search(420, "--constraint", "p95 of >=8 GPUs: 10 %");

        assertThat(shell.out()).containsPattern("Bound \\(p95 of >=8 GPUs: 10 %\\): .* it is (kept|broken)");
    }

    @Test
    void a_search_is_repeated_to_the_byte_and_goes_on_where_it_was_interrupted() throws IOException {
        Path out = folder.resolve("out");
        Shell first = search(420, "--out", out.toString());
        Shell again = search(420, "--out", out.toString());

        assertThat(again.out()).isEqualTo(first.out()).isEqualTo(search(420).out());
        assertThat(again.err()).contains("replays of this log; they are not made again");
        assertThat(out.resolve("answer.txt")).hasContent(first.out());
    }

    @Test
    void the_search_finds_better_points_of_a_grid_than_blind_draws() {
        int better = 0;
        for (int seed = 1; seed <= 9; seed++) {
            better += best(seed, true) < best(seed, false) ? 1 : 0;
        }
        assertThat(better).isGreaterThanOrEqualTo(8);
    }

    /** The least sum of squared distances from choice 3 in ten dimensions, after 120 points. */
    private static double best(int seed, boolean isTaught) {
        int[] choices = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
        ParzenSearch search = new ParzenSearch(choices, RandomStreams.stream(seed, "test"));
        List<ParzenSearch.Trial> seen = new ArrayList<>();
        double best = Double.POSITIVE_INFINITY;
        for (int batch = 0; batch < 15; batch++) {
            for (List<Integer> point : search.propose(isTaught ? seen : List.of(), 8)) {
                double value = point.stream()
                        .mapToDouble(at -> (at - 3.0) * (at - 3.0))
                        .sum();
                seen.add(new ParzenSearch.Trial(point, value));
                best = Math.min(best, value);
            }
        }
        return best;
    }
}
