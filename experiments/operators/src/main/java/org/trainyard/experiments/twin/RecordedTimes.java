package org.trainyard.experiments.twin;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;

/**
 * Inputs of a free run from a recording: external events (submissions, cancellations, drained nodes, holds,
 * reservations), the run time of each job and the cleaning time of its nodes, and the times of the loops.
 *
 * <p>Simplified: (1) a job that never ran to its end in the recording runs as long as its longest run, or until its
 * limit; without a log of the controller, one that was cancelled is so at that time, whether it waits or runs then; (2)
 * nodes are cleaned as {@link CleaningTimes} finds.
 */
final class RecordedTimes {
    private static final Set<LogEvent.Kind> OUTSIDE = Set.of(
            LogEvent.Kind.SUBMIT,
            LogEvent.Kind.CANCELLED,
            LogEvent.Kind.DRAIN,
            LogEvent.Kind.RESUME,
            LogEvent.Kind.HOLD,
            LogEvent.Kind.RELEASE,
            LogEvent.Kind.RESERVATION);

    private static final long DAY = 86_400_000;

    private final RecordedJobs jobs;
    private final List<LogEvent> outside = new ArrayList<>();
    private final List<LogEvent> cycles = new ArrayList<>();
    private final Map<String, Long> run = new HashMap<>();
    private final Map<String, TwinRun> last = new HashMap<>();
    /** Jobs of which the accounting has a run that was not requeued. */
    private final Set<String> ended = new HashSet<>();

    private final Set<String> failed = new HashSet<>();
    private final Set<String> backfilled = new HashSet<>();
    private final Map<String, String> plans = new HashMap<>();
    private final @Nullable CleaningTimes cleaning;
    private final @Nullable ControllerLog log;
    private long latest;
    private long firstDecay;

    /** @param heldBack runs of the main scheduler that show that a node was not clean, for {@link CleaningTimes} */
    RecordedTimes(TwinFolder folder, List<PerCycle.HeldBack> heldBack) {
        jobs = folder.jobs();
        log = folder.log();
        cleaning = log == null ? null : CleaningTimes.of(log, heldBack);
        for (TwinRun each : jobs.runs()) {
            take(each);
        }
        if (log == null) {
            for (TwinJob job : jobs.jobs().values()) {
                outside.add(new LogEvent(
                        job.submitSecond() * 1000, LogEvent.Kind.SUBMIT, Long.toString(job.id()), 0, 0, List.of()));
            }
            for (TwinRun each : jobs.runs()) {
                if (each.cancelled() && each.endMillis() >= 0) {
                    outside.add(LogEvent.cancelled(each, 0));
                }
                if (!each.well()) {
                    failed.add(each.job());
                }
            }
            outside.sort(Comparator.comparingLong(LogEvent::millis));
        } else {
            take(log);
        }
        latest += DAY;
        if (firstDecay == 0) {
            firstDecay = outside.get(0).millis();
        }
    }

    private void take(TwinRun each) {
        if (each.startMillis() >= 0) {
            long millis = each.endMillis() - each.startMillis();
            if (!each.requeued()) {
                run.put(each.job(), millis);
                ended.add(each.job());
            } else if (!ended.contains(each.job())) {
                run.merge(each.job(), millis, Math::max);
            }
            latest = Math.max(latest, each.endMillis());
        }
        last.put(each.job(), each);
    }

    /**
     * Takes the times of a log, which are exact, and jobs that the accounting lost. A job has started when the cycle
     * that started it began; its line in the log is some milliseconds later.
     */
    private void take(ControllerLog log) {
        Map<String, LogEvent> starts = new HashMap<>();
        Map<String, Long> submitted = new HashMap<>();
        Map<String, Long> decided = new HashMap<>();
        long cycle = 0;
        for (LogEvent event : log.events()) {
            latest = Math.max(latest, event.millis());
            LogEvent.Kind kind = event.kind();
            if (OUTSIDE.contains(kind)) {
                outside.add(event);
            }
            switch (kind) {
                case SUBMIT -> submitted.put(event.job(), event.millis());
                case MAIN, MAIN_FULL, BACKFILL -> {
                    cycles.add(event);
                    cycle = event.millis();
                }
                case DECAY -> {
                    cycles.add(event);
                    firstDecay = firstDecay == 0 ? event.millis() : firstDecay;
                }
                case START -> {
                    starts.put(event.job(), event);
                    boolean told = cycle > 0 && (log.hasMainCycles() || event.number() == 1);
                    decided.put(event.job(), told ? cycle : event.millis());
                    if (event.number() == 1) {
                        backfilled.add(event.job());
                    } else {
                        backfilled.remove(event.job());
                    }
                }
                case PLAN ->
                    plans.put(
                            event.job(),
                            Counted.say(
                                    ", planned before for %d s later, on %d nodes",
                                    event.number() - event.second(),
                                    event.names().size()));
                case PREEMPTED -> submitted.put(event.job(), event.second() * 1000);
                case END, TIMEOUT, CANCELLED -> {
                    Long start = decided.get(event.job());
                    if (start != null) {
                        run.put(event.job(), event.millis() - start);
                        if (kind != LogEvent.Kind.END) {
                            failed.add(event.job());
                        }
                    }
                }
                default -> {
                    // not a time that is needed
                }
            }
        }
        starts.forEach((job, start) -> {
            String array = job.contains("_") ? job.substring(0, job.indexOf('_')) : job;
            long submit = submitted.getOrDefault(job, submitted.getOrDefault(array, start.millis()));
            last.put(
                    job,
                    new TwinRun(
                            job,
                            Math.floorDiv(submit, 1000),
                            start.millis(),
                            start.millis() + run.getOrDefault(job, 0L),
                            start.names(),
                            false,
                            false,
                            true));
        });
    }

    List<LogEvent> outside() {
        return outside;
    }

    /** The recorded runs of the loops and calculations of priorities. */
    List<LogEvent> cycles() {
        return cycles;
    }

    /** Whether all runs of the loops are recorded. */
    boolean hasCycles() {
        return log != null && log.hasMainCycles();
    }

    /** The last run of each job or task; without a start for those that never ran. */
    Map<String, TwinRun> last() {
        return last;
    }

    /** Whether the last start of a job was the backfill loop's. */
    boolean backfilled(String job) {
        return backfilled.contains(job);
    }

    /** The last plan of a job, in words; empty for none. */
    String plan(String job) {
        return plans.getOrDefault(job, "");
    }

    long runMillis(String job) {
        Long millis = run.get(job);
        if (millis != null) {
            return millis;
        }
        String array = job.contains("_") ? job.substring(0, job.indexOf('_')) : job;
        TwinJob known = jobs.jobs().get(Long.parseLong(array));
        return known == null || known.limitSeconds() < 0 ? 60_000 : known.limitSeconds() * 1000;
    }

    boolean endedWell(String job) {
        return !failed.contains(job);
    }

    long cleaningMillis(String job) {
        return cleaning == null ? LogReplay.COMPLETING_MILLIS : cleaning.millis(job);
    }

    /** How long the nodes of a job are cleaned that gave way for so many times before. */
    CleaningTimes.Victim victim(String job, int before) {
        return cleaning == null
                ? new CleaningTimes.Victim(Map.of(), CleaningTimes.KILLED_MILLIS)
                : cleaning.victim(job, before);
    }

    long firstDecayMillis() {
        return firstDecay;
    }

    /** When a free run is given up. */
    long latestMillis() {
        return latest;
    }
}
