package org.trainyard.agents.heuristic.slurm;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** An array of jobs: its tasks that have not started yet share one place in the queue. */
public final class SlurmArray {
    private final int atOnce;
    private final ArrayDeque<SlurmJob> tasks = new ArrayDeque<>();
    private int running;

    /** @param atOnce the most tasks that run at once; 0 for all */
    public SlurmArray(int atOnce) {
        this.atOnce = atOnce;
    }

    void add(SlurmJob task) {
        tasks.add(task);
    }

    /** The task that starts next, or null. */
    @Nullable SlurmJob next() {
        return tasks.peek();
    }

    /** Takes a task that started, or was cancelled, from those that share a place. */
    void split(SlurmJob task) {
        tasks.remove(task);
    }

    /** Puts a task back whose start is undone. */
    void join(SlurmJob task) {
        tasks.addFirst(task);
    }

    void count(int change) {
        running += change;
    }

    boolean full() {
        return atOnce != 0 && running >= atOnce;
    }

    int waiting() {
        return tasks.size();
    }
}
