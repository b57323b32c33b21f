package org.trainyard.env.gym.action;

import java.util.Arrays;
import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.scheduling.queue.JobQueue;

/**
 * The waiting jobs each agent sees: three quarters of its window least predicted work first, its own and those it may fetch from other
 * domains; one quarter its own, oldest first; without those it holds until the next event.
 */
final class JobWindows {
    /** Jobs looked at per place in the window, so that a long queue of jobs that cannot be fetched costs little. */
    private static final int LOOKED_AT = 8;

    /** Says whether an agent may fetch a job that waits in another domain. */
    interface Guests {
        boolean mayFetch(int agent, int job);
    }

    private final DomainQueues queues;
    private final Guests guests;
    private final int[][] window;
    private final int[] size;
    private long[] heldAt = new long[64];
    private long instant = -1;

    JobWindows(DomainQueues queues, int agents, int slots, Guests guests) {
        this.queues = queues;
        this.guests = guests;
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

    /** Keeps the job out of all windows for the rest of this instant. */
    void hold(int job) {
        heldAt[job] = instant;
    }

    void fill(int agent) {
        size[agent] = 0;
        int slots = window[agent].length;
        int byWork = Math.max(1, slots * 3 / 4);
        JobQueue shortest = queues.everywhere();
        int lookedAt = Math.min(shortest.size(), LOOKED_AT * slots);
        for (int i = 0; i < lookedAt && size[agent] < byWork; i++) {
            int job = shortest.job(i);
            if (queues.domainOf(job) == agent || guests.mayFetch(agent, job)) {
                offer(agent, job);
            }
        }
        addNew(agent, queues.byAge(agent), slots);
        addNew(agent, queues.byWork(agent), slots);
    }

    /** Adds jobs of the queue that are not there yet. */
    private void addNew(int agent, JobQueue queue, int slots) {
        int before = size[agent];
        for (int i = 0; i < queue.size() && size[agent] < slots; i++) {
            if (!contains(window[agent], before, queue.job(i))) {
                offer(agent, queue.job(i));
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
