package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.RuntimePredictor;

/** The state of a live cluster under events, proposals and reports. */
class LiveClusterTest {
    private static final long SECOND = Worlds.SECOND;
    private static final Topology SMALL = Topologies.small();
    private static final Simulator.Options AUDITED = new Simulator.Options(30 * SECOND, true);

    private final List<Double> learned = new ArrayList<>();
    private final LiveCluster live =
            new LiveCluster(new World(SMALL, new RatedPerformance(), AUDITED).telling(told -> predictor()));
    private final SimView view = live.view();

    private RuntimePredictor predictor() {
        return new RuntimePredictor() {
            @Override
            public double predictSeconds(JobSpec job) {
                return 60;
            }

            @Override
            public void finished(JobSpec job, double idealSeconds) {
                learned.add(idealSeconds);
            }
        };
    }

    private static JobSpec job(int id, int gpus, long seconds) {
        JobSpec like = new Worlds().job(gpus, seconds, 1).workload().job(0);
        return named(id, like, null);
    }

    private static JobSpec named(int id, JobSpec like, @Nullable String tenant) {
        return new JobSpec(
                        id,
                        "job" + id,
                        like.submitNanos(),
                        like.demand(),
                        like.model(),
                        like.idealIterationsPerSecond())
                .by(null, null, tenant);
    }

    private static Placement gpus(int... gpus) {
        return Placement.of(SMALL, gpus);
    }

    @Test
    void progress_is_integrated_until_the_end_and_a_report_corrects_it() {
        live.arrive(job(0, 2, 0));
        live.start(0, gpus(0, 1));
        live.moveTo(10 * SECOND);

        assertThat(view.progressSeconds(0)).isEqualTo(10);

        live.report(0, 7);
        live.moveTo(15 * SECOND);

        assertThat(view.progressSeconds(0)).isEqualTo(12);

        live.finish(0);

        assertThat(view.state(0)).isEqualTo(JobState.DONE);
        assertThat(learned).containsExactly(12.0);
        assertThat(view.cluster().free()).isEqualTo(SMALL.gpus());
    }

    /** By its rates it would have done ten. */
    @ParameterizedTest
    @ValueSource(doubles = {9.5, 12.25})
    void the_iterations_of_an_ended_job_are_those_it_reports(double iterations) {
        live.arrive(job(0, 2, 0));
        live.start(0, gpus(0, 1));
        live.moveTo(10 * SECOND);
        live.finish(0, iterations);

        assertThat(learned).containsExactly(iterations);
        assertThat(view.progressSeconds(0)).isEqualTo(iterations);
    }

    /** What schedulers have read of the progress of jobs is out of date after a report, and only then. */
    @Test
    void a_report_corrects_the_past_and_counts_as_an_event() {
        live.arrive(job(0, 2, 0));
        live.start(0, gpus(0, 1));
        live.moveTo(10 * SECOND);
        assertThat(view.corrections()).isZero();
        assertThat(live.reports()).isEqualTo(2);
        live.report(0, 7);
        live.report(0, 8);

        assertThat(view.corrections()).isEqualTo(2);
        assertThat(live.reports()).isEqualTo(4);
    }

    @Test
    void a_job_that_ends_at_once_has_done_next_to_nothing() {
        live.arrive(job(0, 2, 0));
        live.start(0, gpus(0, 1));
        live.finish(0);

        assertThat(learned).hasSize(1).allSatisfy(seconds -> assertThat(seconds).isBetween(0.0, 1e-6));
    }

    @Test
    void proposals_leave_no_trace() {
        live.arrive(job(0, 4, 0));
        live.arrive(job(1, 4, 0), 5);
        live.start(0, gpus(0, 1, 2, 3));
        String before = describe();
        List<Decision> decided = List.of(
                new Decision.Preempt(0),
                new Decision.Start(1, gpus(0, 1, 2, 4)),
                new Decision.Start(0, gpus(8, 9, 10, 11)));
        List<String> seen = new ArrayList<>();
        ArrayList<Decision> script = new ArrayList<>(decided);
        Scheduler scheduler = asked -> {
            seen.add(describe());
            return script.isEmpty() ? Decision.WAIT : script.remove(0);
        };

        assertThat(live.propose(scheduler)).startsWith(decided.toArray(new Decision[0]));
        assertThat(seen).doesNotHaveDuplicates();
        assertThat(describe()).isEqualTo(before);
        assertThat(live.isAsProposed()).isFalse();

        live.preempt(0);
        live.moveTo(SECOND);
        live.start(1, gpus(0, 1, 2, 4));
        live.start(0, gpus(8, 9, 10, 11));

        assertThat(live.isAsProposed()).isTrue();
    }

    @Test
    void a_proposed_rejection_leaves_no_trace_and_is_carried_out_by_a_cancellation() {
        live.arrive(job(0, 4, 0));
        String before = describe();
        ArrayList<Decision> script = new ArrayList<>(List.of(new Decision.Reject(0)));

        assertThat(live.propose(asked -> script.isEmpty() ? Decision.WAIT : script.remove(0)))
                .startsWith(new Decision.Reject(0));
        assertThat(describe()).isEqualTo(before);
        assertThat(view.waitingCount()).isEqualTo(1);

        live.cancel(0);

        assertThat(live.isAsProposed()).isTrue();
        assertThat(view.waitingCount()).isZero();
    }

    @Test
    void a_start_on_other_gpus_is_not_as_proposed() {
        live.arrive(job(0, 1, 0));
        List<Decision> script = new ArrayList<>(List.of(new Decision.Start(0, gpus(3)), Decision.WAIT));
        live.propose(asked -> script.remove(0));
        live.start(0, gpus(4));

        assertThat(live.isAsProposed()).isFalse();
    }

    @Test
    void a_version_of_the_state_never_comes_back() {
        live.arrive(job(0, 4, 0));
        live.arrive(job(1, 4, 0));
        List<Decision> script = new ArrayList<>(List.of(new Decision.Start(0, gpus(0, 1, 2, 3)), Decision.WAIT));
        List<Long> versions = new ArrayList<>(List.of(view.version()));
        live.propose(asked -> {
            versions.add(view.version());
            return script.remove(0);
        });
        live.start(1, gpus(0, 1, 2, 3));

        // The first is asked for twice: before the proposals and by the scheduler, in the same state.
        assertThat(versions.subList(1, 3)).doesNotContain(view.version());
        assertThat(view.journalSize()).isEqualTo(3);
    }

    @Test
    void an_impossible_proposal_is_refused_and_leaves_no_trace() {
        live.arrive(job(0, 4, 0));
        String before = describe();

        assertThatThrownBy(() -> live.propose(asked -> new Decision.Start(0, gpus(0, 1))))
                .hasMessageContaining("it needs (4)");
        assertThatThrownBy(() -> live.propose(asked -> Decision.waitUntil(0))).hasMessageContaining("already");
        assertThat(describe()).isEqualTo(before);
    }

    @Test
    void a_refused_event_changes_nothing() {
        live.arrive(job(0, 4, 0));
        live.start(0, gpus(0, 1, 2, 3));
        live.breakDown(2);
        live.moveTo(SECOND);
        String before = describe();

        assertThatThrownBy(() -> live.moveTo(0)).hasMessageContaining("cannot go back");
        assertThatThrownBy(() -> live.arrive(job(1, 33, 1))).hasMessageContaining("(33)");
        assertThatThrownBy(() -> live.arrive(job(1, 1, 0))).hasMessageContaining("submitted at");
        assertThatThrownBy(() -> live.start(0, gpus(4))).hasMessageContaining("RUNNING");
        assertThatThrownBy(() -> live.finish(7)).hasMessageContaining("unknown");
        assertThatThrownBy(() -> live.finish(0, Double.NaN)).hasMessageContaining("NaN");
        assertThatThrownBy(() -> live.report(0, -1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> live.breakDown(2)).hasMessageContaining("in order");
        assertThatThrownBy(() -> live.repair(3)).hasMessageContaining("out of order");
        assertThatThrownBy(() -> live.repair(1000)).hasMessageContaining("1000");
        assertThatThrownBy(() -> live.cancel(0)).hasMessageContaining("RUNNING");
        assertThat(describe()).isEqualTo(before);
    }

    @Test
    void the_widest_job_the_last_unit_and_the_present_instant_are_allowed() {
        int last = SMALL.servers() + SMALL.gpus() - 1;
        live.moveTo(0);
        live.arrive(job(0, SMALL.gpus(), 0));
        live.breakDown(last);

        assertThat(view.waitingCount()).isEqualTo(1);
        assertThat(live.isDown(last)).isTrue();
        assertThat(live.isDown(last - 1)).isFalse();
        assertThatThrownBy(() -> live.breakDown(last + 1)).hasMessageContaining("must exist");
        assertThatThrownBy(() -> live.breakDown(-1)).hasMessageContaining("must exist");
        live.arrive(job(1, 1, 0), Double.MIN_VALUE);
        live.start(1, gpus(0));
        live.report(1, 0);
        live.finish(1, 0);
        assertThat(learned).hasSize(1);
        assertThatThrownBy(() -> live.arrive(job(2, 1, 0), 0)).hasMessageContaining("above zero");
    }

    /** Each event beside those that a scheduler proposed is a divergence and counts as one event. */
    @ParameterizedTest
    @ValueSource(strings = {"requeue", "breakDown", "repair", "finish", "cancel", "arrive"})
    void whatever_else_happens_is_not_as_proposed(String event) {
        live.arrive(job(0, 1, 0));
        live.arrive(job(1, 1, 0));
        live.arrive(job(2, 1, 0));
        live.start(0, gpus(0));
        live.breakDown(1);
        List<Decision> script = new ArrayList<>(List.of(new Decision.Start(1, gpus(8)), Decision.WAIT));
        live.propose(asked -> script.remove(0));
        assertThat(live.isAsProposed()).isFalse();
        assertThat(live.outstanding()).containsExactly(new Decision.Start(1, gpus(8)));
        long before = live.reports();

        switch (event) {
            case "requeue" -> live.requeue(0);
            case "breakDown" -> live.breakDown(2);
            case "repair" -> live.repair(1);
            case "finish" -> live.finish(0);
            case "cancel" -> live.cancel(2);
            default -> live.arrive(job(3, 1, 0));
        }

        assertThat(live.reports()).isEqualTo(before + 1);
        assertThat(live.outstanding()).isEmpty();
    }

    @Test
    void a_scheduler_that_never_waits_is_stopped() {
        live.arrive(job(0, 1, 0));
        List<Decision> turns = new ArrayList<>();

        assertThatThrownBy(() -> live.propose(asked -> {
                    turns.add(turns.size() % 2 == 0 ? new Decision.Start(0, gpus(0)) : new Decision.Preempt(0));
                    return turns.get(turns.size() - 1);
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(turns).hasSize(1000 + 10 + 1);
        assertThat(view.state(0)).isEqualTo(JobState.WAITING);
    }

    @Test
    void a_spoiled_state_is_noticed_at_the_next_event() {
        live.arrive(job(0, 1, 0));
        ((State) view).done++;

        assertThatThrownBy(() -> live.arrive(job(1, 1, 0))).hasMessageStartingWith("audit: done");
        assertThatThrownBy(() -> live.start(0, gpus(0))).hasMessageStartingWith("audit: done");
        assertThatThrownBy(() -> live.propose(asked -> Decision.WAIT)).hasMessageStartingWith("audit: done");
    }

    @Test
    void a_quota_holds_for_jobs_that_come_later() {
        LiveCluster limited =
                new LiveCluster(new World(SMALL, new RatedPerformance(), AUDITED.with(new Quotas(Map.of("vision", 4))))
                        .telling(told -> predictor()));
        for (int id = 0; id < 70; id++) {
            limited.arrive(named(id, job(id, 4, 0), "vision"));
        }
        limited.start(69, gpus(0, 1, 2, 3));

        assertThatThrownBy(() -> limited.start(68, gpus(4, 5, 6, 7))).hasMessageContaining("quota");
        assertThatThrownBy(() -> limited.arrive(named(70, job(70, 8, 0), "vision")))
                .isInstanceOf(InputException.class);
        assertThat(limited.view().arrived()).isEqualTo(70);
    }

    @Test
    void a_failed_server_kills_its_jobs_and_a_cancelled_job_leaves_the_queue() {
        live.arrive(job(0, 4, 0));
        live.arrive(job(1, 4, 0));
        live.start(0, gpus(0, 1, 2, 3));
        live.moveTo(SECOND);
        live.breakDown(0);

        assertThat(view.state(0)).isEqualTo(JobState.WAITING);
        assertThat(view.kills(0)).isEqualTo(1);
        assertThat(live.isDown(0)).isTrue();
        Demand withoutGpus = new Demand(0, 0, 0, 1000, 1, 0, true, List.of());
        assertThat(List.of(view.cluster().room(withoutGpus, 0), view.cluster().room(withoutGpus, 1)))
                .containsExactly(0, 1);

        live.cancel(1);

        assertThat(view.state(1)).isEqualTo(JobState.DONE);
        assertThat(view.waitingCount()).isEqualTo(1);
        assertThat(learned).isEmpty();

        live.repair(0);
        assertThat(view.cluster().room(withoutGpus, 0)).isEqualTo(1);
        live.start(0, gpus(0, 1, 2, 3));
        live.moveTo(100 * SECOND);
        live.requeue(0);

        assertThat(view.kills(0)).isEqualTo(2);
    }

    @Test
    void parts_of_gpus_come_back_after_proposals() {
        Demand half = Demand.ofGpus(1).withGpuMilli(500);
        Topology shared = SharedClusterTest.topology(GpuSharing.FRACTIONS);
        LiveCluster parts =
                new LiveCluster(new World(shared, new RatedPerformance(), AUDITED).telling(told -> predictor()));
        JobSpec like = new Worlds().job(half, null, 0, 1).workload().job(0);
        parts.arrive(named(0, like, null));
        parts.arrive(named(1, like, null));
        parts.start(0, Placement.of(shared, 0));
        List<Decision> script = new ArrayList<>(
                List.of(new Decision.Preempt(0), new Decision.Start(1, Placement.of(shared, 1)), Decision.WAIT));
        parts.propose(asked -> script.remove(0));

        assertThat(parts.view().cluster().freeMilli(0)).isEqualTo(500);
        assertThat(parts.view().cluster().freeMilli(1)).isEqualTo(1000);
        assertThat(parts.view().cluster().heldMilli()).isEqualTo(500);
    }

    /** All that a scheduler can see of jobs and servers. */
    private String describe() {
        StringBuilder text = new StringBuilder("%d %d".formatted(view.nowNanos(), view.journalSize()));
        for (int job = 0; job < view.arrived(); job++) {
            text.append("\n%s %s %s %s %d %d %d"
                    .formatted(
                            view.state(job),
                            view.state(job) == JobState.RUNNING ? view.placement(job) : "-",
                            view.progressSeconds(job),
                            view.predictedSeconds(job),
                            view.queuedSinceNanos(job),
                            view.firstStartNanos(job),
                            view.preemptions(job)));
        }
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            text.append(" waits ").append(job);
        }
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            text.append(" runs ").append(job);
        }
        for (int gpu = 0; gpu < SMALL.gpus(); gpu++) {
            text.append(' ').append(view.cluster().owner(gpu));
        }
        return text.toString();
    }

    /**
     * A job on two servers keeps its slowdown on each; a proposal gives that memory to another job only for the time
     * being.
     */
    @Test
    void a_proposal_that_preempts_a_job_on_two_servers_leaves_all_slowdowns_as_they_were() {
        LiveCluster proposing = slowed();
        LiveCluster calm = slowed();
        List<Decision> script =
                new ArrayList<>(List.of(new Decision.Preempt(0), new Decision.Start(3, gpus(0)), Decision.WAIT));
        proposing.propose(asked -> script.remove(0));

        for (LiveCluster each : List.of(proposing, calm)) {
            // Another on two servers; then only one server of the first changes.
            each.start(4, gpus(11, 12));
            each.moveTo(2 * SECOND);
            each.preempt(1);
            each.moveTo(3 * SECOND);
        }

        assertThat(calm.view().slowdown(0)).isGreaterThan(1);
        for (int job : new int[] {0, 2, 4}) {
            assertThat(proposing.view().slowdown(job)).isEqualTo(calm.view().slowdown(job));
        }
    }

    /** Jobs beside each other, the first on two servers. */
    private LiveCluster slowed() {
        LiveCluster cluster =
                new LiveCluster(new World(SMALL, new RingPerformance(SMALL, AnalyticInterference.DEFAULT), AUDITED)
                        .telling(told -> predictor()));
        int[] sizes = {5, 2, 2, 1, 2};
        for (int job = 0; job < sizes.length; job++) {
            cluster.arrive(job(job, sizes[job], 0));
        }
        cluster.start(0, gpus(0, 1, 4, 5, 6));
        cluster.start(1, gpus(7, 8));
        cluster.start(2, gpus(2, 3));
        cluster.moveTo(SECOND);
        return cluster;
    }
}
