package org.trainyard.agents.heuristic.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.registry.ReferenceSettings;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.Workload;

/** Jobs given in whole seconds, for schedules worked out by hand. */
public final class TimedJobs {
    public static final long SECOND = 1_000_000_000L;
    private static final Pressure NONE = new Pressure(0, 0, 0);
    private static final ModelProfile MODEL = new ModelProfile("model", 1, 0, 1, NONE, NONE);

    private final List<JobSpec> specs = new ArrayList<>();
    private final List<Double> iterations = new ArrayList<>();
    private final double rate;

    private TimedJobs(double rate) {
        this.rate = rate;
    }

    public static TimedJobs list() {
        return new TimedJobs(1);
    }

    /** Jobs that make so many iterations per second. */
    public static TimedJobs atRate(double rate) {
        return new TimedJobs(rate);
    }

    /** The six jobs of the table in the known answers. */
    public static TimedJobs tiny() {
        return list().job(8, 0, 100)
                .job(4, 10, 50)
                .job(4, 20, 300)
                .job(8, 30, 20)
                .job(2, 40, 10)
                .job(6, 40, 10);
    }

    public TimedJobs job(int gpus, long submitSeconds, long seconds) {
        return job("job" + specs.size(), gpus, submitSeconds, seconds);
    }

    /** Gives the last job a time limit. */
    public TimedJobs limited(long seconds) {
        return saying(terms -> terms.limitNanos(seconds * SECOND));
    }

    /** Gives the last job other terms. */
    public TimedJobs saying(UnaryOperator<SubmissionTerms.Builder> terms) {
        JobSpec last = specs.remove(specs.size() - 1);
        specs.add(last.saying(terms.apply(last.terms().but()).build()));
        return this;
    }

    /** Gives the last job a user and a virtual cluster. */
    public TimedJobs by(String user, @Nullable String virtualCluster) {
        specs.add(specs.remove(specs.size() - 1).by(user, null, virtualCluster));
        return this;
    }

    /** Attaches a value to the last job. */
    public <T> TimedJobs attaching(Class<T> type, T value) {
        JobSpec last = specs.remove(specs.size() - 1);
        specs.add(last.attaching(type, value));
        return this;
    }

    public TimedJobs job(String name, int gpus, long submitSeconds, long seconds) {
        return jobOfNanos(name, gpus, submitSeconds * SECOND, seconds * SECOND);
    }

    public TimedJobs jobOfNanos(String name, int gpus, long submitNanos, long nanos) {
        return job(MODEL, name, Demand.ofGpus(gpus), submitNanos, nanos);
    }

    public TimedJobs job(ModelProfile model, int gpus, long submitSeconds, long seconds) {
        return job(model, Demand.ofGpus(gpus), submitSeconds, seconds);
    }

    public TimedJobs job(Demand demand, long submitSeconds, long seconds) {
        return job(MODEL, demand, submitSeconds, seconds);
    }

    public TimedJobs job(ModelProfile model, Demand demand, long submitSeconds, long seconds) {
        return job(model, "job" + specs.size(), demand, submitSeconds * SECOND, seconds * SECOND);
    }

    private TimedJobs job(ModelProfile model, String name, Demand demand, long submitNanos, long nanos) {
        TrainingPlan plan = TrainingPlan.RingAllReduce.INSTANCE;
        specs.add(new JobSpec(specs.size(), name, submitNanos, demand, model, plan, rate));
        iterations.add(nanos / 1e9 * rate);
        return this;
    }

    public Workload workload() {
        return new Workload(specs, iterations.stream().mapToDouble(i -> i).toArray());
    }

    /** Runs in a world of ideal rates where run times are known and a restart costs so much. */
    public RunResult run(Topology topology, String scheduler, long restartSeconds) {
        return run(topology, SchedulerRegistry.named(scheduler).create(topology, 1), restartSeconds);
    }

    public RunResult run(Topology topology, Scheduler scheduler, long restartSeconds) {
        return run(topology, workload(), scheduler, RestartCost.ofNanos(restartSeconds * SECOND));
    }

    /** Runs a preset in the world of the simulator it replays, as it takes a trace of the format. */
    public RunResult replay(Topology topology, String preset, String format) {
        SchedulerRegistry.Entry entry = SchedulerRegistry.named(preset);
        ReferenceSettings world = Objects.requireNonNull(entry.reference());
        double[] work = new double[specs.size()];
        for (int job = 0; job < work.length; job++) {
            long nanos = Math.round(iterations.get(job) / rate * SECOND);
            work[job] = world.runTimes().nanos(format, nanos) / 1e9 * rate;
        }
        return run(topology, new Workload(specs, work), entry.create(topology, 1), world.restart());
    }

    public RunResult replay(Topology topology, String preset) {
        return replay(topology, preset, "trainyard");
    }

    /** As {@link #run}, to be driven by the caller; restarts are free. */
    public Simulator simulator(Topology topology) {
        Workload workload = workload();
        return new World(topology, new RatedPerformance(), new Simulator.Options(0, true)).simulator(workload);
    }

    private RunResult run(Topology topology, Workload workload, Scheduler scheduler, RestartCost restart) {
        Simulator.Options options = new Simulator.Options(restart, specs.size() < 100, null);
        return new World(topology, new RatedPerformance(), options)
                .simulator(workload)
                .run(scheduler);
    }

    public static List<Long> endSeconds(RunResult result) {
        return result.jobs().stream().map(job -> wholeSeconds(job.endNanos())).toList();
    }

    public static long wholeSeconds(long nanos) {
        if (nanos % SECOND != 0) {
            throw new AssertionError("%d ns is not a whole second".formatted(nanos));
        }
        return nanos / SECOND;
    }
}
