package org.trainyard.agents.heuristic.queue;

import java.util.function.IntConsumer;
import org.trainyard.env.simulation.JournalCursor;
import org.trainyard.env.simulation.SimView;

/** The jobs that have started, stopped or moved since the last call, by the journal. */
public final class RunningChanges {
    private final JournalCursor journal = new JournalCursor();

    /**
     * Reports every job that has started, stopped or moved, some more than once. When the {@linkplain JournalCursor
     * reader begins anew}, everything known is forgotten first and every running job reported.
     */
    void read(SimView view, Runnable forget, IntConsumer changed) {
        if (journal.advance(view)) {
            forget.run();
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                changed.accept(job);
            }
        }
        for (int entry = journal.first(); entry < journal.end(); entry++) {
            switch (view.journalKind(entry)) {
                case START, RESIZE, PREEMPT, KILL, FINISH, HOLD -> changed.accept(view.journalJob(entry));
                case ARRIVE, FORWARD, DOWN, UP, REJECT, FREEZE, HOST_CPU, HOST_MEMORY, TIMEOUT -> {}
            }
        }
    }
}
