package org.trainyard.env.scheduling.interruption;

import org.trainyard.env.scheduling.gang.GangCandidates;
import org.trainyard.env.simulation.SimView;

/** Finds running jobs that would run faster on free GPUs. */
public interface MigrationSearch {
    /** Finds the jobs that lose most where they are, of those for which enough GPUs are free; returns their number. */
    int find(SimView view);

    /** The job that loses i-th most. */
    int job(int i);

    /**
     * The set of least predicted slowdown for a running job; {@link SimView#NONE} when none is much better than where
     * it is, or when the move saves less than {@code leastSeconds}.
     */
    int betterSet(SimView view, int job, GangCandidates sets, double leastSeconds);

    /** Present predicted slowdown over that on the last {@link #betterSet}, above 1. */
    double speedUp();

    /** Time that the move to the last {@link #betterSet} saves, seconds. */
    double savedSeconds(SimView view, int job);

    /** Says that a job moves now: it does not come into question again at this instant. */
    void move(SimView view, int job);
}
