package org.trainyard.agents.heuristic.asrpt;

import it.unimi.dsi.fastutil.ints.IntComparator;
import it.unimi.dsi.fastutil.ints.IntHeapPriorityQueue;
import it.unimi.dsi.fastutil.ints.IntRBTreeSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * A pending queue with delay scheduling: jobs in order of rank, where a communication-heavy job waits until a deadline
 * for a placement on the fewest servers.
 *
 * <p>Jobs of equal demand and tenant are refused together, so an instant costs O(different demands x tenants)
 * comparisons and O(different demands) placements, independently of the number of pending jobs.
 */
final class DelaySchedulingQueue {
    private record Request(Demand demand, boolean heavy) {}

    private record Kind(Request request, int tenant) {}

    /** The placement of jobs of one request, computed at most once for each decision. */
    private static final class Fit {
        final int fewestServers;

        @Nullable Placement placement;

        long triedIn = -1;

        Fit(int fewestServers) {
            this.fewestServers = fewestServers;
        }
    }

    /**
     * The jobs of one request and tenant: those that still wait for few servers, and those that accept any placement.
     */
    private final class JobClass {
        final Fit fit;
        final IntRBTreeSet delayed = new IntRBTreeSet(order);
        final IntRBTreeSet ready = new IntRBTreeSet(order);
        long delayedRefusedIn = -1;
        long readyRefusedIn = -1;

        JobClass(Fit fit) {
            this.fit = fit;
        }
    }

    private final boolean skips;
    private final Placer heavyPlacer;
    private final Placer lightPlacer;
    private final IntComparator order = this::compare;
    private final List<JobClass> classList = new ArrayList<>();
    private final Map<Kind, JobClass> classes = new HashMap<>();
    private final Map<Request, Fit> fits = new HashMap<>();
    private final IntHeapPriorityQueue byDeadline = new IntHeapPriorityQueue(this::compareDeadlines);
    private double[] ranks = new double[64];
    private long[] deadlines = new long[64];
    private boolean[] isHeavy = new boolean[64];
    private @Nullable JobClass[] classByJob = new JobClass[64];
    private long decisions;

    /**
     * @param skips whether jobs behind a job that does not fit may start; otherwise it blocks them
     * @param heavyPlacer placer of heavy jobs
     * @param lightPlacer placer of the others
     */
    DelaySchedulingQueue(boolean skips, Placer heavyPlacer, Placer lightPlacer) {
        this.skips = skips;
        this.heavyPlacer = heavyPlacer;
        this.lightPlacer = lightPlacer;
    }

    private int compare(int a, int b) {
        int byRank = Double.compare(ranks[a], ranks[b]);
        return byRank != 0 ? byRank : Integer.compare(a, b);
    }

    private int compareDeadlines(int a, int b) {
        int byTime = Long.compare(deadlines[a], deadlines[b]);
        return byTime != 0 ? byTime : Integer.compare(a, b);
    }

    /**
     * Registers a job, which {@link #add} enqueues.
     *
     * @param rank lowest first, ties in order of submission
     * @param heavy whether the job waits for few servers
     * @param deadlineNanos end of that wait, if the job is heavy
     */
    void admit(int job, double rank, boolean heavy, long deadlineNanos) {
        if (job >= ranks.length) {
            int length = Math.max(2 * ranks.length, job + 1);
            ranks = Arrays.copyOf(ranks, length);
            deadlines = Arrays.copyOf(deadlines, length);
            isHeavy = Arrays.copyOf(isHeavy, length);
            classByJob = Arrays.copyOf(classByJob, length);
        }
        ranks[job] = rank;
        deadlines[job] = deadlineNanos;
        isHeavy[job] = heavy;
    }

    /** Enqueues a pending job. */
    void add(SimView view, int job) {
        JobClass set = classOf(view, job);
        if (isHeavy[job] && deadlines[job] > view.nowNanos()) {
            set.delayed.add(job);
            byDeadline.enqueue(job);
        } else {
            set.ready.add(job);
        }
    }

    private JobClass classOf(SimView view, int job) {
        JobClass known = classByJob[job];
        if (known == null) {
            Request request = new Request(view.job(job).demand(), isHeavy[job]);
            known = classes.computeIfAbsent(new Kind(request, view.tenant(job)), kind -> {
                JobClass made = new JobClass(
                        fits.computeIfAbsent(request, w -> new Fit(fewestServers(view.topology(), w.demand()))));
                classList.add(made);
                return made;
            });
            classByJob[job] = known;
        }
        return known;
    }

    /** The fewest servers with allowed GPU types that hold the job, ignoring host resources. */
    private static int fewestServers(Topology topology, Demand demand) {
        int[] sizes = IntStream.range(0, topology.servers())
                .filter(server ->
                        demand.allows(topology.server(server).gpuType().name()))
                .map(topology::gpusOn)
                .sorted()
                .toArray();
        int left = demand.gpus();
        int servers = 0;
        while (left > 0 && servers < sizes.length) {
            left -= sizes[sizes.length - ++servers];
        }
        return Math.max(1, servers);
    }

    /** Removes a job from the queue, if it is enqueued. */
    void remove(int job) {
        JobClass set = job < classByJob.length ? classByJob[job] : null;
        if (set != null) {
            set.delayed.remove(job);
            set.ready.remove(job);
        }
    }

    /** Starts the first job that may start, or waits. */
    Decision decide(SimView view) {
        decisions++;
        expireDelays(view.nowNanos());
        for (JobClass set = first(); set != null; set = first()) {
            boolean isDelayed = isDelayedFirst(set);
            int job = isDelayed ? set.delayed.firstInt() : set.ready.firstInt();
            boolean isAllowed = view.isWithinQuota(job, view.job(job).gpus());
            Placement where = isAllowed ? place(view, job, set.fit) : null;
            if (where == null) {
                if (isAllowed && !skips) {
                    return Decision.WAIT;
                }
                set.delayedRefusedIn = decisions;
                set.readyRefusedIn = decisions;
            } else if (isDelayed && where.serverCount() > set.fit.fewestServers) {
                set.delayedRefusedIn = decisions;
            } else {
                return new Decision.Start(job, where);
            }
        }
        return Decision.WAIT;
    }

    private void expireDelays(long nowNanos) {
        while (!byDeadline.isEmpty() && deadlines[byDeadline.firstInt()] <= nowNanos) {
            int job = byDeadline.dequeueInt();
            JobClass set = classByJob[job];
            if (set != null && set.delayed.remove(job)) {
                set.ready.add(job);
            }
        }
    }

    /** The class with the first job among those not refused in this decision, or null. */
    private @Nullable JobClass first() {
        JobClass best = null;
        int bestJob = SimView.NONE;
        for (JobClass set : classList) {
            int job = firstOf(set);
            if (job != SimView.NONE && (bestJob == SimView.NONE || compare(job, bestJob) < 0)) {
                best = set;
                bestJob = job;
            }
        }
        return best;
    }

    private int firstOf(JobClass set) {
        if (isDelayedFirst(set)) {
            return set.delayed.firstInt();
        }
        return isOpen(set.ready, set.readyRefusedIn) ? set.ready.firstInt() : SimView.NONE;
    }

    private boolean isDelayedFirst(JobClass set) {
        return isOpen(set.delayed, set.delayedRefusedIn)
                && (!isOpen(set.ready, set.readyRefusedIn)
                        || compare(set.delayed.firstInt(), set.ready.firstInt()) < 0);
    }

    private boolean isOpen(IntRBTreeSet jobs, long refusedIn) {
        return !jobs.isEmpty() && refusedIn != decisions;
    }

    private @Nullable Placement place(SimView view, int job, Fit fit) {
        if (fit.triedIn != decisions) {
            JobSpec spec = view.job(job);
            fit.placement = (isHeavy[job] ? heavyPlacer : lightPlacer).place(view, spec);
            fit.triedIn = decisions;
        }
        return fit.placement;
    }

    /** The next deadline of a delayed job, or {@code Long.MAX_VALUE}. */
    long nextDeadlineNanos() {
        while (!byDeadline.isEmpty()) {
            int job = byDeadline.firstInt();
            JobClass set = classByJob[job];
            if (set != null && set.delayed.contains(job)) {
                return deadlines[job];
            }
            byDeadline.dequeueInt();
        }
        return Long.MAX_VALUE;
    }
}
