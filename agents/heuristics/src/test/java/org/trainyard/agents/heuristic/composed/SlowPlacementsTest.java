package org.trainyard.agents.heuristic.composed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Interiors;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.Workload;

/**
 * A Minsky with four GPUs, linked in pairs. One GPU of each pair becomes free at 60, the others at 100. A job of two
 * GPUs that comes at 10 and runs for 50 s at its best is slower by a fifth on one GPU of each pair: 0.15 s in place of
 * 0.125 s.
 */
class SlowPlacementsTest {
    private static final Pressure NONE = new Pressure(0, 0, 0);
    private static final ModelProfile HEAVY = new ModelProfile("heavy", 0.1, 1e9, 1, NONE, NONE);

    private static JobSpec job(int id, int gpus, long seconds) {
        return new JobSpec(id, "job" + id, seconds * 1_000_000_000L, gpus, HEAVY, 1);
    }

    @ParameterizedTest
    @CsvSource({
        "tuned:fifo+best-fit, 60",
        "tuned:fifo+best-fit+gpus=widest, 60",
        "tuned:fifo+best-fit+gpus=widest+slow=1.1+hold=0.5, 60",
        "tuned:fifo+best-fit+gpus=widest+slow=1.1+hold=1.5, 85",
        "tuned:fifo+best-fit+gpus=widest+slow=1.1+hold=3, 100",
        "tuned:fifo+best-fit+gpus=widest+slow=1.3+hold=3, 60",
        "tuned:fifo+best-fit+gpus=widest+slow=1.1+delay=never, 100",
        "tuned:fifo+best-fit+gpus=widest+slow=1.1+hold=0.5+delay=never, 60",
        "tuned:fifo+sets+gpus=preserve+slow=1.1+hold=3, 100"
    })
    void a_job_waits_for_a_set_that_is_not_slow_as_long_as_it_is_held(String member, long start) {
        Topology topology = Topology.uniform(
                "minsky",
                Fabric.DEFAULT,
                1,
                1,
                new ServerSpec(GpuType.V100, 2, 4, true).with(Interiors.named("minsky")),
                1);
        List<JobSpec> jobs = List.of(job(0, 1, 0), job(1, 1, 0), job(2, 1, 0), job(3, 1, 0), job(4, 2, 10));
        Workload workload = new Workload(jobs, new double[] {100, 60, 100, 60, 50});
        Simulator simulator =
                new World(topology, new RatedPerformance(), new Simulator.Options(0, true)).simulator(workload);
        Scheduler scheduler = SchedulerRegistry.named(member).create(topology, InterferenceModel.NONE, 1);
        List<Long> starts = new ArrayList<>();
        while (simulator.advance()) {
            Decision next;
            do {
                next = scheduler.decide(simulator.view());
                if (next instanceof Decision.Start begun && begun.job() == 4) {
                    starts.add(simulator.view().nowNanos() / 1_000_000_000L);
                }
                simulator.apply(next);
            } while (!(next instanceof Decision.Wait));
        }
        assertThat(starts).containsExactly(start);
    }
}
