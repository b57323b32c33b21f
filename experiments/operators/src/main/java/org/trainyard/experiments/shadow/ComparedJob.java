package org.trainyard.experiments.shadow;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.workload.TraceJob;

/**
 * A job as the real scheduler treated it and as the shadow would have.
 *
 * @param realStartSeconds its first start, from the log's zero; of a job that waits, the time of the last look
 * @param shadowStartSeconds likewise in the shadow
 * @param realWaitSeconds all of its time without GPUs before its end; of one that waits, so far
 * @param shadowWaitSeconds likewise in the shadow
 * @param isOpen whether its real end is not known yet
 */
public record ComparedJob(
        TraceJob job,
        double realStartSeconds,
        double shadowStartSeconds,
        double realWaitSeconds,
        double shadowWaitSeconds,
        boolean isOpen) {
    /** Time that it would have waited less; negative when longer. */
    double savedSeconds() {
        return realWaitSeconds - shadowWaitSeconds;
    }

    /** How much later the shadow starts it; negative when earlier. */
    double laterSeconds() {
        return shadowStartSeconds - realStartSeconds;
    }

    /** GPU-hours of waiting that would have been saved. */
    double savedGpuHours() {
        return savedSeconds() * job.gpus() / 3600;
    }

    double submitSeconds() {
        return job.submitNanos() / 1e9;
    }

    /** The job, its width and its owner. */
    String words() {
        @Nullable String owner = job.terms().account() != null ? job.terms().account() : job.user();
        return Counted.say("job %s, %,d GPUs%s", job.id(), job.gpus(), owner == null ? "" : ", " + owner);
    }
}
