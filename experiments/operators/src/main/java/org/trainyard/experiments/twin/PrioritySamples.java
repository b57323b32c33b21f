package org.trainyard.experiments.twin;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.JobPriority;
import org.trainyard.agents.heuristic.slurm.SlurmJob;

/**
 * Every priority that a controller's log tells, calculated anew from the usage that its starts and ends make.
 *
 * <p>Simplified: (1) where the log does not say when usage decayed, it does so once a period from its first line on.
 */
final class PrioritySamples {
    private static final int KEPT = 20;

    private final LogReplay replay;
    private final JobPriority priorities;
    private final long period;
    private final boolean told;
    private long nextDecay;
    /** The last calculation; the lines of its priorities come later, but are of its second. */
    private @Nullable LogEvent decayed;

    final EqualShare equal = new EqualShare("priorities");
    final List<String> divergences = new ArrayList<>();

    private PrioritySamples(TwinFolder folder, ControllerLog log) {
        replay = new LogReplay(folder, log);
        long first = log.events().get(0).second();
        priorities = new JobPriority(replay.twin().state, first);
        period = replay.twin().cluster.priority().calcPeriodSeconds();
        told = log.hasPriorities();
        nextDecay = first + period;
    }

    static PrioritySamples of(TwinFolder folder, ControllerLog log) {
        PrioritySamples samples = new PrioritySamples(folder, log);
        for (LogEvent event : log.events()) {
            samples.take(event);
        }
        return samples;
    }

    private void take(LogEvent event) {
        while (!told && period > 0 && nextDecay <= event.second()) {
            priorities.decay(nextDecay);
            nextDecay += period;
        }
        switch (event.kind()) {
            case DECAY -> {
                priorities.decay(event.second());
                decayed = event;
            }
            case PRIORITY -> {
                SlurmJob job = first(event);
                if (job != null && job.state() == SlurmJob.State.PENDING) {
                    LogEvent at = decayed != null && event.millis() - decayed.millis() < 1000 ? decayed : event;
                    compare(event, priorities.now(job, at.second()));
                }
            }
            case SUBMIT -> {
                replay.take(event);
                SlurmJob job = first(event);
                if (job != null) {
                    compare(event, priorities.initial(job, event.second())[0]);
                }
            }
            case END, TIMEOUT, CANCELLED, PREEMPTED -> {
                for (SlurmJob job : replay.twin().named(event.job())) {
                    if (job.state() == SlurmJob.State.RUNNING) {
                        priorities.use(job, event.second());
                    }
                }
                replay.take(event);
            }
            default -> replay.take(event);
        }
    }

    private @Nullable SlurmJob first(LogEvent event) {
        List<SlurmJob> named = replay.twin().named(event.job());
        return named.isEmpty() ? null : named.get(0);
    }

    private void compare(LogEvent event, long own) {
        equal.count(own == event.number());
        if (own != event.number() && divergences.size() < KEPT) {
            divergences.add("%s: priority of job %s, past %d, twin %d"
                    .formatted(LogEvent.timeOfDay(event.millis()), event.job(), event.number(), own));
        }
    }
}
