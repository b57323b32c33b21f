package org.trainyard.agents.heuristic.queue;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntConsumer;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;

/** The waiting and running jobs in order of submission, kept up to date from the journal. */
public final class LiveJobs {
    public final IntArrayList list = new IntArrayList();
    private int journalRead;

    /** Removes finished jobs and appends submitted ones; reports each of the latter. */
    public void update(SimView view, IntConsumer onArrival) {
        // Entries that are forgotten are of jobs that are done.
        boolean someAreDone = journalRead < view.journalStart();
        journalRead = Math.max(journalRead, view.journalStart());
        for (; journalRead < view.journalSize(); journalRead++) {
            EventKind kind = view.journalKind(journalRead);
            someAreDone |= kind == EventKind.FINISH;
            if (kind == EventKind.ARRIVE) {
                int job = view.journalJob(journalRead);
                list.add(job);
                onArrival.accept(job);
            }
        }
        if (someAreDone) {
            list.removeIf(job -> view.state(job) == JobState.DONE);
        }
    }
}
