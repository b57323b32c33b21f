package org.trainyard.agents.heuristic.elastic;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * Round-based elastic allocation: in every round each job first gets the fewest GPUs it can run on, in order of
 * submission, then the next GPU goes to the job with the largest marginal gain, until no job gains or no GPU is left.
 *
 * <p>Jobs that are not elastic, or demand other than whole GPUs of any type, keep their demand. Between rounds new jobs
 * start on free GPUs, on at most as many as they were submitted with. Running jobs shrink when others gain more; they
 * grow only when that saves more time than their restart costs. O((jobs + GPUs) log jobs) per round.
 */
final class ElasticRounds implements Scheduler {
    /** The gain of a job from one GPU more than it has, in a unit of its own. */
    @FunctionalInterface
    interface Gain {
        double of(SimView view, int job, ElasticSpeed speed, int gpus);
    }

    /**
     * The knobs of elastic rounds.
     *
     * @param roundSeconds time between two allocations, seconds
     * @param restartSeconds assumed cost of a change of GPUs, seconds
     */
    record Settings(double roundSeconds, double restartSeconds) {
        Settings {
            if (!(roundSeconds > 0) || !(restartSeconds >= 0)) {
                throw new IllegalArgumentException("round (%s s) must be above zero, restart (%s s) not negative"
                        .formatted(roundSeconds, restartSeconds));
            }
        }
    }

    private record MarginalGain(int job, double gain) {}

    private final Settings settings;
    private final Gain gain;
    private final ElasticSpeed speed;
    private final WaitingJobs waiting = new WaitingJobs((view, job) -> job);
    private final Placer placer = new BestFit();
    /** Jobs still to be changed in this round: shrinking, starting, growing. */
    private final IntArrayList changes = new IntArrayList();

    private final Map<Integer, Integer> target = new HashMap<>();
    private long nextRoundNanos;

    ElasticRounds(Settings settings, Gain gain, Topology topology) {
        this.settings = settings;
        this.gain = gain;
        speed = new ElasticSpeed(topology);
    }

    @Override
    public Decision decide(SimView view) {
        waiting.update(view);
        if (view.nowNanos() >= nextRoundNanos) {
            nextRoundNanos = view.nowNanos() + Math.round(settings.roundSeconds() * 1e9);
            allocate(view);
            // Jobs without an allocation may still start on the GPUs that are left.
            waiting.update(view);
        }
        while (!changes.isEmpty()) {
            int job = changes.removeInt(0);
            Decision decision = change(view, job, target.getOrDefault(job, 0));
            if (decision != null) {
                return decision;
            }
        }
        Decision start = startNextWaiting(view);
        if (start != null) {
            return start;
        }
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            if (ElasticSpeed.isResizable(view.job(job))) {
                return Decision.waitUntil(nextRoundNanos);
            }
        }
        return Decision.WAIT;
    }

    private @Nullable Decision startNextWaiting(SimView view) {
        for (int job = waiting.first(); job != SimView.NONE; job = waiting.first()) {
            JobSpec spec = view.job(job);
            int most = Math.min(spec.gpus(), view.cluster().free());
            boolean isElastic =
                    ElasticSpeed.isResizable(spec) && most >= spec.demand().minGpus();
            Decision start = start(view, job, isElastic ? most : spec.gpus());
            if (start != null) {
                return start;
            }
            waiting.refuse(view, job);
        }
        return null;
    }

    private @Nullable Decision start(SimView view, int job, int gpus) {
        JobSpec spec = view.job(job);
        if (!view.isWithinQuota(job, gpus)) {
            return null;
        }
        Placement where = placer.place(view, gpus == spec.gpus() ? spec : spec.demanding(Demand.ofGpus(gpus)));
        return where == null ? null : new Decision.Start(job, where);
    }

    private void allocate(SimView view) {
        target.clear();
        changes.clear();
        IntArrayList elastic = new IntArrayList();
        IntArrayList starts = new IntArrayList();
        int left = view.cluster().free();
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            if (ElasticSpeed.isResizable(view.job(job))) {
                left += view.placement(job).gpuCount() - view.job(job).demand().minGpus();
                target.put(job, view.job(job).demand().minGpus());
                elastic.add(job);
            }
        }
        for (int job = waiting.first(); job != SimView.NONE && left > 0; job = waiting.first()) {
            int fewest = view.job(job).demand().minGpus();
            if (view.job(job).demand().isPlain() && fewest <= left && view.isWithinQuota(job, fewest)) {
                left -= fewest;
                target.put(job, fewest);
                starts.add(job);
                if (ElasticSpeed.isResizable(view.job(job))) {
                    elastic.add(job);
                }
                waiting.passOver(view, job);
            } else {
                waiting.refuse(view, job);
            }
        }
        distribute(view, elastic, left);
        queueChanges(view, elastic, starts);
    }

    private void distribute(SimView view, IntArrayList elastic, int gpus) {
        PriorityQueue<MarginalGain> gains =
                new PriorityQueue<>(Comparator.comparingDouble((MarginalGain candidate) -> -candidate.gain())
                        .thenComparingInt(MarginalGain::job));
        elastic.forEach(job -> offer(view, gains, job));
        int left = gpus;
        while (left > 0 && !gains.isEmpty()) {
            int job = gains.remove().job();
            target.merge(job, 1, Integer::sum);
            left--;
            offer(view, gains, job);
        }
    }

    private void offer(SimView view, PriorityQueue<MarginalGain> gains, int job) {
        int has = target.getOrDefault(job, 0);
        int most = Math.min(view.job(job).demand().maxGpus(), view.topology().gpus());
        double gained = has < most ? gain.of(view, job, speed, has) : 0;
        if (gained > 0) {
            gains.add(new MarginalGain(job, gained));
        }
    }

    private void queueChanges(SimView view, IntArrayList elastic, IntArrayList starts) {
        IntArrayList growing = new IntArrayList();
        for (int job : elastic) {
            if (view.state(job) == JobState.RUNNING) {
                int has = view.placement(job).gpuCount();
                int wanted = target.getOrDefault(job, has);
                if (wanted < has) {
                    changes.add(job);
                } else if (wanted > has && isWorthRestarting(view, job, has, wanted)) {
                    growing.add(job);
                }
            }
        }
        changes.addAll(starts);
        changes.addAll(growing);
    }

    private boolean isWorthRestarting(SimView view, int job, int has, int wanted) {
        JobSpec spec = view.job(job);
        double iterations = view.predictedRemainingSeconds(job) * spec.idealIterationsPerSecond();
        return iterations / speed.of(spec, has) - iterations / speed.of(spec, wanted) > settings.restartSeconds();
    }

    private @Nullable Decision change(SimView view, int job, int gpus) {
        if (view.state(job) == JobState.WAITING) {
            return start(view, job, gpus);
        }
        if (view.state(job) != JobState.RUNNING || view.placement(job).gpuCount() == gpus) {
            return null;
        }
        int more = gpus - view.placement(job).gpuCount();
        if (more > 0 && (more > view.cluster().free() || !view.isWithinQuota(job, more))) {
            return null;
        }
        return new Decision.Resize(job, ResizePlacer.to(view, view.placement(job), gpus));
    }

    /**
     * Places a running job on another number of GPUs near its own: it keeps GPUs on the servers where it has most, and
     * grows there first.
     */
    private static final class ResizePlacer {
        private ResizePlacer() {}

        /**
         * A placement of so many whole GPUs, out of its own and free ones; there must be enough. O(servers log
         * servers).
         */
        static Placement to(SimView view, Placement now, int gpus) {
            Topology topology = view.topology();
            int[] own = new int[topology.servers()];
            for (int i = 0; i < now.serverCount(); i++) {
                own[now.server(i)] = now.gpusOn(i);
            }
            int[] order = new int[topology.servers()];
            for (int server = 0; server < order.length; server++) {
                order[server] = server;
            }
            IntArrays.mergeSort(order, (a, b) -> {
                int byOwn = Integer.compare(own[b], own[a]);
                return byOwn != 0
                        ? byOwn
                        : Integer.compare(
                                view.cluster().freeOn(b), view.cluster().freeOn(a));
            });
            IntArrayList chosen = new IntArrayList(gpus);
            for (int i = 0; i < order.length && chosen.size() < gpus; i++) {
                if (own[order[i]] > 0) {
                    long mask = now.maskOn(now.indexOf(order[i]));
                    add(topology, order[i], gpus, chosen, gpu -> (mask & (1L << gpu)) != 0);
                }
            }
            for (int i = 0; i < order.length && chosen.size() < gpus; i++) {
                int first = topology.firstGpu(order[i]);
                add(topology, order[i], gpus, chosen, gpu -> view.cluster().owner(first + gpu) == Cluster.FREE);
            }
            return Placement.of(topology, chosen.toIntArray());
        }

        private static void add(Topology topology, int server, int gpus, IntArrayList chosen, IntPredicate isTaken) {
            for (int gpu = 0; gpu < topology.gpusOn(server) && chosen.size() < gpus; gpu++) {
                if (isTaken.test(gpu)) {
                    chosen.add(topology.firstGpu(server) + gpu);
                }
            }
        }
    }
}
