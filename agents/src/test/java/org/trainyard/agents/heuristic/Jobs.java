package org.trainyard.agents.heuristic;

import java.util.ArrayList;
import java.util.List;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.Workload;

/** Jobs given in whole seconds, for schedules worked out by hand. */
final class Jobs {
    static final long SECOND = 1_000_000_000L;
    private static final Pressure NONE = new Pressure(0, 0, 0);
    private static final ModelProfile MODEL = new ModelProfile("model", 1, 0, 1, NONE, NONE);

    private final List<JobSpec> specs = new ArrayList<>();
    private final List<Double> iterations = new ArrayList<>();
    private final double rate;

    private Jobs(double rate) {
        this.rate = rate;
    }

    static Jobs list() {
        return new Jobs(1);
    }

    /** Jobs that make so many iterations per second. */
    static Jobs atRate(double rate) {
        return new Jobs(rate);
    }

    /** The six jobs of the table in the known answers. */
    static Jobs tiny() {
        return list().job(8, 0, 100)
                .job(4, 10, 50)
                .job(4, 20, 300)
                .job(8, 30, 20)
                .job(2, 40, 10)
                .job(6, 40, 10);
    }

    Jobs job(int gpus, long submitSeconds, long seconds) {
        return job("job" + specs.size(), gpus, submitSeconds, seconds);
    }

    Jobs job(String name, int gpus, long submitSeconds, long seconds) {
        specs.add(new JobSpec(
                specs.size(),
                name,
                submitSeconds * SECOND,
                gpus,
                MODEL,
                TrainingPlan.RingAllReduce.INSTANCE,
                rate,
                null,
                null,
                null));
        iterations.add(seconds * rate);
        return this;
    }

    Workload workload() {
        return new Workload(specs, iterations.stream().mapToDouble(i -> i).toArray());
    }

    /** Runs in a world of ideal rates where run times are known and a restart costs so much. */
    RunResult run(Topology topology, String scheduler, long restartSeconds) {
        return run(topology, SchedulerCatalog.named(scheduler).create(topology, 1), restartSeconds);
    }

    RunResult run(Topology topology, org.trainyard.env.simulation.Scheduler scheduler, long restartSeconds) {
        Workload workload = workload();
        Simulator.Options options = new Simulator.Options(restartSeconds * SECOND, specs.size() < 100);
        return new Simulator(topology, workload, new RatedPerformance(), RuntimePredictor.oracle(workload), options)
                .run(scheduler);
    }

    static List<Long> endSeconds(RunResult result) {
        return result.jobs().stream().map(job -> wholeSeconds(job.endNanos())).toList();
    }

    static long wholeSeconds(long nanos) {
        if (nanos % SECOND != 0) {
            throw new AssertionError("%d ns is not a whole second".formatted(nanos));
        }
        return nanos / SECOND;
    }
}
