package org.trainyard.env.scheduling.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Outage;
import org.trainyard.env.simulation.Outages;
import org.trainyard.env.simulation.Quotas;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;

class WaitingJobsTest {
    private static final Topology SIX = Topologies.parse("1x6");
    /** The free GPUs of lowest numbers; none where fewer are free. */
    private static final Placer LOWEST = (view, job) -> {
        int[] free = IntStream.range(0, 6)
                .filter(gpu -> view.cluster().owner(gpu) == Cluster.FREE)
                .limit(job.gpus())
                .toArray();
        return free.length < job.gpus() ? null : Placement.of(SIX, free);
    };

    private final double[] ranks = new double[64];
    private final double[] ties = new double[64];
    private final WaitingJobs queue = new WaitingJobs((view, job) -> ranks[job], (view, job) -> ties[job]);

    /** Jobs that are all there at once, each given as its GPUs and its tenant; some tenants have a quota. */
    private static Simulator simulator(Map<String, Integer> quotas, String... jobs) {
        TimedJobs timed = TimedJobs.list();
        for (String job : jobs) {
            timed.job(Integer.parseInt(job.split(" ", -1)[0]), 0, 100);
        }
        Workload plain = timed.workload();
        List<JobSpec> specs = new ArrayList<>();
        double[] work = new double[jobs.length];
        for (int job = 0; job < jobs.length; job++) {
            specs.add(plain.job(job).by(null, null, jobs[job].split(" ", -1)[1]));
            work[job] = plain.trueIterations(job);
        }
        Simulator simulator = new World(
                        SIX, new RatedPerformance(), new Simulator.Options(0, true).with(new Quotas(quotas)))
                .simulator(new Workload(specs, work));
        simulator.advance();
        return simulator;
    }

    private static Decision.Start start(int job, int... gpus) {
        return new Decision.Start(job, Placement.of(SIX, gpus));
    }

    /** The order in which the queue hands out its jobs, each passed over in turn. */
    private List<Integer> order(SimView view) {
        queue.update(view);
        List<Integer> order = new ArrayList<>();
        for (int job = queue.first(); job != SimView.NONE; job = queue.first()) {
            order.add(job);
            queue.passOver(view, job);
        }
        queue.update(view);
        return order;
    }

    @Test
    void jobs_go_by_rank_then_by_tie_then_by_submission_over_all_sizes() {
        Simulator simulator = simulator(Map.of(), "4 a", "1 a", "2 a", "1 a", "4 a");
        System.arraycopy(new double[] {2, 1, 1, 1, 2}, 0, ranks, 0, 5);
        System.arraycopy(new double[] {5, 3, 2, 2, 4}, 0, ties, 0, 5);

        assertThat(order(simulator.view())).containsExactly(2, 3, 1, 4, 0);
        assertThat(queue.first(1)).isEqualTo(3);
        assertThat(queue.first(0)).isEqualTo(SimView.NONE);
        assertThat(queue.rank(4)).isEqualTo(2);

        simulator.apply(start(2, 0, 1));
        simulator.apply(new Decision.Reject(3));
        assertThat(order(simulator.view())).containsExactly(1, 4, 0);
        simulator.apply(new Decision.Preempt(2));
        ranks[2] = 3;
        assertThat(order(simulator.view())).as("at its new rank").containsExactly(1, 4, 0, 2);
    }

    @Test
    void a_job_that_an_outage_stopped_waits_again_at_its_rank() {
        Outage outage = new Outage(50_000_000_000L, 60_000_000_000L);
        int gpu0 = SIX.servers();
        Outages outages = new Outages.Recorded(List.of(new Outages.Recorded.Entry(gpu0, outage)));
        Simulator simulator = new World(SIX, new RatedPerformance(), new Simulator.Options(0, true).with(outages, 0))
                .simulator(TimedJobs.list()
                        .job(1, 0, 100)
                        .job(1, 0, 100)
                        .job(6, 0, 100)
                        .workload());
        ranks[0] = 1;
        simulator.advance();
        simulator.apply(start(0, 0));
        simulator.apply(start(1, 1));
        assertThat(order(simulator.view())).containsExactly(2);

        simulator.apply(Decision.WAIT);
        simulator.advance();

        assertThat(simulator.view().nowNanos()).isEqualTo(50_000_000_000L);
        assertThat(order(simulator.view())).containsExactly(2, 0);
        assertThat(queue.first(1)).isZero();
        simulator.apply(start(0, 2));
        assertThat(order(simulator.view())).containsExactly(2);
    }

    @Test
    void only_members_are_in_a_queue_of_some() {
        Simulator simulator = simulator(Map.of(), "1 a", "1 b", "1 a", "1 b");
        WaitingJobs ofB =
                WaitingJobs.of((view, job) -> "b".equals(view.job(job).virtualCluster()), (view, job) -> -job);
        simulator.apply(start(0, 0));
        ofB.update(simulator.view());

        assertThat(ofB.first()).isEqualTo(3);
        simulator.apply(start(3, 1));
        ofB.update(simulator.view());
        assertThat(ofB.first()).isEqualTo(1);
    }
}
