package org.trainyard.env.workload.log;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.trainyard.env.Counted;

/** How the rows of one log were read: its clock, and what is to be said, counted. */
public final class LogNotes {
    private final Map<String, Long> notes = new LinkedHashMap<>();
    private final LogClock clock;

    public LogNotes(LogClock clock) {
        this.clock = clock;
    }

    public LogClock clock() {
        return clock;
    }

    /** Counts something to be said: a sentence with one {@code %,d}. */
    public void note(String sentence) {
        notes.merge(sentence, 1L, Long::sum);
    }

    /** All remarks, as sentences. */
    List<String> remarks() {
        List<String> remarks = new ArrayList<>(clock.remarks());
        notes.forEach((sentence, count) -> remarks.add(Counted.say(sentence, count)));
        return new ArrayList<>(new LinkedHashSet<>(remarks));
    }
}
