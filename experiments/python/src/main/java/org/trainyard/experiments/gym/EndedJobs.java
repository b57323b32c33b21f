package org.trainyard.experiments.gym;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;

/** The jobs that have ended since the last call or the beginning of their episode, in the order in which they did. */
final class EndedJobs {
    private final List<JobOutcome> ended = new ArrayList<>();
    private @Nullable Simulator episode;
    /** Entries of its journal that have been read. */
    private int read;

    /** Forgets the jobs of the last call and takes those that have ended since. O(events since). */
    void advance(Simulator simulator) {
        ended.clear();
        read = simulator == episode ? read : 0;
        episode = simulator;
        SimView view = simulator.view();
        for (; read < view.journalSize(); read++) {
            // A rejected job has never started, and has no outcome.
            if (view.journalKind(read) == EventKind.FINISH && view.firstStartNanos(view.journalJob(read)) >= 0) {
                ended.add(simulator.outcome(view.journalJob(read)));
            }
        }
    }

    int count() {
        return ended.size();
    }

    /** Appends their JCTs, seconds. */
    void jctSeconds(ByteBuffer out) {
        ended.forEach(job -> out.putDouble(job.jctNanos() / 1e9));
    }

    /** Appends their waits, seconds: time without GPUs from when they were allowed to start. */
    void waitSeconds(ByteBuffer out) {
        ended.forEach(job -> out.putDouble(job.queueingNanos() / 1e9));
    }
}
