package org.trainyard.experiments.waitreasons;

import java.util.List;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/** Notes why one job waits whenever a scheduler has nothing more to decide and the reasons are others. */
public final class ExplainedScheduler implements Scheduler {
    /** The reasons from an instant on; none once the job has started. */
    public record Note(long nanos, WaitReasons why) {}

    private final Scheduler scheduler;
    private final Scheduler inner;
    private final int job;
    private final List<Note> notes;
    private String last = "";

    /**
     * @param scheduler that decides
     * @param inner the same, or the one inside of it that ranks jobs
     * @param notes gets what is noted
     */
    public ExplainedScheduler(Scheduler scheduler, Scheduler inner, int job, List<Note> notes) {
        this.scheduler = scheduler;
        this.inner = inner;
        this.job = job;
        this.notes = notes;
    }

    @Override
    public Decision decide(SimView view) {
        Decision decision = scheduler.decide(view);
        boolean starts = decision instanceof Decision.Start start && start.job() == job;
        if (starts || (decision instanceof Decision.Wait && job < view.arrived())) {
            WaitReasons why = starts ? new WaitReasons(List.of(), List.of()) : WaitReasons.of(view, inner, job);
            String words = why.words() + why.ahead().size();
            if (!words.equals(last)) {
                last = words;
                notes.add(new Note(view.nowNanos(), why));
            }
        }
        return decision;
    }
}
