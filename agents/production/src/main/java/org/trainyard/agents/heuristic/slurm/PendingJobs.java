package org.trainyard.agents.heuristic.slurm;

import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** The jobs that wait: which of them stand in the queue, and whose age counts. */
final class PendingJobs {
    private final Set<SlurmJob> all = new LinkedHashSet<>();
    /** The jobs in the queue: of an array only the task that starts next. */
    private final SlurmQueue queue;
    /** Jobs whose age does not count, and jobs that were such. */
    private final Set<SlurmJob> ageless = new LinkedHashSet<>();

    private int records;

    /** @param preempts whether jobs of one QOS may preempt those of another */
    PendingJobs(boolean preempts) {
        queue = new SlurmQueue(preempts);
    }

    Collection<SlurmJob> all() {
        return Collections.unmodifiableCollection(all);
    }

    /** Gives a job a record, behind all others. */
    void record(SlurmJob job) {
        job.serial = records++;
    }

    /** Takes a job that is submitted or requeued; the tasks of an array that shares its place are in the array. */
    void add(SlurmJob job) {
        all.add(job);
        if (job.array == null || job.split || job.array.next() == job) {
            queue.add(job);
        }
    }

    /** Takes a job whose start is undone; a task that had left its array for it goes back. */
    void takeBack(SlurmJob job) {
        if (job.array != null && job.splitByStart) {
            job.split = false;
            SlurmJob next = job.array.next();
            if (next != null) {
                queue.remove(next);
            }
            job.array.join(job);
        }
        job.splitByStart = false;
        all.add(job);
        queue.add(job);
    }

    /**
     * Removes a job, and takes another task of its array into its place; whether they shared one. A task that starts
     * keeps the record of its array, and those left behind get a new one.
     */
    boolean remove(SlurmJob job, boolean starts) {
        all.remove(job);
        SlurmArray array = job.array;
        if (array == null || job.split) {
            queue.remove(job);
            return false;
        }
        boolean next = array.next() == job;
        if (next) {
            queue.remove(job);
        }
        array.split(job);
        SlurmJob following = array.next();
        if (next && following != null) {
            if (starts) {
                record(following);
            } else {
                following.serial = job.serial;
            }
            queue.add(following);
        }
        return true;
    }

    /** Sets the second from which the age of a job counts; -1 for not yet. */
    void age(SlurmJob job, long second) {
        job.accrueSecond = second;
        if (second < 0) {
            ageless.add(job);
        }
    }

    /** Begins to count the age of jobs that may start. */
    void accrue(long second, Predicate<SlurmJob> mayStart) {
        for (Iterator<SlurmJob> each = ageless.iterator(); each.hasNext(); ) {
            SlurmJob job = each.next();
            if (job.accrueSecond < 0 && mayStart.test(job)) {
                job.accrueSecond = job.beginSecond > job.submitSecond ? job.beginSecond : second;
            }
            if (job.accrueSecond >= 0 || job.state == SlurmJob.State.ENDED) {
                each.remove();
            }
        }
    }

    void prioritise(SlurmJob job, long... priorities) {
        queue.prioritise(List.of(job), () -> job.prioritise(priorities));
    }

    void prioritiseAll(Function<SlurmJob, long[]> priorities) {
        queue.prioritise(all, () -> {
            for (SlurmJob job : all) {
                job.prioritise(priorities.apply(job));
            }
        });
    }

    /** The jobs that may start now, in order, for one run of a loop. */
    Iterator<SlurmQueue.Entry> run(Predicate<SlurmJob> mayStart) {
        return queue.run(mayStart);
    }
}
