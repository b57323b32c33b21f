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
 * Jobs that may start, in order of rank, where those that suffer from being spread would rather wait a while than start on more
 * servers than they need.
 *
 * <p>Jobs of equal demand and tenant are refused together, so an instant costs O(different demands x tenants) looks and O(different
 * demands) placements, however many jobs wait.
 */
final class DelaySchedulingQueue {
    private record Wish(Demand demand, boolean heavy) {}

    private record Kind(Wish wish, int tenant) {}

    /** Where jobs of one wish would be put now, looked up at most once for each decision. */
    private static final class Fit {
        final int fewestServers;

        @Nullable Placement placement;

        long triedIn = -1;

        Fit(int fewestServers) {
            this.fewestServers = fewestServers;
        }
    }

    /** The jobs of one kind: those that still wait for few servers, and those that take what there is. */
    private final class Alike {
        final Fit fit;
        final IntRBTreeSet patient = new IntRBTreeSet(order);
        final IntRBTreeSet ready = new IntRBTreeSet(order);
        long patientRefusedIn = -1;
        long readyRefusedIn = -1;

        Alike(Fit fit) {
            this.fit = fit;
        }
    }

    private final boolean skips;
    private final Placer heavyPlacer;
    private final Placer lightPlacer;
    private final IntComparator order = this::compare;
    private final List<Alike> sets = new ArrayList<>();
    private final Map<Kind, Alike> byKind = new HashMap<>();
    private final Map<Wish, Fit> byWish = new HashMap<>();
    private final IntHeapPriorityQueue byDeadline = new IntHeapPriorityQueue(this::compareDeadlines);
    private double[] ranks = new double[64];
    private long[] deadlines = new long[64];
    private boolean[] isHeavy = new boolean[64];
    private @Nullable Alike[] setOf = new Alike[64];
    private long decisions;

    /**
     * @param skips whether a job that does not fit lets others pass; otherwise it blocks all behind it
     * @param heavyPlacer of jobs that suffer from being spread
     * @param lightPlacer of the others
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
     * Makes a job known, to be taken in by {@link #add}.
     *
     * @param rank lowest first, ties in order of submission
     * @param heavy whether it suffers from being spread
     * @param deadlineNanos until when it waits for few servers, if it is heavy
     */
    void admit(int job, double rank, boolean heavy, long deadlineNanos) {
        if (job >= ranks.length) {
            int length = Math.max(2 * ranks.length, job + 1);
            ranks = Arrays.copyOf(ranks, length);
            deadlines = Arrays.copyOf(deadlines, length);
            isHeavy = Arrays.copyOf(isHeavy, length);
            setOf = Arrays.copyOf(setOf, length);
        }
        ranks[job] = rank;
        deadlines[job] = deadlineNanos;
        isHeavy[job] = heavy;
    }

    /** Takes in a job that waits. */
    void add(SimView view, int job) {
        Alike set = alike(view, job);
        if (isHeavy[job] && deadlines[job] > view.nowNanos()) {
            set.patient.add(job);
            byDeadline.enqueue(job);
        } else {
            set.ready.add(job);
        }
    }

    private Alike alike(SimView view, int job) {
        Alike known = setOf[job];
        if (known == null) {
            Wish wish = new Wish(view.job(job).demand(), isHeavy[job]);
            known = byKind.computeIfAbsent(new Kind(wish, view.tenant(job)), kind -> {
                Alike made = new Alike(
                        byWish.computeIfAbsent(wish, w -> new Fit(fewestServers(view.topology(), w.demand()))));
                sets.add(made);
                return made;
            });
            setOf[job] = known;
        }
        return known;
    }

    /** How many of the servers with most GPUs of the right types hold the job; host resources do not count. */
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

    /** Takes a job out, if it is here. */
    void remove(int job) {
        Alike set = job < setOf.length ? setOf[job] : null;
        if (set != null) {
            set.patient.remove(job);
            set.ready.remove(job);
        }
    }

    /** Starts the first job that may, or waits. */
    Decision decide(SimView view) {
        decisions++;
        losePatience(view.nowNanos());
        for (Alike set = first(); set != null; set = first()) {
            boolean isPatient = isPatientFirst(set);
            int job = isPatient ? set.patient.firstInt() : set.ready.firstInt();
            boolean isAllowed = view.isWithinQuota(job, view.job(job).gpus());
            Placement where = isAllowed ? place(view, job, set.fit) : null;
            if (where == null) {
                if (isAllowed && !skips) {
                    return Decision.WAIT;
                }
                set.patientRefusedIn = decisions;
                set.readyRefusedIn = decisions;
            } else if (isPatient && where.serverCount() > set.fit.fewestServers) {
                set.patientRefusedIn = decisions;
            } else {
                return new Decision.Start(job, where);
            }
        }
        return Decision.WAIT;
    }

    private void losePatience(long nowNanos) {
        while (!byDeadline.isEmpty() && deadlines[byDeadline.firstInt()] <= nowNanos) {
            int job = byDeadline.dequeueInt();
            Alike set = setOf[job];
            if (set != null && set.patient.remove(job)) {
                set.ready.add(job);
            }
        }
    }

    /** The set with the first job of all that have not been refused, or null. */
    private @Nullable Alike first() {
        Alike best = null;
        int bestJob = SimView.NONE;
        for (Alike set : sets) {
            int job = firstOf(set);
            if (job != SimView.NONE && (bestJob == SimView.NONE || compare(job, bestJob) < 0)) {
                best = set;
                bestJob = job;
            }
        }
        return best;
    }

    private int firstOf(Alike set) {
        if (isPatientFirst(set)) {
            return set.patient.firstInt();
        }
        return isOpen(set.ready, set.readyRefusedIn) ? set.ready.firstInt() : SimView.NONE;
    }

    private boolean isPatientFirst(Alike set) {
        return isOpen(set.patient, set.patientRefusedIn)
                && (!isOpen(set.ready, set.readyRefusedIn)
                        || compare(set.patient.firstInt(), set.ready.firstInt()) < 0);
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

    /** When the next of the jobs here will lose patience, or {@code Long.MAX_VALUE}. */
    long nextDeadlineNanos() {
        while (!byDeadline.isEmpty()) {
            int job = byDeadline.firstInt();
            Alike set = setOf[job];
            if (set != null && set.patient.contains(job)) {
                return deadlines[job];
            }
            byDeadline.dequeueInt();
        }
        return Long.MAX_VALUE;
    }
}
