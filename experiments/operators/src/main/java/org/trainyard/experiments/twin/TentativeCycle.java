package org.trainyard.experiments.twin;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.trainyard.agents.heuristic.slurm.CycleListener;
import org.trainyard.agents.heuristic.slurm.SlurmJob;
import org.trainyard.agents.heuristic.slurm.SlurmState;

/** Keeps what a cycle decides, and undoes it. */
final class TentativeCycle implements CycleListener {
    /** A start, or a plan for a second. */
    record Step(SlurmJob job, boolean start, boolean shared, long second, BitSet nodes) {}

    /** A job that gave way, as it was before. */
    private record Victim(SlurmJob job, long submitSecond, long beginSecond, long accrueSecond) {}

    private final SlurmState state;
    private final List<Step> steps = new ArrayList<>();
    private final List<Object> done = new ArrayList<>();

    TentativeCycle(SlurmState state) {
        this.state = state;
    }

    void begin() {
        steps.clear();
        done.clear();
    }

    List<Step> steps() {
        return steps;
    }

    @Override
    public void started(SlurmJob job, boolean backfilled) {
        steps.add(new Step(job, true, false, job.startSecond(), job.nodeSet()));
        done.add(job);
    }

    @Override
    public void planned(SlurmJob job, long startSecond, long endSecond, BitSet nodes) {
        steps.add(new Step(job, false, job.sharesPlace(), startSecond, (BitSet) nodes.clone()));
    }

    @Override
    public void preempted(SlurmJob victim, SlurmJob by) {
        done.add(new Victim(victim, victim.submitSecond(), victim.beginSecond(), victim.accrueSecond()));
    }

    /** Undoes all, the last first. */
    void undo() {
        for (int i = done.size() - 1; i >= 0; i--) {
            Object step = done.get(i);
            if (step instanceof Victim victim) {
                state.undoPreempt(victim.job, victim.submitSecond, victim.beginSecond, victim.accrueSecond);
            } else {
                state.undoStart((SlurmJob) step);
            }
        }
    }
}
