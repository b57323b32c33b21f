package org.trainyard.experiments.advice.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.advice.LogOutcome;
import org.trainyard.experiments.advice.WhatIf;
import org.trainyard.experiments.blocks.BlockBootstrap;
import org.trainyard.experiments.metrics.RankingMetric;

/** What a search of Slurm's settings may change, where it looks, and what is said of what it found. */
class SearchAnswerTest {
    private static final long SECOND = 1_000_000_000L;

    /** Ten jobs that waited so long each. */
    private static LogOutcome waiting(long seconds) {
        return LogOutcome.past(
                IntStream.range(0, 10)
                        .mapToObj(job -> new TraceJob("j" + job, 0, Demand.ofGpus(1), SECOND, null, null, null, null)
                                .ran(new LoggedRun(seconds * SECOND, (seconds + 1) * SECOND)))
                        .toList(),
                8,
                true);
    }

    private static List<String> judged(
            LogOutcome now,
            LogOutcome then,
            @Nullable LogOutcome past,
            @Nullable Boolean isKept,
            double low,
            double high) {
        double value = now.value(RankingMetric.MEAN_WAIT) - then.value(RankingMetric.MEAN_WAIT);
        boolean isShown = low > 0 && !Boolean.FALSE.equals(isKept);
        return new SlurmSearch(
                        RankingMetric.MEAN_WAIT,
                        1000,
                        new SlurmSearch.Training(20, "weeks 1 to 2 of 3", 3600, 1800),
                        new SlurmSearch.HeldOut(
                                10,
                                past,
                                now,
                                then,
                                new SlurmSearch.Saved(value, new BlockBootstrap.Bounds(low, high))),
                        isShown,
                        isKept == null ? null : "p95 of all: 10 %",
                        isKept,
                        isShown ? List.of("PriorityWeightAge=1") : List.of())
                .answer()
                .console()
                .lines()
                .toList();
    }

    @Test
    void a_gain_is_said_with_what_else_changes_and_its_lines() {
        assertThat(judged(waiting(7200), waiting(3600), waiting(7500), null, 3000, 4000))
                .containsExactly(
                        "Result: on weeks that the search has not seen, the mean wait goes from 2 h to 1 h, 1 h less (saved 50 min"
                                + " .. 1 h 7 min): a gain.",
                        "Search: 1,000 settings on 20 jobs (weeks 1 to 2 of 3), where the mean wait goes from 1 h to 30 min;"
                                + " judged on the 10 jobs after them.",
                        "Past: of the judged jobs the mean wait was 2 h 5 min, and as configured today it is simulated as 2 h.",
                        "Beside it: the p99 wait goes from 2 h to 1 h, and the longest from 2 h to 1 h.",
                        "slurm.conf: PriorityWeightAge=1");
    }

    @Test
    void a_gain_that_the_interval_does_not_show_is_none() {
        assertThat(judged(waiting(7200), waiting(3600), null, true, -1, 4000))
                .startsWith(
                        "Result: no settings found that help; nothing to change; on weeks that the search has not seen, the mean"
                                + " wait goes from 2 h to 1 h, 1 h less (saved -1.0 s .. 1 h 7 min): no significant gain (the"
                                + " interval includes 0).",
                        "Bound (p95 of all: 10 %): settings that break it on the training weeks were not chosen; on the judged"
                                + " weeks it is kept.")
                .noneMatch(line -> line.startsWith("Past") || line.startsWith("slurm.conf"));
    }

    @Test
    void where_training_gains_nothing_nothing_is_judged() {
        LogOutcome today = waiting(7200);

        assertThat(judged(today, today, null, true, 0, 0))
                .containsExactly(
                        "Result: no settings found that help; nothing to change; none of 1,000 beats today's on the training"
                                + " weeks, where the mean wait is 1 h.",
                        "Bound (p95 of all: 10 %): settings that break it on the training weeks were not chosen; on the judged"
                                + " weeks it is kept, for nothing changes.",
                        "Search: 1,000 settings on 20 jobs (weeks 1 to 2 of 3), where the mean wait goes from 1 h to 30 min;"
                                + " judged on the 10 jobs after them.");
    }

    private static TraceJob job(String user, String account, @Nullable String qos, @Nullable String partition) {
        return new TraceJob("j", 0, Demand.ofGpus(1), SECOND, null, user, null, null)
                .on(SubmissionTerms.NONE
                        .but()
                        .account(account)
                        .qos(qos)
                        .partition(partition)
                        .build());
    }

    private static SlurmFiles files(String... lines) {
        return SlurmFiles.DEFAULT.with(List.of(lines));
    }

    /** Keys in the order of the dimensions, by what a change of each alone says. */
    private static List<String> keys(SlurmTrials.SlurmSpace space) {
        int[] choices = space.choices();
        return IntStream.range(0, choices.length)
                .mapToObj(i -> {
                    List<Integer> point = new ArrayList<>(Collections.nCopies(choices.length, 0));
                    point.set(i, choices[i] - 1);
                    return space.change(point).text();
                })
                .toList();
    }

    @Test
    void settings_that_cannot_matter_are_not_searched() {
        SlurmTrials.SlurmSpace plain = new SlurmTrials.SlurmSpace(
                files("SchedulerType = sched/Backfill", "PriorityType=priority/multifactor"),
                List.of(job("u", "a", "q", "p"), job("u", "b", "r", null)));

        assertThat(keys(plain))
                .as("one user, no files of accounts and QOS, one partition")
                .containsExactly(
                        "bf_window=43200",
                        "bf_resolution=600",
                        "bf_max_job_test=5000",
                        "bf_job_part_count_reserve=100",
                        "default_queue_depth=1000",
                        "PriorityWeightAge=100000",
                        "PriorityWeightJobSize=100000",
                        "PriorityFavorSmall=YES",
                        "PriorityMaxAge=30-00:00:00");
        assertThat(plain.choices()).containsExactly(7, 4, 6, 7, 6, 9, 9, 3, 7);
    }

    /** Weights bring the plugin that reads them, and other schedulers backfill. */
    @Test
    void settings_of_users_and_partitions_are_searched_where_they_differ() {
        SlurmTrials.SlurmSpace space = new SlurmTrials.SlurmSpace(
                files("SchedulerType=sched/builtin", "PriorityType=priority/basic"),
                List.of(job("u", "a", "q", "p"), job("v", "b", "r", "s")));

        assertThat(keys(space))
                .contains("SchedulerType=sched/backfill", "bf_max_job_user=100")
                .contains(
                        "PriorityWeightAge=100000, PriorityType=priority/multifactor",
                        "PriorityWeightPartition=100000, PriorityType=priority/multifactor")
                .noneMatch(key -> key.startsWith("PriorityWeightQOS") || key.startsWith("PriorityWeightFairshare"));
        WhatIf none = space.change(Collections.nCopies(space.choices().length, 0));
        assertThat(none.text()).isEmpty();
        assertThat(none.lines()).isEmpty();
    }

    /** None twice, and none that is known; where all good ones are, what blind draws find of the others. */
    @ParameterizedTest
    @CsvSource({"0, 8, 8", "12, 8, 8", "17, 8, 6", "20, 8, 4", "27, 8, 0"})
    void points_are_new_and_as_many_as_are_found(int known, int count, int proposed) {
        List<ParzenSearch.Trial> all = grid();
        List<ParzenSearch.Trial> seen = all.subList(0, known);

        List<List<Integer>> points =
                new ParzenSearch(new int[] {3, 3, 3}, RandomStreams.stream(1, "test")).propose(seen, count);

        assertThat(points).hasSize(proposed);
        assertThat(new HashSet<>(points)).hasSize(proposed);
        assertThat(seen.stream().map(ParzenSearch.Trial::point).filter(points::contains))
                .isEmpty();
    }

    /** All points of three dimensions with three choices, worth the sum of their choices. */
    private static List<ParzenSearch.Trial> grid() {
        List<ParzenSearch.Trial> all = new ArrayList<>();
        for (int i = 0; i < 27; i++) {
            List<Integer> point = List.of(i % 3, i / 3 % 3, i / 9);
            all.add(new ParzenSearch.Trial(
                    point, point.stream().mapToInt(Integer::intValue).sum()));
        }
        return all;
    }

    /** Two dimensions, of whose twenty trials those with choice 3 of five in the first were good, all others bad. */
    @Test
    void the_search_looks_where_good_points_lie_and_bad_ones_do_not() {
        List<ParzenSearch.Trial> seen = Stream.of(0, 1, 2, 3, 4)
                .flatMap(choice -> IntStream.range(0, 4)
                        .mapToObj(i -> new ParzenSearch.Trial(List.of(choice, i), choice == 3 ? 1 : 100 + i)))
                .toList();
        ParzenSearch search = new ParzenSearch(new int[] {5, 50}, RandomStreams.stream(5, "test"));

        List<List<Integer>> points = search.propose(seen, 20);

        assertThat(points.stream().filter(point -> point.get(0) == 3))
                .as("blind draws have a fifth of the choices")
                .hasSizeGreaterThanOrEqualTo(16);
    }
}
