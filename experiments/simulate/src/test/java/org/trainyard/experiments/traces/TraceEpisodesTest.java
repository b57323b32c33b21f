package org.trainyard.experiments.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.run.Episodes;

class TraceEpisodesTest {
    static LongStream seeds() {
        return LongStream.range(0, 25);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void no_job_is_in_two_parts_and_parts_follow_in_time(long seed) {
        List<TraceJob> trace = randomTrace(seed, 400);
        Episodes episodes = TraceEpisodes.of(trace, new TraceSplit(20, 0.6, 0.2, 4, 5, false), seed);

        Set<Integer> train = new HashSet<>();
        for (int i = 0; i < 60; i++) {
            train.addAll(places(episodes.train(i).jobs()));
        }
        Set<Integer> validation = new HashSet<>();
        for (int i = 0; i < episodes.validationCount(); i++) {
            validation.addAll(places(episodes.validation(i).jobs()));
        }
        Set<Integer> test = new HashSet<>();
        for (int i = 0; i < episodes.testCount(); i++) {
            test.addAll(places(episodes.test(i).jobs()));
        }
        assertThat(max(train)).isLessThan(min(validation));
        assertThat(max(validation)).isLessThan(min(test));
        long span = trace.get(399).submitNanos() - trace.get(0).submitNanos();
        assertThat(trace.get(max(train)).submitNanos() - trace.get(0).submitNanos())
                .isLessThan(Math.round(0.6 * span));
        assertThat(trace.get(min(test)).submitNanos() - trace.get(0).submitNanos())
                .isGreaterThanOrEqualTo(Math.round(0.8 * span));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void an_episode_is_consecutive_jobs_from_zero_with_the_gaps_they_had(long seed) {
        List<TraceJob> trace = randomTrace(seed, 300);
        Episodes episodes = TraceEpisodes.of(trace, new TraceSplit(15, 0.5, 0.25, 3, 3, false), seed);

        for (Episodes.Jobs window : List.of(episodes.train(seed), episodes.validation(2), episodes.test(0))) {
            List<TraceJob> episode = window.jobs();
            assertThat(window.warm()).isZero();
            assertThat(episode).hasSize(15);
            assertThat(episode.get(0).submitNanos()).isZero();
            int start = places(episode).get(0);
            for (int i = 0; i < 15; i++) {
                TraceJob original = trace.get(start + i);
                assertThat(episode.get(i).id()).isEqualTo(original.id());
                assertThat(episode.get(i).submitNanos())
                        .isEqualTo(original.submitNanos() - trace.get(start).submitNanos());
                assertThat(episode.get(i).durationNanos()).isEqualTo(original.durationNanos());
            }
        }
    }

    @Test
    void the_same_seed_gives_the_same_training_windows_in_any_order() {
        List<TraceJob> trace = randomTrace(1, 300);
        TraceSplit split = new TraceSplit(15, 0.5, 0.25, 3, 3, false);
        Episodes one = TraceEpisodes.of(trace, split, 8);
        Episodes two = TraceEpisodes.of(trace, split, 8);

        Episodes.Jobs late = two.train(1_000_000_007L);
        assertThat(one.train(3)).isEqualTo(two.train(3));
        assertThat(one.train(1_000_000_007L)).isEqualTo(late);
        assertThat(LongStream.range(0, 50)
                        .mapToObj(i -> one.train(i).jobs().get(0).id())
                        .distinct()
                        .count())
                .isGreaterThan(20);
    }

    @Test
    void windows_that_fit_side_by_side_do_not_overlap() {
        Episodes episodes = TraceEpisodes.of(evenTrace(100), new TraceSplit(10, 0.6, 0.2, 2, 2, false), 1);

        assertThat(places(episodes.test(0).jobs())).first().isEqualTo(80);
        assertThat(places(episodes.test(1).jobs())).first().isEqualTo(90);
        assertThat(episodes.remarks()).isEmpty();
        assertThat(episodes.testsOverlap()).isFalse();
    }

    @Test
    void test_windows_are_independent_although_validation_windows_overlap() {
        Episodes episodes = TraceEpisodes.of(evenTrace(100), new TraceSplit(10, 0.6, 0.2, 5, 2, false), 1);

        assertThat(episodes.remarks()).singleElement().asString().contains("validation episodes of 10 jobs overlap");
        assertThat(episodes.testsOverlap()).isFalse();
    }

    @Test
    void overlap_is_said() {
        Episodes episodes = TraceEpisodes.of(evenTrace(100), new TraceSplit(10, 0.6, 0.2, 2, 5, false), 1);

        assertThat(episodes.testCount()).isEqualTo(5);
        assertThat(episodes.testsOverlap()).isTrue();
        assertThat(episodes.remarks())
                .containsExactly(
                        "the 5 test episodes of 10 jobs overlap because the part has only 20 jobs: they are not"
                                + " independent, and intervals over them are too narrow");
    }

    @Test
    void a_short_part_gives_one_shorter_episode_and_says_so() {
        Episodes episodes = TraceEpisodes.of(evenTrace(100), new TraceSplit(30, 0.6, 0.2, 4, 1, false), 1);

        assertThat(episodes.train(0).jobs()).hasSize(30);
        assertThat(episodes.validationCount()).isEqualTo(1);
        assertThat(episodes.validation(0).jobs()).hasSize(20);
        assertThat(episodes.remarks())
                .containsExactly(
                        "the validation part of the trace has 20 jobs, so its episodes have that many instead of 30",
                        "the test part of the trace has 20 jobs, so its episodes have that many instead of 30",
                        "different episodes in the validation part of the trace: 1, instead of the 4 asked for");
    }

    @Test
    void a_part_of_one_job_is_refused_by_name() {
        assertThatThrownBy(() -> TraceEpisodes.of(evenTrace(10), new TraceSplit(4, 0.8, 0.1, 1, 1, false), 1))
                .isInstanceOf(InputException.class)
                .hasMessage("validation part of the trace: '1 job' is not valid: expected at least 2 (a longer trace,"
                        + " or a larger share)");
    }

    @Test
    void impossible_splits_are_refused() {
        List<TraceJob> trace = evenTrace(100);
        assertThatThrownBy(() -> TraceEpisodes.of(trace, new TraceSplit(4, 0.8, 0.2, 1, 1, false), 1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("less than 1");
        assertThatThrownBy(() -> TraceEpisodes.of(trace, new TraceSplit(4, Double.NaN, 0.2, 1, 1, false), 1))
                .isInstanceOf(InputException.class);
        assertThatThrownBy(() -> TraceEpisodes.of(trace, new TraceSplit(1, 0.5, 0.2, 1, 1, false), 1))
                .isInstanceOf(InputException.class);
        assertThatThrownBy(() -> TraceEpisodes.of(trace, new TraceSplit(4, 0.5, 0.2, 1, 0, false), 1))
                .isInstanceOf(InputException.class);
        assertThatThrownBy(() -> TraceEpisodes.of(List.of(), new TraceSplit(4, 0.5, 0.2, 1, 1, false), 1))
                .isInstanceOf(InputException.class);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void a_warm_episode_begins_with_exactly_the_jobs_that_ran_or_waited_then(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "past");
        List<TraceJob> trace = randomTrace(seed, 200).stream()
                .map(job -> {
                    long start = job.submitNanos() + random.nextLong(3_000_000_000L);
                    long length = 1 + random.nextLong(9_000_000_000L);
                    return job.lasting(length).ran(new LoggedRun(start, start + length));
                })
                .toList();
        Episodes episodes = TraceEpisodes.of(trace, new TraceSplit(20, 0, 0, 1, 7, true), seed);
        long warm = 0;
        for (int i = 0; i < 7; i++) {
            Episodes.Jobs episode = episodes.test(i);
            warm += episode.warm();
            int first = Integer.parseInt(episode.jobs().get(episode.warm()).id());
            long zero = trace.get(first).submitNanos();
            Map<String, Long> left = new HashMap<>();
            for (TraceJob job : trace.subList(0, first)) {
                LoggedRun past = Objects.requireNonNull(job.past());
                if (past.endNanos() > zero) {
                    left.put(job.id(), past.endNanos() - Math.max(zero, past.startNanos()));
                }
            }
            List<TraceJob> ahead = episode.jobs().subList(0, episode.warm());
            assertThat(ahead).allMatch(job -> job.submitNanos() == 0);
            assertThat(ahead.stream().collect(Collectors.toMap(TraceJob::id, TraceJob::durationNanos)))
                    .isEqualTo(left);
            assertThat(places(episode.jobs()
                            .subList(episode.warm(), episode.jobs().size())))
                    .isEqualTo(IntStream.range(first, first + 20).boxed().toList());
        }
        assertThat(warm).isPositive();
    }

    @Test
    void without_shares_for_training_and_validation_the_whole_trace_tests() {
        Episodes episodes = TraceEpisodes.of(evenTrace(100), new TraceSplit(50, 0, 0, 1, 2, false), 1);

        assertThat(places(episodes.test(0).jobs())).first().isEqualTo(0);
        assertThat(places(episodes.test(1).jobs())).last().isEqualTo(99);
        assertThat(episodes.validationCount()).isZero();
        assertThatThrownBy(() -> episodes.train(0))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("episodes.train_share");
    }

    @Test
    void there_is_no_episode_beyond_the_last() {
        Episodes episodes = TraceEpisodes.of(evenTrace(100), new TraceSplit(10, 0.6, 0.2, 2, 2, false), 1);

        assertThatThrownBy(() -> episodes.test(2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> episodes.validation(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> episodes.train(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void generated_episodes_never_share_a_seed() {
        List<Long> seeds = new ArrayList<>();
        Episodes episodes = Episodes.ofGenerator(
                seed -> {
                    seeds.add(seed);
                    return evenTrace(3);
                },
                50,
                50,
                42,
                43);

        for (int i = 0; i < 50; i++) {
            episodes.train(i);
            episodes.validation(i);
            episodes.test(i);
        }
        assertThat(seeds).hasSize(150).doesNotHaveDuplicates();
        assertThat(seeds.get(0)).isEqualTo(RandomStreams.derive(42, "train/0"));
        assertThat(seeds.get(1)).isEqualTo(RandomStreams.derive(42, "validation/0"));
        assertThat(seeds.get(2)).isEqualTo(RandomStreams.derive(43, "test/0"));
    }

    private static List<TraceJob> randomTrace(long seed, int jobs) {
        RandomGenerator random = RandomStreams.stream(seed, "trace");
        List<TraceJob> trace = new ArrayList<>();
        long now = random.nextLong(1_000_000);
        for (int i = 0; i < jobs; i++) {
            trace.add(job(i, now, 1 + random.nextLong(1_000)));
            now += random.nextLong(1_000_000_000L);
        }
        return trace;
    }

    private static List<TraceJob> evenTrace(int jobs) {
        List<TraceJob> trace = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            trace.add(job(i, i * 1_000L, 5));
        }
        return trace;
    }

    private static TraceJob job(int place, long submitNanos, long durationNanos) {
        return new TraceJob(Integer.toString(place), submitNanos, 1, durationNanos, null, null, null, null);
    }

    /** Where in the trace the jobs of an episode stood. */
    private static List<Integer> places(List<TraceJob> episode) {
        return episode.stream().map(job -> Integer.valueOf(job.id())).toList();
    }

    private static int max(Set<Integer> places) {
        return places.stream().mapToInt(Integer::intValue).max().orElseThrow();
    }

    private static int min(Set<Integer> places) {
        return places.stream().mapToInt(Integer::intValue).min().orElseThrow();
    }
}
