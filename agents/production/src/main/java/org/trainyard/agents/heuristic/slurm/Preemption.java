package org.trainyard.agents.heuristic.slurm;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;

/**
 * Which running jobs give way to a pending one, by QOS: candidates by priority of their QOS, then by nodes, taken away
 * one after another until the job fits; then, with those that gain most usable nodes first, again, twice at most as
 * {@code preempt_reorder_count=1} has it.
 */
final class Preemption {
    private static final Comparator<SlurmJob> BY_PRIORITY = Comparator.comparingLong(
            job -> (Math.min(0xffff, job.request().qos().priority()) << 16) + Math.min(0xffff, job.nodes.length));
    private static final Comparator<SlurmJob> YOUNGEST = Comparator.comparingLong(job -> -job.startSecond);
    private static final Comparator<SlurmJob> MOST_USABLE = Comparator.comparingInt(job -> -job.usableNodes);
    private static final int JUST_ENOUGH = 99_999;

    private final SlurmState state;

    Preemption(SlurmState state) {
        this.state = state;
    }

    /** The running jobs on a partition's nodes that a job may preempt, the first to go first. */
    List<SlurmJob> candidates(SlurmJob job, SlurmPartition in, long second) {
        List<SlurmJob> candidates = new ArrayList<>();
        if (!state.cluster().preempts() || job.request().qos().preempts().isEmpty()) {
            return candidates;
        }
        for (SlurmJob other : state.running) {
            if (job.request().qos().mayPreempt(other.request().qos())
                    && touches(other, in.nodes())
                    && second
                            >= other.startSecond
                                    + state.cluster()
                                            .exemptSeconds(other.request().qos())
                    && state.mayPreempt.test(other)) {
                candidates.add(other);
            }
        }
        candidates.sort(Comparator.comparingInt(other -> other.serial));
        candidates.sort(state.cluster().parameters().preemptYoungestFirst() ? YOUNGEST : BY_PRIORITY);
        for (SlurmJob other : candidates) {
            other.usableNodes = 0;
        }
        return candidates;
    }

    static boolean touches(SlurmJob job, BitSet nodes) {
        for (int node : job.nodes) {
            if (nodes.get(node)) {
                return true;
            }
        }
        return false;
    }

    private static int overlap(SlurmJob job, BitSet nodes) {
        int count = 0;
        for (int node : job.nodes) {
            count += nodes.get(node) ? 1 : 0;
        }
        return count;
    }

    /**
     * The jobs that must go so that a job starts on some of the nodes; null when it would not fit even then.
     *
     * @param candidates of {@link #candidates}; is sorted anew
     */
    @Nullable List<SlurmJob> victims(SlurmJob job, SlurmPartition in, BitSet among, List<SlurmJob> candidates) {
        int passes = 0;
        while (true) {
            FreeNodes future = state.free.copy();
            BitSet chosen = null;
            int last = -1;
            for (int i = 0; i < candidates.size() && chosen == null; i++) {
                SlurmJob other = candidates.get(i);
                if (touches(other, among)) {
                    future.change(other, 1);
                    chosen = future.choose(job, in, among);
                    other.usableNodes = 0;
                    last = i;
                }
            }
            if (chosen == null) {
                return null;
            }
            if (passes++ > state.cluster().parameters().preemptReorder() || candidates.size() <= passes) {
                List<SlurmJob> victims = new ArrayList<>();
                for (int i = 0; i <= last; i++) {
                    SlurmJob other = candidates.get(i);
                    if (touches(other, chosen)) {
                        victims.add(other);
                    }
                }
                return victims;
            }
            reorder(candidates, last, chosen);
        }
    }

    private void reorder(List<SlurmJob> candidates, int last, BitSet chosen) {
        SlurmJob enough = candidates.get(last);
        if (state.cluster().parameters().preemptStrictOrder()) {
            candidates.remove(last);
            candidates.add(0, enough);
            return;
        }
        for (int i = 0; i < candidates.size(); i++) {
            candidates.get(i).usableNodes = i < last ? overlap(candidates.get(i), chosen) : 0;
        }
        enough.usableNodes = JUST_ENOUGH;
        candidates.sort(MOST_USABLE);
    }
}
