package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.RuntimePredictor;

/** Schedulers that start the first waiting job on GPU 0, and wait while one runs. */
class LiveSchedulerTest {
    private static final Topology SMALL = Topologies.small();
    private static final Decision START = new Decision.Start(0, Placement.of(SMALL, 0));

    private final LiveCluster live =
            new LiveCluster(new World(SMALL, new RatedPerformance(), new Simulator.Options(0, true))
                    .telling(told -> new RuntimePredictor() {
                        @Override
                        public double predictSeconds(JobSpec job) {
                            return 60;
                        }

                        @Override
                        public void finished(JobSpec job, double idealSeconds) {}
                    }));
    private final List<String> asked = new ArrayList<>();
    private int made;
    private boolean fails;
    private boolean isBetweenPlans;

    private final class FirstOnGpuZero implements Scheduler {
        private final int number = made++;

        @Override
        public Decision decide(SimView view) {
            asked.add(number + " at " + view.nowNanos());
            if (fails) {
                throw new IllegalStateException("no idea");
            }
            int job = view.firstWaiting();
            return job == SimView.NONE || view.runningCount() > 0
                    ? Decision.WAIT
                    : new Decision.Start(job, Placement.of(SMALL, 0));
        }

        @Override
        public boolean isBetweenPlans() {
            return isBetweenPlans;
        }
    }

    private final LiveScheduler scheduler = new LiveScheduler(live, FirstOnGpuZero::new);

    private void arrive(int id) {
        JobSpec like = new Worlds().job(1, 0, 1).workload().job(0);
        live.arrive(new JobSpec(
                id, "job" + id, 0, like.demand(), like.model(), like.plan(), like.idealIterationsPerSecond()));
    }

    @Test
    void a_question_without_an_event_since_the_last_is_answered_again_without_asking() {
        arrive(0);
        List<Decision> first = scheduler.propose();
        assertThat(first).containsExactly(START, Decision.WAIT);
        assertThat(scheduler.turn()).isEqualTo(LiveScheduler.Turn.FIRST);

        assertThat(scheduler.propose()).isSameAs(first);
        assertThat(scheduler.turn()).isEqualTo(LiveScheduler.Turn.REPEATED);
        assertThat(asked).containsExactly("0 at 0", "0 at 0");
        live.moveTo(1);
        assertThat(scheduler.propose()).as("its start was not heard").isEqualTo(first);
        assertThat(scheduler.turn()).isEqualTo(LiveScheduler.Turn.FIRST);
        assertThat(scheduler.renewals()).isOne();
    }

    @Test
    void a_scheduler_whose_decisions_are_carried_out_goes_on_and_another_takes_over_otherwise() {
        arrive(0);
        arrive(1);
        scheduler.propose();
        assertThat(scheduler.outstanding()).containsExactly(START);
        assertThat(scheduler.isKept()).isTrue();
        live.start(0, Placement.of(SMALL, 0));
        assertThat(scheduler.outstanding()).isEmpty();

        assertThat(scheduler.propose()).containsExactly(Decision.WAIT);
        assertThat(scheduler.turn()).isEqualTo(LiveScheduler.Turn.NEXT);
        assertThat(scheduler.renewals()).isZero();
        live.moveTo(5);
        live.finish(0);
        assertThat(scheduler.propose()).hasSize(2);
        assertThat(scheduler.turn()).isEqualTo(LiveScheduler.Turn.NEXT);
        live.start(1, Placement.of(SMALL, 1));
        assertThat(scheduler.outstanding()).isEmpty();
        assertThat(scheduler.propose()).containsExactly(Decision.WAIT);
        assertThat(scheduler.turn()).isEqualTo(LiveScheduler.Turn.FIRST);
        assertThat(scheduler.renewals()).isOne();
        assertThat(asked).endsWith("1 at 5");
    }

    @Test
    void a_new_scheduler_takes_over_at_the_next_question_once_it_is_told_to() {
        arrive(0);
        scheduler.renew();
        assertThat(scheduler.renewals()).as("there was none").isZero();
        scheduler.propose();
        scheduler.renew();
        scheduler.renew();
        assertThat(scheduler.renewals()).isOne();
        assertThat(scheduler.isKept()).isFalse();

        assertThat(scheduler.propose()).containsExactly(START, Decision.WAIT);
        assertThat(scheduler.turn()).isEqualTo(LiveScheduler.Turn.FIRST);
        assertThat(asked).containsExactly("0 at 0", "0 at 0", "1 at 0", "1 at 0");
    }

    @Test
    void a_scheduler_that_fails_is_not_asked_again() {
        arrive(0);
        scheduler.propose();
        live.start(0, Placement.of(SMALL, 0));
        fails = true;
        assertThatThrownBy(scheduler::propose).hasMessage("no idea");
        assertThat(scheduler.isKept()).isFalse();

        fails = false;
        assertThat(scheduler.propose()).containsExactly(Decision.WAIT);
        assertThat(scheduler.turn()).isEqualTo(LiveScheduler.Turn.FIRST);
        assertThat(asked).endsWith("0 at 0", "1 at 0");
    }

    @Test
    void a_stopped_scheduler_is_kept_where_it_is_between_plans() {
        isBetweenPlans = true;
        arrive(0);
        arrive(1);
        List<List<Decision>> told = new ArrayList<>();
        List<Decision> proposed = scheduler.propose(soFar -> {
            told.add(List.copyOf(soFar));
            return true;
        });

        assertThat(proposed).containsExactly(START, Decision.waitUntil(1));
        assertThat(told).containsExactly(List.of(START));
        assertThat(scheduler.isComplete()).isFalse();
        assertThat(scheduler.isKept()).isTrue();
        assertThat(scheduler.renewals()).isZero();
        live.start(0, Placement.of(SMALL, 0));
        assertThat(scheduler.propose()).containsExactly(Decision.WAIT);
        assertThat(scheduler.turn()).isEqualTo(LiveScheduler.Turn.NEXT);
        assertThat(scheduler.isComplete()).isTrue();
    }

    @Test
    void a_stopped_scheduler_amid_its_plan_is_renewed() {
        arrive(0);
        scheduler.propose(soFar -> true);

        assertThat(scheduler.isKept()).isFalse();
        assertThat(scheduler.renewals()).isOne();
    }
}
