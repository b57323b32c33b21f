package org.trainyard.env.simulation;

import org.jspecify.annotations.Nullable;

/**
 * The place of a reader in the journal of a {@link SimView}. Either all that has happened since its last read is in the
 * entries from {@link #first} to {@link #end}, or it has to make what it knows anew from the state: at first, in
 * another run, after a correction of the past, and when entries were forgotten that it has not read.
 *
 * <p>For readers that know nothing but what the state says. One that learns from events which the state no longer
 * shows, such as completions, cannot begin anew.
 */
public final class JournalCursor {
    private @Nullable SimView run;
    private int corrections;
    private int first;
    private int end;

    /** Goes on to the end of the journal; whether the reader begins anew, and then there is no entry to read. O(1). */
    public boolean advance(SimView view) {
        boolean isAnew = view != run || view.corrections() != corrections || end < view.journalStart();
        run = view;
        corrections = view.corrections();
        first = isAnew ? view.journalSize() : end;
        end = view.journalSize();
        return isAnew;
    }

    /** Whether nothing has happened since the last {@link #advance}. */
    public boolean isAtEnd(SimView view) {
        return view == run && view.corrections() == corrections && view.journalSize() == end;
    }

    /** The first entry that was new to the last {@link #advance}. */
    public int first() {
        return first;
    }

    /** The entry after the last one that was new to the last {@link #advance}. */
    public int end() {
        return end;
    }
}
