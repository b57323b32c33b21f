package org.trainyard.experiments.watch;

import com.fasterxml.jackson.databind.util.RawValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.trainyard.env.simulation.EventKind;

/**
 * One run as the page asks for it: its state at a time, windows of its events with their decisions, and its queue over
 * all time.
 */
final class ReplayAnswers {
    private static final int MOST_WAITING = 500;
    private static final int MOST_DECISIONS = 2_000;
    private static final int LAST_DECISIONS = 9;

    private final Replay replay;
    private final DecisionPages decisions;
    private final Map<String, Integer> gpusAsked;

    ReplayAnswers(Replay replay, DecisionPages decisions, Map<String, Integer> gpusAsked) {
        this.replay = replay;
        this.decisions = decisions;
        this.gpusAsked = gpusAsked;
    }

    /**
     * The state after all events up to a time.
     *
     * @param running a job and its GPUs each
     * @param waiting the first of those that wait
     * @param jobs name and GPUs asked for, by number
     */
    record State(
            double time,
            int next,
            List<List<Integer>> running,
            List<Integer> waiting,
            int waitingCount,
            List<Integer> down,
            Map<Integer, List<Object>> jobs,
            List<RawValue> decisions) {}

    /**
     * Events from an index on, and the decisions from the instant of the first to the instant of the last.
     *
     * @param events seconds, kind, job and GPUs each
     */
    record Window(int from, List<List<Object>> events, List<RawValue> decisions, Map<Integer, List<Object>> jobs) {}

    /** The longest queue in each of some equal intervals of time. */
    record Overview(double end, List<Integer> queue, double busiest) {}

    State state(double second) {
        int next = replay.eventsUntil(second);
        ReplayedState state = replay.stateBefore(next);
        List<List<Integer>> running = new ArrayList<>();
        for (int job : state.running()) {
            List<Integer> one = new ArrayList<>(List.of(job));
            Arrays.stream(state.gpusOf(job)).forEach(one::add);
            running.add(one);
        }
        List<Integer> waits = state.waiting();
        List<Integer> first = waits.subList(0, Math.min(MOST_WAITING, waits.size()));
        return new State(
                second,
                next,
                running,
                first,
                waits.size(),
                Arrays.stream(state.down()).boxed().toList(),
                named(Stream.concat(state.running().stream(), first.stream())),
                raw(decisions.last(second, LAST_DECISIONS)));
    }

    private static List<RawValue> raw(List<String> texts) {
        return texts.stream().map(RawValue::new).toList();
    }

    private Map<Integer, List<Object>> named(Stream<Integer> jobs) {
        Map<Integer, List<Object>> named = new LinkedHashMap<>();
        jobs.forEach(job -> {
            String name = replay.name(job);
            Integer gpus = gpusAsked.get(name);
            named.put(job, gpus == null ? List.of(name) : List.of(name, gpus));
        });
        return named;
    }

    /** A window that does not reach the end ends between two instants where it can. */
    Window window(int from, int count) {
        int begin = Math.max(0, Math.min(from, replay.size()));
        int end = endOfInstant(begin, Math.min(replay.size(), begin + count));
        List<List<Object>> events = new ArrayList<>();
        for (int event = begin; event < end; event++) {
            List<Object> one = new ArrayList<>(List.of(replay.seconds(event), replay.kind(event), replay.job(event)));
            Arrays.stream(replay.gpus(event)).forEach(one::add);
            events.add(one);
        }
        double after = begin == 0 ? Double.NEGATIVE_INFINITY : replay.seconds(begin - 1);
        double until = end == replay.size() ? Double.POSITIVE_INFINITY : replay.seconds(end - 1);
        return new Window(
                begin,
                events,
                raw(decisions.between(after, until, MOST_DECISIONS)),
                named(IntStream.range(begin, end)
                        .filter(event -> replay.kind(event).isOfJob())
                        .mapToObj(replay::job)));
    }

    /**
     * The last index, at least {@code begin + 1}, up to {@code end} at which an instant ends; beyond it when the
     * instant is longer.
     */
    private int endOfInstant(int begin, int end) {
        int cut = end;
        while (cut > begin + 1 && cut < replay.size() && replay.seconds(cut - 1) == replay.seconds(cut)) {
            cut--;
        }
        if (cut > begin + 1 || cut >= replay.size()) {
            return cut;
        }
        while (cut < replay.size() && replay.seconds(cut - 1) == replay.seconds(cut)) {
            cut++;
        }
        return cut;
    }

    Overview overview(int intervals) {
        double end = replay.size() == 0 ? 0 : replay.seconds(replay.size() - 1);
        int[] longest = new int[intervals];
        int waiting = 0;
        int most = 0;
        double busiest = end / 2;
        int at = 0;
        for (int event = 0; event < replay.size(); event++) {
            int interval = end == 0 ? 0 : (int) Math.min(intervals - 1, replay.seconds(event) / end * intervals);
            while (at < interval) {
                longest[++at] = waiting;
            }
            waiting += change(replay.kind(event));
            longest[at] = Math.max(longest[at], waiting);
            if (waiting > most) {
                most = waiting;
                busiest = replay.seconds(event);
            }
        }
        return new Overview(end, Arrays.stream(longest).boxed().toList(), busiest);
    }

    private static int change(EventKind kind) {
        return switch (kind) {
            case ARRIVE, PREEMPT, KILL -> 1;
            case START, REJECT -> -1;
            case FINISH, RESIZE, FORWARD, DOWN, UP, FREEZE, HOST_CPU, HOST_MEMORY, HOLD, TIMEOUT -> 0;
        };
    }
}
