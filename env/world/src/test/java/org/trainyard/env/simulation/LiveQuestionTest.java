package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.RuntimePredictor;

/** Questions about a later time, and proposals that end early. */
class LiveQuestionTest {
    private static final long SECOND = Worlds.SECOND;
    private static final Topology SMALL = Topologies.small();
    private static final RuntimePredictor MINUTE = new RuntimePredictor() {
        @Override
        public double predictSeconds(JobSpec job) {
            return 60;
        }

        @Override
        public void finished(JobSpec job, double idealSeconds) {}
    };

    private static LiveCluster cluster() {
        return new LiveCluster(new World(
                        SMALL,
                        new RingPerformance(SMALL, new AnalyticInterference(0.6, 1, 0.8, 1)),
                        new Simulator.Options(30 * SECOND, true))
                .telling(told -> MINUTE));
    }

    private static JobSpec job(int id, long now) {
        JobSpec like = new Worlds().job(2, now, 1).workload().job(0);
        return new JobSpec(
                id, "job" + id, now, like.demand(), like.model(), like.plan(), like.idealIterationsPerSecond());
    }

    private static List<Double> live(LiveCluster live, Runnable question) {
        live.arrive(job(0, 0));
        live.arrive(job(1, 0));
        question.run();
        live.start(0, Placement.of(SMALL, 0, 8));
        question.run();
        live.start(1, Placement.of(SMALL, 1, 9));
        question.run();
        live.preempt(1);
        question.run();
        live.moveTo(7 * SECOND / 3);
        live.start(1, Placement.of(SMALL, 2, 10));
        question.run();
        live.moveTo(50 * SECOND);
        return List.of(
                live.view().progressSeconds(0),
                live.view().progressSeconds(1),
                live.view().slowdown(0),
                (double) live.view().queuedSinceNanos(1));
    }

    /** A proposal touches all servers anew, a reading none. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_question_about_a_later_time_leaves_every_figure_as_it_was_to_the_bit(boolean proposes) {
        LiveCluster asked = cluster();
        List<Long> times = new ArrayList<>();
        List<Double> figures = live(
                asked,
                () -> times.add(asked.asOf(Long.MAX_VALUE / 2, () -> {
                    if (proposes) {
                        asked.propose(view ->
                                view.runningCount() > 0 ? new Decision.Preempt(view.firstRunning()) : Decision.WAIT);
                    }
                    return asked.view().nowNanos();
                })));

        assertThat(figures).isEqualTo(live(cluster(), () -> {}));
        assertThat(figures.get(2)).isGreaterThan(1);
        assertThat(times).hasSize(5).containsOnly(Long.MAX_VALUE / 2);
        assertThatThrownBy(() -> asked.asOf(SECOND, () -> 0)).hasMessageContaining("back");
    }

    @Test
    void a_proposal_ends_where_it_is_stopped_but_never_behind_a_preemption() {
        LiveCluster live = cluster();
        live.arrive(job(0, 0));
        live.arrive(job(1, 0));
        live.start(0, Placement.of(SMALL, 0, 1));
        List<Decision> script = List.of(
                new Decision.Preempt(0),
                new Decision.Start(1, Placement.of(SMALL, 0, 1)),
                new Decision.Start(0, Placement.of(SMALL, 2, 3)),
                Decision.WAIT);
        ArrayList<Decision> left = new ArrayList<>(script);
        LiveScheduler scheduler = new LiveScheduler(live, () -> view -> left.remove(0));

        assertThat(scheduler.propose(made -> true))
                .containsExactly(script.get(0), script.get(1), Decision.waitUntil(1));
        assertThat(scheduler.isComplete()).isFalse();
        assertThat(scheduler.isKept()).isFalse();
        assertThat(live.view().state(0)).isEqualTo(JobState.RUNNING);

        live.preempt(0);
        live.start(1, Placement.of(SMALL, 0, 1));

        assertThat(scheduler.propose()).containsExactly(script.get(2), script.get(3));
        assertThat(scheduler.isComplete()).isTrue();
        assertThat(scheduler.turn()).isEqualTo(LiveScheduler.Turn.FIRST);
    }

    /** Limits of two running jobs that proposals stop and start, in either direction. */
    @Test
    void a_proposal_leaves_limits_as_they_were_held() {
        HeldLimits two = new HeldLimits() {
            private int running;

            @Override
            public boolean allows(JobSpec job) {
                return running < 2;
            }

            @Override
            public void hold(JobSpec job, int sign) {
                running += sign;
            }

            @Override
            public Object group(JobSpec job) {
                return "all";
            }
        };
        LiveCluster live = new LiveCluster(new World(
                        SMALL,
                        new RingPerformance(SMALL, AnalyticInterference.DEFAULT),
                        new Simulator.Options(30 * SECOND, true).with(new Quotas(Map.of(), () -> two)))
                .telling(told -> MINUTE));
        List.of(0, 1, 2).forEach(id -> live.arrive(job(id, 0)));
        live.start(0, Placement.of(SMALL, 0, 1));
        List<List<Decision>> scripts = List.of(
                List.of(new Decision.Start(1, Placement.of(SMALL, 2, 3)), Decision.WAIT),
                List.of(new Decision.Preempt(0), Decision.WAIT));
        for (List<Decision> script : scripts) {
            ArrayList<Decision> left = new ArrayList<>(script);
            new LiveScheduler(live, () -> view -> left.remove(0)).propose();

            assertThat(live.view().isWithinQuota(2, 2)).as("one runs").isTrue();
        }

        live.start(1, Placement.of(SMALL, 2, 3));
        assertThat(live.view().isWithinQuota(2, 2)).as("two run").isFalse();
        live.preempt(0);
        live.preempt(1);
        live.start(2, Placement.of(SMALL, 0, 1));
        assertThat(live.view().isWithinQuota(0, 2)).as("one runs again").isTrue();
    }

    @Test
    void a_question_about_an_earlier_time_than_the_last_is_for_a_new_scheduler() {
        LiveCluster live = cluster();
        LiveScheduler scheduler = new LiveScheduler(live, () -> view -> Decision.WAIT);
        live.asOf(SECOND, scheduler::propose);
        live.asOf(2 * SECOND, scheduler::propose);
        assertThat(scheduler.renewals()).isZero();

        live.asOf(SECOND, scheduler::propose);

        assertThat(scheduler.renewals()).isOne();
    }
}
