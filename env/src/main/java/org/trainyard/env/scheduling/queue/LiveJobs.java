package org.trainyard.env.scheduling.queue;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntConsumer;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;

/** The jobs that are submitted and not done, newcomers last, as the journal tells. */
public final class LiveJobs {
    public final IntArrayList list = new IntArrayList();
    private int journalRead;

    /** Drops jobs that are done and appends those that are new, telling of each. */
    public void update(SimView view, IntConsumer onArrival) {
        boolean someAreDone = false;
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
