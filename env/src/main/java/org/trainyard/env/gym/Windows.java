package org.trainyard.env.gym;

import java.util.Arrays;

/**
 * The waiting jobs each agent sees: three quarters of its window least predicted work first, one quarter oldest first, without those
 * it holds until the next event.
 */
final class Windows {
    private final DomainQueues queues;
    private final int[][] window;
    private final int[] size;
    private long[] heldAt = new long[64];
    private long instant = -1;

    Windows(DomainQueues queues, int agents, int slots) {
        this.queues = queues;
        window = new int[agents][slots];
        size = new int[agents];
        Arrays.fill(heldAt, -1);
    }

    /** Time stands at this instant, so many jobs have arrived: what was held at an earlier one is held no more. */
    void at(long nowNanos, int arrived) {
        instant = nowNanos;
        if (heldAt.length < arrived) {
            int old = heldAt.length;
            heldAt = Arrays.copyOf(heldAt, Math.max(arrived, 2 * old));
            Arrays.fill(heldAt, old, heldAt.length, -1);
        }
    }

    /** Keeps the job out of its agent's window for the rest of this instant. */
    void hold(int job) {
        heldAt[job] = instant;
    }

    void fill(int agent) {
        size[agent] = 0;
        int byWork = Math.max(1, window[agent].length * 3 / 4);
        JobQueue shortest = queues.byWork(agent);
        for (int i = 0; i < shortest.size() && size[agent] < byWork; i++) {
            offer(agent, shortest.job(i));
        }
        int byWorkSize = size[agent];
        JobQueue oldest = queues.byAge(agent);
        for (int i = 0; i < oldest.size() && size[agent] < window[agent].length; i++) {
            if (!contains(window[agent], byWorkSize, oldest.job(i))) {
                offer(agent, oldest.job(i));
            }
        }
    }

    private void offer(int agent, int job) {
        if (heldAt[job] != instant) {
            window[agent][size[agent]++] = job;
        }
    }

    private static boolean contains(int[] jobs, int size, int job) {
        for (int i = 0; i < size; i++) {
            if (jobs[i] == job) {
                return true;
            }
        }
        return false;
    }

    int size(int agent) {
        return size[agent];
    }

    int job(int agent, int slot) {
        return window[agent][slot];
    }
}
