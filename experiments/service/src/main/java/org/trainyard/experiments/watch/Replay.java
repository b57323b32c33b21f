package org.trainyard.experiments.watch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.env.simulation.EventKind;

/**
 * The events of a run with its state at some of them, the keyframes, from which the state at any event follows.
 *
 * <p>Between two keyframes lie as many events as the state is large, and never fewer than {@value #LEAST_SPACING}; so
 * all keyframes together are of the size of the events, and any state is found in the time to apply a few events.
 */
final class Replay {
    static final int LEAST_SPACING = 1_000;
    private static final EventKind[] KINDS = EventKind.values();

    private final List<String> names = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private double[] seconds = new double[1024];
    private byte[] kinds = new byte[1024];
    private int[] jobs = new int[1024];
    private int[][] gpus = new int[1024][];
    private int size;

    private final List<Integer> keyframes = new ArrayList<>();
    private final List<ReplayedState> states = new ArrayList<>();
    private final ReplayedState last;
    private int nextKeyframe;

    Replay(RecordedCluster cluster) {
        last = new ReplayedState(cluster.gpus());
    }

    /** Adds the next event; {@code job} is empty for a DOWN or an UP. */
    void add(double second, EventKind kind, String job, int[] itsGpus) {
        if (size == nextKeyframe) {
            keyframes.add(size);
            states.add(last.copy());
            nextKeyframe = size + Math.max(LEAST_SPACING, last.size());
        }
        if (size == kinds.length) {
            seconds = Arrays.copyOf(seconds, 2 * size);
            kinds = Arrays.copyOf(kinds, 2 * size);
            jobs = Arrays.copyOf(jobs, 2 * size);
            gpus = Arrays.copyOf(gpus, 2 * size);
        }
        seconds[size] = second;
        kinds[size] = (byte) Arrays.binarySearch(KINDS, kind);
        jobs[size] = kind.isOfJob() ? number(job) : -1;
        gpus[size] = itsGpus;
        last.apply(kind, jobs[size], itsGpus);
        size++;
    }

    private int number(String job) {
        return numbers.computeIfAbsent(job, name -> {
            names.add(name);
            return names.size() - 1;
        });
    }

    /** Number of events. */
    int size() {
        return size;
    }

    double seconds(int event) {
        return seconds[event];
    }

    EventKind kind(int event) {
        return KINDS[kinds[event]];
    }

    /** The number of the event's job, or -1. */
    int job(int event) {
        return jobs[event];
    }

    int[] gpus(int event) {
        return gpus[event];
    }

    String name(int job) {
        return names.get(job);
    }

    /** Number of events up to a time, inclusive. */
    int eventsUntil(double second) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (seconds[middle] <= second) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The state before the event of this index. */
    ReplayedState stateBefore(int event) {
        if (size == 0) {
            return last.copy();
        }
        int found = Collections.binarySearch(keyframes, event);
        int keyframe = found >= 0 ? found : -found - 2;
        ReplayedState state = states.get(keyframe).copy();
        for (int i = keyframes.get(keyframe); i < event; i++) {
            state.apply(kind(i), jobs[i], gpus[i]);
        }
        return state;
    }
}
