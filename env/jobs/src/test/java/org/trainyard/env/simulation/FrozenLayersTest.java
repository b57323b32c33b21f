package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.trainyard.env.simulation.Worlds.SECOND;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.freezing.FreezableNetworks;
import org.trainyard.env.workload.freezing.FreezingProfile;
import org.trainyard.env.workload.freezing.FreezingTerms;

class FrozenLayersTest {
    private static final double WORK = 1000;
    private static final int LAYERS = 10;
    private final Topology topology = Topologies.small();

    /** One job of one iteration per second on one GPU, with twenty equal layers or those of another network. */
    private Simulator simulator(String network) {
        return simulator(
                Objects.requireNonNull(FreezableNetworks.find(network)).under(new FreezingTerms(0.03, 0.5, false)));
    }

    private Simulator simulator(FreezingProfile freezing) {
        Pressure none = new Pressure(0, 0, 0);
        ModelProfile model =
                new ModelProfile("model", 1, 1e9, 1, none, none).attaching(FreezingProfile.class, freezing);
        JobSpec job = new JobSpec(0, "job", 0, Demand.ofGpus(1), model, 1);
        Workload workload = new Workload(List.of(job), new double[] {WORK});
        return new World(
                        topology, new RingPerformance(topology, InterferenceModel.NONE), new Simulator.Options(0, true))
                .simulator(workload);
    }

    private Simulator started(String network) {
        Simulator simulator = simulator(network);
        simulator.advance();
        simulator.apply(new Decision.Start(0, Placement.of(topology, new int[] {0})));
        return simulator;
    }

    private static void waitUntil(Simulator simulator, double seconds) {
        simulator.apply(Decision.waitUntil(Math.round(seconds * 1e9)));
        simulator.advance();
    }

    /** Half the operations frozen leave 2/3 of the compute; hundredths of the work, each at its own penalty, add up. */
    @Test
    void a_job_with_frozen_layers_makes_the_integral_of_its_effective_progress() {
        FreezingProfile freezing =
                Objects.requireNonNull(FreezableNetworks.find("even")).under(new FreezingTerms(0.03, 0.5, false));
        double seconds = 0;
        double penalty = 0;
        for (int stage = 0; stage < 100; stage++) {
            double share = freezing.gradientShare(LAYERS, stage);
            double here = WORK / 100 / (1.5 * (1 - 0.5 * share));
            seconds += here;
            penalty += 0.5 * share * here;
        }

        Simulator simulator = started("even");
        simulator.apply(new Decision.Freeze(0, LAYERS));
        // Settles the work again and again, at no effect.
        for (int i = 1; i < 20; i++) {
            waitUntil(simulator, 7.77 * i);
            assertThat(simulator.view().rate(0))
                    .isCloseTo(
                            1.5
                                    * freezing.progressLeft(
                                            LAYERS,
                                            freezing.stage(simulator.view().trainedShare(0))),
                            within(1e-12));
        }
        simulator.apply(Decision.WAIT);
        assertThat(simulator.advance()).isFalse();

        JobOutcome outcome = simulator.outcome(0);
        assertThat(outcome.endNanos() / 1e9).isCloseTo(seconds, within(1e-6));
        assertThat(outcome.accuracyPenalty()).isCloseTo(penalty / seconds, within(1e-9));
    }

    @Test
    void freezing_takes_effect_at_once_and_costs_no_time() {
        Simulator simulator = started("even");
        waitUntil(simulator, 905.2);
        assertThat(simulator.view().trainedShare(0)).isCloseTo(0.9052, within(1e-12));
        simulator.apply(new Decision.Freeze(0, 8));
        assertThat(simulator.view().frozenLayers(0)).isEqualTo(8);
        assertThat(simulator.view().job(0).model().gradientBytes()).isCloseTo(0.6e9, within(1.0));
        simulator.apply(Decision.WAIT);
        simulator.advance();

        double speed = 1 / (1 - 2.0 / 3 * 0.4);
        JobOutcome outcome = simulator.outcome(0);
        // In the last tenth of the training the first 8 layers hold three to six thousandths of the gradient energy, of
        // which half counts.
        assertThat(outcome.endNanos() / 1e9).isBetween(905.2 + 94.8 / speed / 0.9985, 905.2 + 94.8 / speed / 0.997);
        assertThat(outcome.accuracyPenalty()).isBetween(1e-4, 3e-4);
        assertThat(outcome.onGpus().restartNanos()).isZero();
        assertThat(outcome.preemptions()).isZero();
    }

    @Test
    void a_job_that_freezes_nothing_runs_as_if_it_allowed_nothing() {
        Simulator free = started("even");
        free.apply(Decision.WAIT);
        free.advance();
        assertThat(free.outcome(0).endNanos()).isEqualTo(1000 * SECOND);
        assertThat(free.outcome(0).accuracyPenalty()).isZero();
    }

    @Test
    void impossible_numbers_of_layers_are_refused() {
        Simulator simulator = started("even");
        for (int layers : new int[] {-2, 0, 3, 20}) {
            assertThatThrownBy(() -> simulator.apply(new Decision.Freeze(0, layers)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("(%d) layers".formatted(layers))
                    .hasMessageContaining("multiple of 2 up to 18");
        }
        simulator.apply(new Decision.Preempt(0));
        assertThatThrownBy(() -> simulator.apply(new Decision.Freeze(0, 2))).hasMessageContaining("WAITING");

        Simulator plain = new Worlds().job(1, 0, 100).simulator(topology, 0);
        plain.advance();
        plain.apply(new Decision.Start(0, Placement.of(topology, new int[] {0})));
        assertThatThrownBy(() -> plain.apply(new Decision.Freeze(0, 2))).hasMessageContaining("allows none");
        assertThat(plain.view().trainedShare(0)).isNaN();
    }

    @Test
    void layers_thaw_only_after_the_learning_rate_has_dropped() {
        Simulator simulator = started("resnet18");
        waitUntil(simulator, 450);
        simulator.apply(new Decision.Freeze(0, 4));
        assertThatThrownBy(() -> simulator.apply(new Decision.Freeze(0, 2))).hasMessageContaining("thaw");
        waitUntil(simulator, 500);
        assertThat(simulator.view().trainedShare(0)).isGreaterThan(0.5);
        simulator.apply(new Decision.Freeze(0, 0));
        assertThat(simulator.view().frozenLayers(0)).isZero();
        assertThat(simulator.view().rate(0)).isEqualTo(1);
    }

    /** The learning rate drops after half and three quarters of the training. */
    @Test
    void a_fork_knows_since_when_layers_are_frozen() {
        Simulator simulator = started("resnet18");
        waitUntil(simulator, 600);
        simulator.apply(new Decision.Freeze(0, 4));
        Simulator fork = simulator.fork();
        waitUntil(fork, 650);

        assertThat(fork.view().trainedShare(0)).isBetween(0.65, 0.75);
        assertThatThrownBy(() -> fork.apply(new Decision.Freeze(0, 2))).hasMessageContaining("thaw");
    }

    @Test
    void frozen_layers_survive_a_preemption_a_snapshot_and_a_fork() {
        Simulator simulator = started("even");
        waitUntil(simulator, 600);
        simulator.apply(new Decision.Freeze(0, 6));
        waitUntil(simulator, 640);
        simulator.apply(new Decision.Preempt(0));
        waitUntil(simulator, 650);
        simulator.apply(new Decision.Start(0, Placement.of(topology, new int[] {3})));
        Simulator fork = simulator.fork();
        for (Simulator one : List.of(simulator, fork)) {
            assertThat(one.view().frozenLayers(0)).isEqualTo(6);
            one.apply(Decision.WAIT);
            one.advance();
        }
        assertThat(fork.outcome(0).endNanos()).isEqualTo(simulator.outcome(0).endNanos());
        assertThat(fork.outcome(0).accuracyPenalty())
                .isEqualTo(simulator.outcome(0).accuracyPenalty());
        assertThat(fork.eventLog().sha256()).isEqualTo(simulator.eventLog().sha256());
        // Without the freeze it would end 10 s after its work.
        assertThat(simulator.outcome(0).endNanos()).isLessThan(1010 * SECOND);
    }
}
