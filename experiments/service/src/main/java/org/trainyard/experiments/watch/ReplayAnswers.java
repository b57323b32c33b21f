package org.trainyard.experiments.watch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.util.List;
import java.util.Map;
import org.trainyard.env.simulation.EventKind;

/**
 * One run as the page asks for it: its state at a time, windows of its events with their decisions, and its queue
 * over all time.
 */
final class ReplayAnswers {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
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
     * The state after all events up to a time: {@code {"time", "next", "running": [[job, GPU, …]], "waiting":
     * [job], "waiting_count", "down": [GPU], "decisions": [the last], "jobs": {number: [name, GPUs asked]}}}. Of
     * the waiting jobs the first are named.
     */
    ObjectNode state(double second) {
        int next = replay.eventsUntil(second);
        ReplayedState state = replay.stateBefore(next);
        ObjectNode node = JSON.objectNode().put("time", second).put("next", next);
        ObjectNode jobs = JSON.objectNode();
        ArrayNode running = node.putArray("running");
        for (int job : state.running()) {
            ArrayNode one = running.addArray().add(job);
            for (int gpu : state.gpusOf(job)) {
                one.add(gpu);
            }
            name(jobs, job);
        }
        List<Integer> waits = state.waiting();
        ArrayNode waiting = node.putArray("waiting");
        for (int job : waits.subList(0, Math.min(MOST_WAITING, waits.size()))) {
            waiting.add(job);
            name(jobs, job);
        }
        node.put("waiting_count", waits.size());
        ArrayNode down = node.putArray("down");
        for (int gpu : state.down()) {
            down.add(gpu);
        }
        node.set("jobs", jobs);
        add(node.putArray("decisions"), decisions.last(second, LAST_DECISIONS));
        return node;
    }

    private static void add(ArrayNode array, List<String> texts) {
        texts.forEach(text -> array.addRawValue(new RawValue(text)));
    }

    private void name(ObjectNode jobs, int job) {
        String name = replay.name(job);
        Integer gpus = gpusAsked.get(name);
        ArrayNode one = jobs.putArray(Integer.toString(job)).add(name);
        if (gpus != null) {
            one.add(gpus);
        }
    }

    /**
     * Events from an index on, and the decisions from the instant of the first to the instant of the last: {@code
     * {"from", "events": [[seconds, kind, job, GPU, …]], "decisions": […], "jobs"}}. A window that does not reach
     * the end ends between two instants where it can.
     */
    ObjectNode window(int from, int count) {
        int begin = Math.max(0, Math.min(from, replay.size()));
        int end = endOfInstant(begin, Math.min(replay.size(), begin + count));
        ObjectNode node = JSON.objectNode().put("from", begin);
        ObjectNode jobs = JSON.objectNode();
        ArrayNode events = node.putArray("events");
        for (int event = begin; event < end; event++) {
            EventKind kind = replay.kind(event);
            ArrayNode one = events.addArray()
                    .add(replay.seconds(event))
                    .add(kind.name())
                    .add(replay.job(event));
            for (int gpu : replay.gpus(event)) {
                one.add(gpu);
            }
            if (kind.isOfJob()) {
                name(jobs, replay.job(event));
            }
        }
        double after = begin == 0 ? Double.NEGATIVE_INFINITY : replay.seconds(begin - 1);
        double until = end == replay.size() ? Double.POSITIVE_INFINITY : replay.seconds(end - 1);
        add(node.putArray("decisions"), decisions.between(after, until, MOST_DECISIONS));
        node.set("jobs", jobs);
        return node;
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

    /** The longest queue in each of some equal intervals of time: {@code {"end", "queue": [jobs]}}. */
    ObjectNode overview(int intervals) {
        ObjectNode node = JSON.objectNode();
        double end = replay.size() == 0 ? 0 : replay.seconds(replay.size() - 1);
        int[] longest = new int[intervals];
        int waiting = 0;
        int at = 0;
        for (int event = 0; event < replay.size(); event++) {
            int interval = end == 0 ? 0 : (int) Math.min(intervals - 1, replay.seconds(event) / end * intervals);
            while (at < interval) {
                longest[++at] = waiting;
            }
            waiting += change(replay.kind(event));
            longest[at] = Math.max(longest[at], waiting);
        }
        node.put("end", end);
        ArrayNode queue = node.putArray("queue");
        for (int jobs : longest) {
            queue.add(jobs);
        }
        return node;
    }

    private static int change(EventKind kind) {
        return switch (kind) {
            case ARRIVE, PREEMPT, KILL -> 1;
            case START, REJECT -> -1;
            case FINISH, RESIZE, FORWARD, DOWN, UP, FREEZE, HOST_CPU, HOST_MEMORY, HOLD, TIMEOUT -> 0;
        };
    }
}
