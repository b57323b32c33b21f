package org.trainyard.experiments.advice;

import org.trainyard.env.Counted;
import org.trainyard.experiments.io.Progress;

/** Progress of replays that run at once, in jobs done. */
final class ReplayProgress implements AutoCloseable {
    private final Progress progress;
    private final int replays;
    private final long jobs;
    private long jobsDone;
    private int replaysDone;

    ReplayProgress(String task, int replays, int jobs) {
        this.replays = replays;
        this.jobs = jobs;
        progress = Progress.start(task, Math.max(1, (long) replays * jobs));
    }

    /** A replay has finished some more jobs. */
    synchronized void add(int more) {
        jobsDone += more;
        progress.to(jobsDone, Counted.say("%d of %d replays", replaysDone, replays));
    }

    /** A replay has ended, and {@code missing} of its jobs will not finish. */
    synchronized void end(long missing) {
        replaysDone++;
        jobsDone = Math.min(replays * jobs, jobsDone + missing);
        progress.to(jobsDone, Counted.say("%d of %d replays", replaysDone, replays));
    }

    @Override
    public synchronized void close() {
        progress.close();
    }
}
