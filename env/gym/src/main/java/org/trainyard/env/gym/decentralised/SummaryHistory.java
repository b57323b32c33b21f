package org.trainyard.env.gym.decentralised;

import java.util.ArrayDeque;
import org.trainyard.env.gym.domain.DomainSummary;

/** The summaries of one domain over time, as far back as another agent may still see them. */
final class SummaryHistory {
    private record Entry(long nanos, DomainSummary summary) {}

    private final ArrayDeque<Entry> entries = new ArrayDeque<>();

    /** @param first what was there before all that is added */
    SummaryHistory(DomainSummary first) {
        entries.add(new Entry(Long.MIN_VALUE, first));
    }

    /** From this instant on, no earlier than those before, the domain is so; the last one of an instant counts. */
    void add(long nanos, DomainSummary summary) {
        if (entries.getLast().nanos == nanos) {
            entries.removeLast();
        }
        entries.addLast(new Entry(nanos, summary));
    }

    /** The summary at an instant that is not before those asked for earlier; what was before it is forgotten. */
    DomainSummary at(long nanos) {
        Entry entry = entries.removeFirst();
        while (!entries.isEmpty() && entries.getFirst().nanos <= nanos) {
            entry = entries.removeFirst();
        }
        entries.addFirst(entry);
        return entry.summary;
    }
}
