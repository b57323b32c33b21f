package org.trainyard.experiments.advice;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
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
 * The scheduler under which a cluster is simulated forward: one that was named, that of the cluster's own files, or
 * that whose replay comes nearest to the past of a log.
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
     * The cluster's own, where its files are known and its replay ends; else the nearest of those that take no GPUs
     * from running jobs. Cost: one replay, or some sixty.
     *
     * @param jobs of a log, in order of submission; some of them with a past
     * @param own name of the scheduler that the cluster's own files configure, or null
     * @param windows planned maintenance
     */
    public static NearestScheduler of(
            Topology topology, List<TraceJob> jobs, @Nullable String own, List<MaintenanceWindow> windows, long seed) {
        try (ThreadWorkerPool workers = new ThreadWorkerPool()) {
            SlurmFiles files = own == null || !LoggedCluster.isSlurmOfFiles(own)
                    ? null
                    : SlurmFiles.read(own.substring(own.indexOf(':') + 1));
            World world = new LoggedCluster(topology, files)
                    .limited(LogReplays.world(topology, seed))
                    .maintained(windows);
            LogReplays replays =
                    new LogReplays(world, workers, new LogReplays.Limits(null, LIMIT_SECONDS, RESTART_SECONDS), null);
            List<TraceJob> last = replays.fitting(jobs.subList(Math.max(0, jobs.size() - MOST), jobs.size()));
            if (own != null) {
                Scheduler configured = Schedulers.named("--scheduler", own).create(world);
                last = LogAccount.of(topology, last, List.of())
                        .startedBy(configured)
                        .jobs();
            }
            List<TraceJob> counted = LoggedCluster.counted(last);
            int[] dated = counted.isEmpty() ? new int[0] : Advice.dated(counted);
            if (dated.length == 0) {
                throw InputException.at(
                        "the log", "no start", "jobs that say when they started and ended, or --scheduler");
            }
            List<TraceJob> told = Arrays.stream(dated).mapToObj(counted::get).toList();
            LogOutcome past = LogOutcome.past(told, world.topology().gpus(), false);
            replays.delayed(FreeWait.of(world.topology(), told).delaySeconds());
            List<LogReplays.Candidate> candidates = own == null
                    ? List.of()
                    : List.of(replays.candidate(Schedulers.named("--scheduler", own), own, false));
            List<LogOutcome> made = replays.run("replay the past", candidates, last, 1);
            if (made.isEmpty()) {
                candidates = replays.registered(last, true).stream()
                        .filter(one -> !one.preempts())
                        .toList();
                made = replays.run("find the past", candidates, last, 1);
            }
            LogOutcome nearest = made.stream()
                    .map(one -> one.over(dated))
                    .min(Comparator.comparingDouble(one -> one.distance(past)))
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
