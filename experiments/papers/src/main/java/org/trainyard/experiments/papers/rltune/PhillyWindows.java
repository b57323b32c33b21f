package org.trainyard.experiments.papers.rltune;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.interference.runtime.HistoryRuntimePredictor;

/**
 * Windows of 256 jobs of Philly, one after another as they were submitted, each on an empty cluster. Drawn are those in
 * which jobs wait ten minutes or more in the mean where the first goes first; in most others no order decides anything.
 */
final class PhillyWindows {
    static final String TRACE = "philly/philly_pass.csv.gz";
    private static final int JOBS = 256;
    private static final double LEAST_WAIT_SECONDS = 600;

    /**
     * A window with its jobs.
     *
     * @param fcfs the run where the first goes first
     * @param predicted run times as predicted when it begins
     */
    record Window(Workload workload, RunResult fcfs, RuntimePredictor predicted) {
        RuntimePredictor told(boolean isPredicted) {
            return isPredicted ? predicted : RuntimePredictor.oracle(workload);
        }
    }

    private final World world = World.rated(FewestNodes.topology(), Simulator.Options.DEFAULT, 1);
    private final List<TraceJob> jobs;
    private final Workload all;
    /** Jobs in the order in which they would end if none had waited. */
    private final int[] byEnd;

    PhillyWindows(Path data) {
        jobs = TraceReader.read(data.resolve(TRACE), TraceReader.Options.DEFAULT).jobs().stream()
                .sorted(Comparator.comparingLong(TraceJob::submitNanos))
                .map(PhillyWindows::ofVirtualCluster)
                .toList();
        all = workload(jobs);
        byEnd = IntStream.range(0, jobs.size())
                .boxed()
                .sorted(Comparator.comparingLong(this::endNanos))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** The trace names no user; predictions go by its virtual cluster instead. */
    private static TraceJob ofVirtualCluster(TraceJob job) {
        return new TraceJob(
                job.id(),
                job.submitNanos(),
                job.demand(),
                job.durationNanos(),
                null,
                job.virtualCluster(),
                null,
                job.virtualCluster());
    }

    private long endNanos(int job) {
        return jobs.get(job).submitNanos() + jobs.get(job).durationNanos();
    }

    private Workload workload(List<TraceJob> of) {
        return world.build(of, WorkloadBuilder.Models.MIX, true).workload();
    }

    int size() {
        return jobs.size();
    }

    /** Draws windows within a part of the trace. */
    List<Window> draw(long seed, String purpose, int count, int from, int end) {
        RandomGenerator random = RandomStreams.stream(seed, purpose);
        List<Window> drawn = new ArrayList<>();
        while (drawn.size() < count) {
            int first = random.nextInt(from, end - JOBS);
            Workload workload = workload(jobs.subList(first, first + JOBS));
            RunResult fcfs = run(workload, RuntimePredictor.oracle(workload), new OneByOne(Priority.fcfs(), true));
            if (waitSeconds(fcfs) >= LEAST_WAIT_SECONDS) {
                drawn.add(new Window(workload, fcfs, predictions(first, workload)));
            }
        }
        return drawn;
    }

    static double waitSeconds(RunResult run) {
        return run.jobs().stream()
                .mapToDouble(job -> job.queueingNanos() / 1e9)
                .average()
                .orElse(0);
    }

    /** Predictions of the run times of a window's jobs from the jobs that had ended before it began. */
    private RuntimePredictor predictions(int first, Workload window) {
        HistoryRuntimePredictor history = new HistoryRuntimePredictor();
        long now = jobs.get(first).submitNanos();
        for (int job : byEnd) {
            if (endNanos(job) > now) {
                break;
            }
            history.finished(all.job(job), jobs.get(job).durationNanos() / 1e9);
        }
        double[] seconds = IntStream.range(0, JOBS)
                .mapToDouble(job -> history.predictSeconds(window.job(job)))
                .toArray();
        return new RuntimePredictor() {
            @Override
            public double predictSeconds(JobSpec job) {
                return seconds[job.id()];
            }

            @Override
            public void finished(JobSpec job, double idealSeconds) {}
        };
    }

    RunResult run(Window window, boolean isPredicted, Scheduler scheduler) {
        return run(window.workload(), window.told(isPredicted), scheduler);
    }

    private RunResult run(Workload window, RuntimePredictor told, Scheduler scheduler) {
        return world.telling(jobs -> told).simulator(window).run(scheduler);
    }

    Topology topology() {
        return world.topology();
    }
}
