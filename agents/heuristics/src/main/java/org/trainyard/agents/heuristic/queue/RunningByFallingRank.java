package org.trainyard.agents.heuristic.queue;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntComparator;
import it.unimi.dsi.fastutil.ints.IntRBTreeSet;
import java.util.Arrays;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;

/**
 * The running jobs by a rank that never rises while a job runs, such as its remaining time.
 *
 * <p>A rank computed once bounds all later ones. So a job's rank is computed anew only when the bound comes first:
 * O(log running) for each job that has changed or whose bound was too high.
 */
public final class RunningByFallingRank implements RunningOrder {
    /** Allows for the rounding of a rank that is computed twice. */
    private static final double ROUNDING = 1e-9;

    private final Rank rank;
    private final RunningChanges changes = new RunningChanges();
    /** By job, its rank at this instant, or a bound on it. */
    private double[] keys = new double[64];

    private boolean[] isBound = new boolean[64];
    private boolean[] isExact = new boolean[64];
    private final IntComparator order = this::compare;
    private final IntRBTreeSet bounds = new IntRBTreeSet(order);
    private final IntRBTreeSet exact = new IntRBTreeSet(order);
    /** The jobs whose ranks were computed at this instant. */
    private final IntArrayList computed = new IntArrayList();

    private long computedAtNanos = -1;

    public RunningByFallingRank(Rank rank) {
        this.rank = rank;
    }

    private int compare(int a, int b) {
        int byKey = Double.compare(keys[b], keys[a]);
        return byKey != 0 ? byKey : Integer.compare(b, a);
    }

    @Override
    public void begin(SimView view) {
        changes.read(view, this::forgetAll, job -> change(view, job));
        exact.clear();
        boolean isLater = view.nowNanos() != computedAtNanos;
        computedAtNanos = view.nowNanos();
        int kept = 0;
        for (int i = 0; i < computed.size(); i++) {
            int job = computed.getInt(i);
            if (!isExact[job]) {
                continue;
            }
            if (isLater) {
                isExact[job] = false;
                addBound(job, keys[job] + ROUNDING * Math.abs(keys[job]));
            } else {
                computed.set(kept++, job);
                exact.add(job);
            }
        }
        computed.size(kept);
    }

    private void forgetAll() {
        bounds.clear();
        exact.clear();
        computed.clear();
        Arrays.fill(isBound, false);
        Arrays.fill(isExact, false);
    }

    private void change(SimView view, int job) {
        if (job >= keys.length) {
            int length = Math.max(2 * keys.length, job + 1);
            keys = Arrays.copyOf(keys, length);
            isBound = Arrays.copyOf(isBound, length);
            isExact = Arrays.copyOf(isExact, length);
        }
        if (isBound[job]) {
            isBound[job] = false;
            bounds.remove(job);
        }
        exact.remove(job);
        isExact[job] = false;
        if (view.state(job) == JobState.RUNNING) {
            addBound(job, Double.POSITIVE_INFINITY);
        }
    }

    private void addBound(int job, double bound) {
        keys[job] = bound;
        isBound[job] = true;
        bounds.add(job);
    }

    @Override
    public boolean isKept() {
        return true;
    }

    @Override
    public int next(SimView view, double limit) {
        while (!bounds.isEmpty()) {
            int bounded = bounds.firstInt();
            if (keys[bounded] <= limit || (!exact.isEmpty() && keys[exact.firstInt()] > keys[bounded])) {
                break;
            }
            bounds.remove(bounded);
            isBound[bounded] = false;
            keys[bounded] = rank.of(view, bounded);
            isExact[bounded] = true;
            computed.add(bounded);
            exact.add(bounded);
        }
        if (exact.isEmpty() || keys[exact.firstInt()] <= limit) {
            return SimView.NONE;
        }
        int first = exact.firstInt();
        exact.remove(first);
        return first;
    }
}
