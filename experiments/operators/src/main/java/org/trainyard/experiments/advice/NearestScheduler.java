package org.trainyard.experiments.advice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.MaintenanceWindow;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.simulation.FreeWait;
import org.trainyard.experiments.simulation.LogAccount;
import org.trainyard.experiments.simulation.LoggedCluster;

/**
 * The scheduler under which a cluster is simulated forward: one that was named, or that whose replay comes nearest to
 * the past of a log.
 *
 * @param isTold whether it knows run times
 * @param distance of its waits from those of the past, a mean of logarithms; NaN for one that was named
 * @param fresh makes a new one for each run
 */
public record NearestScheduler(String name, boolean isTold, double distance, Supplier<Scheduler> fresh) {
    /** The last jobs of a log tell enough. */
    private static final int MOST = 5000;

    private static final double LIMIT_SECONDS = 10;
    private static final double RESTART_SECONDS = 30;

    public static NearestScheduler named(String place, String name, Topology topology, long seed) {
        SchedulerRegistry.Entry entry = Schedulers.named(place, name);
        if (entry.replaysTrace()) {
            throw InputException.at(place, name, "a scheduler that does not replay a published simulator");
        }
        entry.create(topology, seed);
        return new NearestScheduler(name, false, Double.NaN, () -> entry.create(topology, seed));
    }

    /**
     * The nearest of those that take no GPUs from running jobs, and of another.
     *
     * @param jobs of a log, in order of submission; some of them with a past
     * @param also name of a further scheduler to try, or null
     * @param windows planned maintenance
     */
    public static NearestScheduler of(
            Topology topology, List<TraceJob> jobs, @Nullable String also, List<MaintenanceWindow> windows, long seed) {
        try (ThreadWorkerPool workers = new ThreadWorkerPool()) {
            SlurmFiles files = also == null || !LoggedCluster.isSlurmOfFiles(also)
                    ? null
                    : SlurmFiles.read(also.substring(also.indexOf(':') + 1));
            World world = new LoggedCluster(topology, files)
                    .limited(LogReplays.world(topology, InterferenceModel.NONE, seed))
                    .maintained(windows);
            LogReplays replays =
                    new LogReplays(world, workers, new LogReplays.Limits(null, LIMIT_SECONDS, RESTART_SECONDS), null);
            List<TraceJob> last = replays.fitting(jobs.subList(Math.max(0, jobs.size() - MOST), jobs.size()));
            if (also != null) {
                Scheduler own = Schedulers.named("--scheduler", also).create(world);
                last = LogAccount.of(topology, last, List.of()).startedBy(own).jobs();
            }
            List<TraceJob> counted = LoggedCluster.counted(last);
            int[] dated = counted.isEmpty() ? new int[0] : Advice.dated(counted);
            if (dated.length == 0) {
                throw InputException.at(
                        "the log", "no start", "jobs that say when they started and ended, or --scheduler");
            }
            List<LogReplays.Candidate> candidates = new ArrayList<>(replays.registered(last, true));
            candidates.removeIf(LogReplays.Candidate::preempts);
            if (also != null) {
                candidates.add(replays.candidate(Schedulers.named("--scheduler", also), also, false));
            }
            List<TraceJob> told = Arrays.stream(dated).mapToObj(counted::get).toList();
            LogOutcome past = LogOutcome.past(told, world.topology().gpus(), false);
            replays.delayed(FreeWait.of(world.topology(), told).delaySeconds());
            LogOutcome nearest = replays.run("find the past", candidates, last, 1).stream()
                    .map(made -> made.over(dated))
                    .min(Comparator.comparingDouble(made -> made.distance(past)))
                    .orElseThrow(() ->
                            InputException.at("the log", Counted.of(jobs.size(), "job"), "fewer, or --scheduler"));
            LogReplays.Candidate found = candidates.stream()
                    .filter(one -> one.name().equals(nearest.name()))
                    .findFirst()
                    .orElseThrow();
            return new NearestScheduler(
                    found.name(),
                    found.isTold(),
                    nearest.distance(past),
                    () -> found.fresh().apply(0));
        }
    }
}
