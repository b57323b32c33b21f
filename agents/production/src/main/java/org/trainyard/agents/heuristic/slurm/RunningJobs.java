package org.trainyard.agents.heuristic.slurm;

import java.util.AbstractCollection;
import java.util.Arrays;
import java.util.Iterator;

/** The running jobs by their expected ends, kept in an array, since every cycle of the loops reads them all. */
final class RunningJobs extends AbstractCollection<SlurmJob> {
    private SlurmJob[] jobs = new SlurmJob[16];
    private int size;

    private static boolean isBefore(SlurmJob a, SlurmJob b) {
        return a.endSecond == b.endSecond ? a.serial < b.serial : a.endSecond < b.endSecond;
    }

    /** How many come before a job. */
    private int place(SlurmJob job) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isBefore(jobs[middle], job)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Takes a job, whose expected end may not change while it is here. */
    @Override
    public boolean add(SlurmJob job) {
        jobs = size == jobs.length ? Arrays.copyOf(jobs, 2 * size) : jobs;
        int at = place(job);
        System.arraycopy(jobs, at, jobs, at + 1, size - at);
        jobs[at] = job;
        size++;
        return true;
    }

    /** Removes a job that is here. */
    void release(SlurmJob job) {
        int at = place(job);
        if (at == size || jobs[at] != job) {
            throw new IllegalStateException("job %s does not run".formatted(job));
        }
        size--;
        System.arraycopy(jobs, at + 1, jobs, at, size - at);
    }

    /** The job that is expected to end first. */
    SlurmJob first() {
        return jobs[0];
    }

    /** A copy of all, by their ends. */
    SlurmJob[] all() {
        return Arrays.copyOf(jobs, size);
    }

    @Override
    public Iterator<SlurmJob> iterator() {
        return Arrays.asList(all()).iterator();
    }

    @Override
    public int size() {
        return size;
    }
}
