package org.trainyard.agents.heuristic.slurm;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;

/**
 * The pending jobs in Slurm's order: jobs whose QOS may preempt the other's, jobs with a reservation, the tier of the
 * partition, priority, submission, number. The tasks of an array that have not started share one place.
 *
 * <p>It is kept in order, for a loop looks at its first jobs only; where jobs preempt, it is sorted whenever it is
 * read.
 */
final class SlurmQueue {
    /**
     * A job in one of its partitions.
     *
     * @param index of the partition among those of the job
     * @param since the number of the last run that had begun when it came
     */
    record Entry(SlurmJob job, SlurmPartition partition, int index, long since) {}

    private static final Comparator<Entry> BY_RECORD =
            Comparator.comparingInt((Entry entry) -> entry.job().serial).thenComparingInt(Entry::index);

    private final boolean preempts;
    private final Comparator<Entry> order;
    /** The entries in order, in an array, since every cycle of the loops reads them. */
    private final List<Entry> entries = new ArrayList<>();

    private long runs;
    /** How often entries have changed. */
    private long changes;

    /** @param preempts whether jobs of one QOS may preempt those of another */
    SlurmQueue(boolean preempts) {
        this.preempts = preempts;
        order = preempts ? BY_RECORD : SlurmQueue::order;
    }

    private static int order(Entry a, Entry b) {
        SlurmJob job = a.job();
        SlurmJob other = b.job();
        int order = Boolean.compare(
                job.request().reservation() == null, other.request().reservation() == null);
        order = order != 0
                ? order
                : Integer.compare(b.partition().tier(), a.partition().tier());
        order = order != 0 ? order : Long.compare(other.priority(b.index()), job.priority(a.index()));
        order = order != 0 ? order : Long.compare(job.submitSecond, other.submitSecond);
        order = order != 0
                ? order
                : Long.compare(job.request().id(), other.request().id());
        order = order != 0
                ? order
                : Integer.compare(job.request().task(), other.request().task());
        return order != 0 ? order : BY_RECORD.compare(a, b);
    }

    /** Takes a job that waits; nothing that its place depends on may change while it is here. */
    void add(SlurmJob job) {
        each(job, this::add);
    }

    /** Removes a job; returns whether it was here. */
    boolean remove(SlurmJob job) {
        return each(job, this::remove);
    }

    private boolean add(Entry entry) {
        int place = Collections.binarySearch(entries, entry, order);
        if (place < 0) {
            entries.add(-place - 1, entry);
            changes++;
        }
        return place < 0;
    }

    private boolean remove(Entry entry) {
        int place = Collections.binarySearch(entries, entry, order);
        if (place >= 0) {
            entries.remove(place);
            changes++;
        }
        return place >= 0;
    }

    private boolean each(SlurmJob job, Predicate<Entry> change) {
        boolean changed = false;
        List<SlurmPartition> partitions = job.request().partitions();
        for (int i = 0; i < partitions.size(); i++) {
            if (partitions.get(i).up() && !job.never.get(i)) {
                changed |= change.test(new Entry(job, partitions.get(i), i, runs));
            }
        }
        return changed;
    }

    /** Gives jobs that are here their priorities. */
    void prioritise(Collection<SlurmJob> jobs, Runnable change) {
        if (jobs.size() < entries.size() / 2) {
            List<SlurmJob> here = jobs.stream().filter(this::remove).toList();
            change.run();
            here.forEach(this::add);
            return;
        }
        change.run();
        entries.sort(order);
        changes++;
    }

    /**
     * The jobs that may start now, in order, for one run of a loop; jobs that come while it lasts are not among them.
     */
    Iterator<Entry> run(Predicate<SlurmJob> mayStart) {
        long run = ++runs;
        if (!preempts) {
            return new InOrder(mayStart, run);
        }
        Entry[] sorted =
                entries.stream().filter(entry -> mayStart.test(entry.job())).toArray(Entry[]::new);
        mergeSort(sorted, new Entry[sorted.length], 0, sorted.length);
        return List.of(sorted).iterator();
    }

    private final class InOrder implements Iterator<Entry> {
        private final Predicate<SlurmJob> mayStart;
        private final long run;
        private long seen = changes;
        private int at;
        private @Nullable Entry next;

        InOrder(Predicate<SlurmJob> mayStart, long run) {
            this.mayStart = mayStart;
            this.run = run;
            next = entries.isEmpty() ? null : entries.get(0);
        }

        private void skip() {
            while (next != null && (next.since >= run || !mayStart.test(next.job))) {
                next = after(next);
            }
        }

        /** The one after the next. */
        private @Nullable Entry after(Entry entry) {
            if (seen == changes) {
                at++;
            } else {
                int place = Collections.binarySearch(entries, entry, order);
                at = place < 0 ? -place - 1 : place + 1;
                seen = changes;
            }
            return at < entries.size() ? entries.get(at) : null;
        }

        @Override
        public boolean hasNext() {
            skip();
            return next != null;
        }

        @Override
        public Entry next() {
            skip();
            Entry entry = next;
            if (entry == null) {
                throw new NoSuchElementException("no more jobs");
            }
            next = after(entry);
            return entry;
        }
    }

    /**
     * Sorts as the C library does. The order is no total one: of three QOS two may preempt each other and the third
     * none, so the result depends on which pairs are compared.
     */
    private static void mergeSort(Entry[] entries, Entry[] spare, int from, int to) {
        if (to - from < 2) {
            return;
        }
        int middle = from + (to - from) / 2;
        mergeSort(entries, spare, from, middle);
        mergeSort(entries, spare, middle, to);
        int left = from;
        int right = middle;
        for (int i = from; i < to; i++) {
            boolean takeLeft = right >= to || (left < middle && compare(entries[left], entries[right]) <= 0);
            spare[i] = takeLeft ? entries[left++] : entries[right++];
        }
        System.arraycopy(spare, from, entries, from, to - from);
    }

    private static int compare(Entry a, Entry b) {
        if (a.job().request().qos().mayPreempt(b.job().request().qos())) {
            return -1;
        }
        return b.job().request().qos().mayPreempt(a.job().request().qos()) ? 1 : order(a, b);
    }
}
