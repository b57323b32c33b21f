package org.trainyard.env.scheduling.pairs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.gym.SharedPlay;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.workload.ModelProfile;

/** Knowledge of pairs of twenty models against lists of every measurement and sums over every pair. */
class PairsByHandTest {
    private static final InterferenceModel BELIEF = new AnalyticInterference(0.1, 0.3, 0.2, 0.4);
    private final SharedPlay play = new SharedPlay(5, ServerSpec.ofV100(4));
    private final List<ModelProfile> models = play.models();

    private static double beside(InterferenceModel model, ModelProfile victim, ModelProfile neighbour) {
        Colocation place = new Colocation();
        place.reset(1, 1, false);
        place.add(neighbour, 1, false, true, true);
        return model.slowdown(victim, place);
    }

    /** Starts seen and not yet measured, and the measured over the believed slowdowns of every ordered pair. */
    private final List<long[]> starts = new ArrayList<>();

    private final Map<List<Integer>, List<Double>> factors = new HashMap<>();
    private int changes;

    private static List<Integer> sharers(SimView view, int job) {
        List<Integer> all = new ArrayList<>();
        for (int other = view.firstRunning(); other != SimView.NONE; other = view.nextRunning(other)) {
            int[] theirs = gpus(view.placement(other));
            boolean isThere = IntStream.of(theirs)
                    .anyMatch(gpu -> gpu == view.placement(job).gpu(0));
            if (other != job && isThere) {
                all.add(other);
            }
        }
        return all;
    }

    private static int[] gpus(Placement placement) {
        return IntStream.range(0, placement.gpuCount()).map(placement::gpu).toArray();
    }

    private double mean(List<Integer> pair) {
        return factors.getOrDefault(pair, List.of(1.0)).stream()
                .mapToDouble(Math::log)
                .average()
                .orElseThrow();
    }

    private void learn(SimView view, int victim, int neighbour) {
        Placement place = view.placement(victim);
        Colocation row = new Colocation();
        row.reset(4, 1, false);
        for (int other = view.firstRunning(); other != SimView.NONE; other = view.nextRunning(other)) {
            Placement there = view.placement(other);
            int here = there.indexOf(place.server(0));
            if (other != victim && here >= 0) {
                boolean shares = IntStream.of(gpus(there)).anyMatch(gpu -> gpu == place.gpu(0));
                row.add(view.job(other).model(), there.gpusOn(here), there.serverCount() > 1, true, shares);
            }
        }
        List<Integer> pair = List.of(
                models.indexOf(view.job(victim).model()),
                models.indexOf(view.job(neighbour).model()));
        double before = mean(pair);
        factors.computeIfAbsent(pair, key -> new ArrayList<>())
                .add(view.slowdown(victim) / BELIEF.slowdown(view.job(victim).model(), row));
        changes += Math.abs(mean(pair) - before) > 1e-9 ? 1 : 0;
    }

    private void measure(SimView view) {
        for (long[] start : List.copyOf(starts)) {
            if (view.nowNanos() - start[1] < 60 * TimedJobs.SECOND) {
                continue;
            }
            starts.remove(start);
            int job = (int) start[0];
            if (view.state(job) == JobState.RUNNING && view.placement(job).gpuCount() == 1) {
                List<Integer> others = sharers(view, job);
                if (others.size() == 1 && view.placement(others.get(0)).gpuCount() == 1) {
                    learn(view, job, others.get(0));
                    learn(view, others.get(0), job);
                }
            }
        }
    }

    @Test
    void a_belief_is_corrected_by_the_geometric_mean_of_every_measurement_of_a_pair() {
        ObservedPairs pairs = new ObservedPairs(BELIEF);
        int[] read = {0};
        play.play(250, 2, new Simulator.Options(0, true), view -> {
            pairs.update(view);
            for (; read[0] < view.journalSize(); read[0]++) {
                if (view.journalKind(read[0]) == EventKind.START) {
                    starts.add(new long[] {view.journalJob(read[0]), view.nowNanos()});
                }
            }
            measure(view);
            assertThat(pairs.measured()).isEqualTo(factors.size());
            assertThat(pairs.revision()).isEqualTo(changes);
        });
        double squares = 0;
        for (int victim = 0; victim < 20; victim++) {
            for (int neighbour = 0; neighbour < 20; neighbour++) {
                List<Integer> pair = List.of(victim, neighbour);
                ModelProfile of = models.get(victim);
                ModelProfile other = models.get(neighbour);
                assertThat(pairs.isMeasured(of, other)).isEqualTo(factors.containsKey(pair));
                assertThat(beside(pairs, of, other))
                        .isCloseTo(Math.max(1, beside(BELIEF, of, other) * Math.exp(mean(pair))), within(1e-9));
                squares += mean(pair) * mean(pair);
            }
        }
        assertThat(pairs.error())
                .isCloseTo(Math.sqrt(squares / factors.size()), within(1e-9))
                .isPositive();
        assertThat(factors.size()).isGreaterThan(50);
        assertThat(factors.values())
                .as("measured again, with another result")
                .anyMatch(list -> list.size() > 1 && Math.abs(list.get(0) - list.get(1)) > 1e-3);
    }

    @Test
    void pairs_are_predicted_alone_on_one_gpu_and_anew_with_every_revision() {
        int[] asked = {0, 0};
        InterferenceModel counting = new InterferenceModel() {
            @Override
            public double slowdown(ModelProfile victim, Colocation place) {
                asked[0]++;
                return (1 + asked[1]) * BELIEF.slowdown(victim, place) - (asked[1] == 2 ? 9 : 0);
            }

            @Override
            public int revision() {
                return asked[1];
            }
        };
        PairSlowdowns slowdowns = new PairSlowdowns(counting);
        for (int revision = 0; revision < 3; revision++) {
            asked[1] = revision;
            for (ModelProfile victim : models) {
                for (ModelProfile other : models) {
                    double expected = (1 + revision) * beside(BELIEF, victim, other) - (revision == 2 ? 9 : 0);
                    assertThat(slowdowns.of(victim, other)).isEqualTo(Math.max(1, expected));
                }
            }
        }
        assertThat(asked[0]).as("each pair once").isEqualTo(1200);
        assertThat(slowdowns.of(models.get(0), models.get(19)))
                .isEqualTo(Math.max(1, 3 * beside(BELIEF, models.get(0), models.get(19)) - 9));
        assertThat(asked[0]).isEqualTo(1200);
    }

    /** A neighbour on the GPU counts as the mean of all pairs, the others as they are believed to. */
    @Test
    void the_mean_of_pairs_stands_for_neighbours_on_the_gpu_alone() {
        double sum = 0;
        for (ModelProfile victim : models) {
            for (ModelProfile other : models) {
                sum += beside(BELIEF, victim, other);
            }
        }
        MeanOfPairs mean = new MeanOfPairs(BELIEF, models);
        Colocation all = new Colocation();
        Colocation rest = new Colocation();
        all.reset(4, 2, true);
        rest.reset(4, 2, true);
        for (int n = 0; n < 6; n++) {
            all.add(models.get(n), 1 + n % 2, n == 3, n % 3 == 0, n % 2 == 0);
            if (n % 2 != 0) {
                rest.add(models.get(n), 1 + n % 2, n == 3, n % 3 == 0);
            }
        }
        double expected = Math.pow(sum / 400, 3) * BELIEF.slowdown(models.get(7), rest);
        assertThat(mean.slowdown(models.get(7), all)).isCloseTo(expected, within(1e-9));
        assertThat(mean.slowdown(models.get(7), all)).as("asked again").isCloseTo(expected, within(1e-9));
        assertThat(BELIEF.slowdown(models.get(7), rest)).isGreaterThan(1);
    }

    @Test
    void knowledge_is_named_or_believed() {
        assertThat(PairKnowledge.of(null)).isEqualTo(PairKnowledge.BELIEVED);
        assertThat(List.of("Believed", "Observed", "Mean").stream().map(PairKnowledge::of))
                .containsExactly(PairKnowledge.values());
        assertThatThrownBy(() -> PairKnowledge.of("mean"))
                .hasMessageContaining("mean")
                .hasMessageContaining("one of Believed, Observed, Mean");
    }
}
