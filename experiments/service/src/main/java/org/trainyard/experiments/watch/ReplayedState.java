package org.trainyard.experiments.watch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trainyard.env.simulation.EventKind;

/** State of a recorded run after some of its events: waiting jobs, running jobs with their GPUs, and outages. */
final class ReplayedState {
    private static final int[] NO_GPUS = {};

    private final Map<Integer, int[]> running = new HashMap<>();
    private final Set<Integer> waiting = new LinkedHashSet<>();
    private final int[] outages;

    ReplayedState(int gpus) {
        outages = new int[gpus];
    }

    ReplayedState copy() {
        ReplayedState copy = new ReplayedState(outages.length);
        copy.running.putAll(running);
        copy.waiting.addAll(waiting);
        System.arraycopy(outages, 0, copy.outages, 0, outages.length);
        return copy;
    }

    /** @param gpus of a START, a RESIZE, a DOWN or an UP; not changed later */
    void apply(EventKind kind, int job, int[] gpus) {
        switch (kind) {
            case ARRIVE -> waiting.add(job);
            case START -> {
                waiting.remove(job);
                running.put(job, gpus);
            }
            case RESIZE -> running.put(job, gpus);
            case FINISH, TIMEOUT -> running.remove(job);
            case PREEMPT, KILL -> {
                running.remove(job);
                waiting.add(job);
            }
            case DOWN, UP -> {
                for (int gpu : gpus) {
                    outages[gpu] += kind == EventKind.DOWN ? 1 : -1;
                }
            }
            case REJECT -> waiting.remove(job);
            case FORWARD, FREEZE, HOST_CPU, HOST_MEMORY, HOLD -> {}
        }
    }

    /** About how many numbers this state keeps. */
    int size() {
        return outages.length + waiting.size() + running.size();
    }

    /** Jobs that wait, in the order in which they entered the queue. */
    List<Integer> waiting() {
        return new ArrayList<>(waiting);
    }

    /** Jobs that run, in increasing order. */
    List<Integer> running() {
        List<Integer> jobs = new ArrayList<>(running.keySet());
        jobs.sort(null);
        return jobs;
    }

    /** The GPUs of a running job. */
    int[] gpusOf(int job) {
        return running.getOrDefault(job, NO_GPUS);
    }

    /** GPUs that are out of order. */
    int[] down() {
        int[] down = new int[outages.length];
        int count = 0;
        for (int gpu = 0; gpu < outages.length; gpu++) {
            if (outages[gpu] > 0) {
                down[count++] = gpu;
            }
        }
        return Arrays.copyOf(down, count);
    }
}
