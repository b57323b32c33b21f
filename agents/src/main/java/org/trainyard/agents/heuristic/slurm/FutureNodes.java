package org.trainyard.agents.heuristic.slurm;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When and where a job fits as running jobs end at their limits: they are taken away in order of their ends, in groups
 * whose windows double from 30 s, and the job starts at the end of the last one taken.
 */
final class FutureNodes {
    private static final long FIRST_WINDOW = 30;
    private static final int MOST_OF_GROUP = 200;

    private final SlurmState state;
    private final long now;
    private final SlurmJob[] running;
    private @Nullable BitSet chosen;

    FutureNodes(SlurmState state, long now) {
        this.state = state;
        this.now = now;
        running = state.running.toArray(SlurmJob[]::new);
    }

    /** The nodes of the last question that was answered with yes or a time. */
    BitSet chosen() {
        if (chosen == null) {
            throw new IllegalStateException("no nodes are chosen");
        }
        return chosen;
    }

    /** Whether a job fits on what is free. */
    boolean fitsNow(SlurmJob job, BitSet among) {
        chosen = NodeChoice.choose(state.free.usable(job, among), job.nodes());
        return chosen != null;
    }

    /** Whether it fits when jobs give way. */
    boolean fitsWithout(SlurmJob job, BitSet among, List<SlurmJob> others) {
        chosen = NodeChoice.choose(without(others, among).usable(job, among), job.nodes());
        return chosen != null;
    }

    private FreeNodes without(List<SlurmJob> others, BitSet among) {
        FreeNodes nodes = state.free.copy();
        for (SlurmJob other : others) {
            if (Preemption.touches(other, among)) {
                nodes.change(other, 1);
            }
        }
        return nodes;
    }

    /** The second at which it fits after ends of running jobs; -1 when it never does. */
    long afterEnds(SlurmJob job, BitSet among, List<SlurmJob> giveWay) {
        FreeNodes nodes = without(giveWay, among);
        Set<SlurmJob> gone = giveWay.isEmpty() ? Set.of() : new HashSet<>(giveWay);
        long window = FIRST_WINDOW;
        long barrier = 0;
        int at = skip(0, gone);
        while (at < running.length) {
            SlurmJob last = null;
            int removed = 0;
            boolean test = true;
            while (at < running.length) {
                SlurmJob next = running[at];
                at = skip(at + 1, gone);
                if (!Preemption.touches(next, among)) {
                    continue;
                }
                if (barrier == 0) {
                    barrier = next.endSecond + FIRST_WINDOW - Math.floorMod(next.endSecond, FIRST_WINDOW);
                }
                last = next;
                nodes.change(next, 1);
                if (at >= running.length || running[at].endSecond > barrier + window) {
                    break;
                }
                if (removed++ > MOST_OF_GROUP) {
                    test = false;
                    break;
                }
            }
            if (last == null) {
                return -1;
            }
            if (test) {
                window = widen(window, at < running.length ? running[at].endSecond - barrier : 0);
                chosen = NodeChoice.choose(nodes.usable(job, among), job.nodes());
                if (chosen != null) {
                    return last.endSecond > now
                            ? last.endSecond
                            : Math.max(last.endSecond + state.cluster().killWait(), now + 1);
                }
            }
        }
        return -1;
    }

    private long widen(long window, long reach) {
        long linear = state.cluster().parameters().windowLinear();
        long wider = window;
        do {
            wider = linear > 0 ? wider + linear : wider * 2;
        } while (reach > wider);
        return wider;
    }

    private int skip(int from, Set<SlurmJob> gone) {
        int at = from;
        while (at < running.length && gone.contains(running[at])) {
            at++;
        }
        return at;
    }
}
