package org.trainyard.experiments.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.policy.ChoiceListener;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.EventSink;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.evaluation.RunLogs;
import org.trainyard.experiments.evaluation.RunRecording;
import org.trainyard.experiments.waitreasons.ExplainedScheduler;

/**
 * Records the runs of a command: a {@link RunTimeline} of each and, when asked for, its events and decisions.
 *
 * <p>Runs may be parallel unless events or decisions are written. Memory grows with the number of runs, not with their
 * length.
 */
public final class RunRecorder implements RunRecording {
    private static final int POINTS = 2_000;
    private static final int FEWEST_POINTS = 64;
    private static final int BARS = 5_000;
    private static final int FEWEST_BARS = 250;
    /** Bars of all runs together. */
    private static final int ALL_BARS = 20_000;

    /** Makes recorders. */
    public static final class Recorders implements RunRecording.Source {
        @Override
        public RunRecording of(Topology topology, int schedulers, int episodes) {
            return new RunRecorder(topology, schedulers, episodes);
        }
    }

    private record Recording(
            String scheduler, int episode, Topology topology, SeriesRecorder series, JobHistories jobs) {
        RunTimeline timeline() {
            return new RunTimeline(scheduler, episode, topology, series.series(), jobs);
        }
    }

    private final Topology topology;
    private final int episodes;
    private final int points;
    private final int bars;
    private final List<EventsJsonl> events = new ArrayList<>();
    private @Nullable DecisionsJsonl decisions;
    private final List<Recording> recordings = new ArrayList<>();
    private @Nullable String explained;
    private final Map<String, List<ExplainedScheduler.Note>> notes = new LinkedHashMap<>();

    /**
     * A recorder of some runs.
     *
     * @param schedulers how many will run
     * @param episodes how many each will run
     */
    public RunRecorder(Topology topology, int schedulers, int episodes) {
        this.topology = topology;
        this.episodes = episodes;
        points = Math.max(FEWEST_POINTS, POINTS / Math.max(1, episodes) / 2 * 2);
        bars = Math.max(FEWEST_BARS, Math.min(BARS, ALL_BARS / Math.max(1, schedulers)));
    }

    /** Also writes all events to a log; runs must then follow each other. */
    void writing(EventsJsonl log) {
        events.add(log);
    }

    /** Also writes all decisions to a log; runs must then follow each other. */
    void writing(DecisionsJsonl log) {
        decisions = log;
    }

    @Override
    public boolean isWriting() {
        return !events.isEmpty() || decisions != null;
    }

    @Override
    public boolean records(int episode) {
        return episode < episodes;
    }

    /** Only first episodes keep the histories of jobs. */
    @Override
    public EventSink sink(String scheduler, int episode, Workload workload) {
        Recording recording = new Recording(
                scheduler,
                episode,
                topology,
                new SeriesRecorder(topology, workload, points),
                new JobHistories(workload, episode == 0 ? bars : 0));
        synchronized (recordings) {
            recordings.add(recording);
        }
        EventSink sink = episode == 0 ? recording.series().then(recording.jobs()) : recording.series();
        for (EventsJsonl log : events) {
            sink = sink.then(episodes > 1 ? log.run(scheduler, episode, workload) : log.run(scheduler, workload));
        }
        return sink;
    }

    @Override
    public Scheduler scheduler(
            String name, int episode, Workload workload, Function<@Nullable ChoiceListener, Scheduler> fresh) {
        Scheduler[] inner = new Scheduler[1];
        Function<@Nullable ChoiceListener, Scheduler> kept = listener -> inner[0] = fresh.apply(listener);
        Scheduler made = decisions == null
                ? kept.apply(null)
                : new RecordedScheduler(decisions, new DecisionsJsonl.Run(name, episode, workload), kept);
        return explained == null || episode > 0 ? made : explained(explained, name, workload, made, inner[0]);
    }

    @Override
    public <R> R writing(RunLogs logs, Supplier<R> runs) {
        List<R> result = new ArrayList<>();
        write(logs, () -> result.add(runs.get()));
        return result.get(0);
    }

    /** Makes runs that write these logs; files appear when all runs are done. */
    public void write(RunLogs logs, Runnable runs) {
        new RunLogFiles(logs).write(this, topology, runs);
    }

    @Override
    public Timelines recorded(List<String> schedulers) {
        return new RecordedTimelines(timelines(schedulers));
    }

    /** Also notes why a job waits, in the first episode of each scheduler. */
    public void explaining(String job) {
        explained = job;
    }

    /** Why the job waited, by scheduler. */
    public Map<String, List<ExplainedScheduler.Note>> explanations() {
        return notes;
    }

    private Scheduler explained(String job, String name, Workload workload, Scheduler made, Scheduler inner) {
        List<ExplainedScheduler.Note> list = new ArrayList<>();
        for (int id = 0; id < workload.size(); id++) {
            if (workload.job(id).name().equals(job)) {
                synchronized (recordings) {
                    notes.put(name, list);
                }
                return new ExplainedScheduler(made, inner, id, list);
            }
        }
        throw InputException.at("--explain", job, Counted.say("the id of one of the %,d jobs", workload.size()));
    }

    /**
     * Recorded timelines, by scheduler in the order of these names, then by episode; runs of other schedulers are left
     * out.
     */
    public List<RunTimeline> timelines(List<String> schedulers) {
        synchronized (recordings) {
            return recordings.stream()
                    .filter(recording -> schedulers.contains(recording.scheduler()))
                    .sorted(Comparator.<Recording>comparingInt(one -> schedulers.indexOf(one.scheduler()))
                            .thenComparingInt(Recording::episode))
                    .map(Recording::timeline)
                    .toList();
        }
    }
}
