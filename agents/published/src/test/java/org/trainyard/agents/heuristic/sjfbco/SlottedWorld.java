package org.trainyard.agents.heuristic.sjfbco;

import java.util.Arrays;
import java.util.List;

/**
 * The problem SJF-BCO solves, small and in slots, by a plain program of the paper's equations (1) to (6) in whole
 * numbers: jobs of so many GPUs and so much work; servers; and the work a job does in a slot, by the number of servers
 * it is on and its contention degree.
 *
 * @param gpusOn GPUs of each server
 * @param gpus of each job
 * @param work of each job
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record SlottedWorld(int[] gpusOn, int[] gpus, int[] work) {
    private static final int FULL_SPEED = 12;

    /**
     * Work in a slot, at least 1: less by one for each further server and by three for each further ring on the worst
     * server.
     */
    int speed(int servers, int rings) {
        return Math.max(1, FULL_SPEED - (servers - 1) - 3 * Math.max(0, rings - 1));
    }

    int jobs() {
        return gpus.length;
    }

    /** The fewest slots a job can take. */
    int leastSlots(int job) {
        int most = 0;
        for (int servers = 1; servers <= gpusOn.length; servers++) {
            most = servers <= gpus[job] && canSpan(job, servers) ? Math.max(most, speed(servers, 0)) : most;
        }
        return (work[job] + most - 1) / most;
    }

    /** The most slots it can take. */
    int mostSlots(int job) {
        int least = speed(Math.min(gpus[job], gpusOn.length), jobs());
        return (work[job] + least - 1) / least;
    }

    private boolean canSpan(int job, int servers) {
        int[] sorted = gpusOn.clone();
        Arrays.sort(sorted);
        int room = 0;
        for (int i = 0; i < servers; i++) {
            room += sorted[sorted.length - 1 - i];
        }
        return room >= gpus[job];
    }

    /** Slots until all is done when every GPU runs its gangs in the order of the plan. */
    int makespan(List<BatchPlan.Placed> plan, int[] serverOf) {
        int[] left = work.clone();
        int slot = 0;
        while (Arrays.stream(left).anyMatch(rest -> rest > 0)) {
            boolean[] isTaken = new boolean[serverOf.length];
            boolean[] isRunning = new boolean[jobs()];
            int[][] on = new int[jobs()][gpusOn.length];
            for (BatchPlan.Placed placed : plan) {
                int job = placed.gang().job();
                if (left[job] > 0) {
                    // Who runs is first on all its GPUs, and so are those who did in the slot before: nobody is
                    // preempted.
                    isRunning[job] = Arrays.stream(placed.gpus()).noneMatch(gpu -> isTaken[gpu]);
                    for (int gpu : placed.gpus()) {
                        isTaken[gpu] = true;
                        on[job][serverOf[gpu]]++;
                    }
                }
            }
            for (int job = 0; job < jobs(); job++) {
                if (isRunning[job]) {
                    left[job] -= speed(spread(on[job]), rings(job, on, isRunning));
                }
            }
            slot++;
        }
        return slot;
    }

    private static int spread(int[] on) {
        return (int) Arrays.stream(on).filter(count -> count > 0).count();
    }

    private int rings(int job, int[][] on, boolean[] isRunning) {
        int most = 0;
        for (int server = 0; server < gpusOn.length; server++) {
            if (on[job][server] > 0 && on[job][server] < gpus[job]) {
                int rings = 0;
                for (int other = 0; other < jobs(); other++) {
                    rings += isRunning[other] && on[other][server] > 0 && on[other][server] < gpus[other] ? 1 : 0;
                }
                most = Math.max(most, rings);
            }
        }
        return most;
    }
}
