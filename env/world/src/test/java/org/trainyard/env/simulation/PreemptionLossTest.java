package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trainyard.env.simulation.Worlds.SECOND;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

class PreemptionLossTest {
    private final Topology small = Topologies.small();

    /** Preempts the job when it has run for 70 s, and starts it again at once. */
    private Decision preemptsOnce(SimView view) {
        if (view.runningCount() > 0) {
            return view.preemptions(0) == 0 && view.nowNanos() == 70 * SECOND
                    ? new Decision.Preempt(0)
                    : view.nowNanos() < 70 * SECOND ? Decision.waitUntil(70 * SECOND) : Decision.WAIT;
        }
        return view.waitingCount() > 0 ? new Decision.Start(0, Placement.of(small, 0)) : Decision.WAIT;
    }

    /** Of 100 s of work 70 s are done; a checkpoint every 30 s keeps 60 of them. */
    @ParameterizedTest
    @CsvSource({"0, 100, 0", "30, 110, 10", "200, 170, 70", "9223372036, 170, 70"})
    void a_preempted_job_goes_back_to_its_last_checkpoint(long everySeconds, long end, long lost) {
        long every = everySeconds > 1000 ? PreemptionRules.SAVES_NOTHING : everySeconds * SECOND;
        RunResult result = new Worlds()
                .job(1, 0, 100)
                .simulator(
                        small,
                        new Simulator.Options(RestartCost.FREE, true, null)
                                .with(PreemptionRules.FREE.savingEvery(every)))
                .run(this::preemptsOnce);

        JobOutcome job = result.jobs().get(0);
        assertThat(job.endNanos()).isEqualTo(end * SECOND);
        assertThat(job.onGpus().restartNanos()).isEqualTo(lost * SECOND);
        assertThat(job.preemptions()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "2, 2", "2147483647, 3"})
    void a_job_is_preempted_as_often_as_the_rules_allow_and_no_more(int most, int preemptions) {
        Simulator simulator = new Worlds()
                .job(1, 0, 100)
                .simulator(
                        small,
                        new Simulator.Options(RestartCost.FREE, true, null)
                                .with(new PreemptionRules(0, 10 * SECOND, 0, most)));
        simulator.advance();
        for (int start = 0; start < 3; start++) {
            simulator.apply(new Decision.Start(0, Placement.of(small, 0)));
            assertThat(simulator.view().mayPreempt(0)).as("just started").isFalse();
            simulator.apply(Decision.waitUntil((start + 1) * 10 * SECOND));
            simulator.advance();
            if (!simulator.view().mayPreempt(0)) {
                assertThatThrownBy(() -> simulator.preempt(0)).hasMessageContaining("cannot preempt job (0)");
                break;
            }
            simulator.apply(new Decision.Preempt(0));
        }

        assertThat(simulator.view().preemptions(0)).isEqualTo(preemptions);
        assertThat(simulator.view().preemptionRules().allowsAny()).isEqualTo(most > 0);
    }

    /** Refused at 10 s, the scheduler is asked again at 30 s; the fork between the two is told of the refusal. */
    @Test
    void a_refused_preemption_ends_the_turn_until_the_job_may_be_preempted_and_is_counted_in_forks() {
        Simulator simulator = new Worlds()
                .job(1, 0, 100)
                .job(1, 10, 5)
                .simulator(
                        small,
                        new Simulator.Options(RestartCost.FREE, true, null)
                                .with(new PreemptionRules(0, 30 * SECOND, 0, 1)));
        List<Long> asked = new ArrayList<>();
        Scheduler scheduler = view -> {
            asked.add(view.nowNanos() / SECOND);
            return view.runningCount() == 0
                    ? new Decision.Start(view.firstWaiting(), Placement.of(small, 0))
                    : view.arrived() > 1 && view.preemptions(0) == 0 ? new Decision.Preempt(0) : Decision.WAIT;
        };
        simulator.advance();
        simulator.decide(scheduler);
        simulator.advance();
        simulator.decide(scheduler);
        Simulator fork = simulator.fork();
        fork.run(scheduler);

        assertThat(asked).startsWith(0L, 0L, 10L, 30L, 30L, 30L);
        assertThat(simulator.refusedPreemptions()).isEqualTo(1);
        assertThat(fork.refusedPreemptions()).isEqualTo(1);
        assertThat(fork.outcome(0).preemptions()).isEqualTo(1);
    }
}
