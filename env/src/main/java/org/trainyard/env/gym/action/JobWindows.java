package org.trainyard.env.gym.action;

import java.util.Arrays;
import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.scheduling.queue.JobQueue;

/**
 * The windows of waiting jobs that agents see. Three quarters of the slots show jobs of the agent's domain and jobs that it may fetch from
 * other domains, by least estimated work; the rest shows jobs of its domain by age. Held jobs are left out until time passes.
 */
final class JobWindows {
    /** For each slot of a window, at most so many jobs are considered: most jobs of a long queue cannot be fetched. */
    private static final int CONSIDERED_PER_SLOT = 8;

    /** Tells whether an agent may fetch a job that waits in another domain. */
    interface FetchRule {
        boolean mayFetch(int agent, int job);
    }

    private final DomainQueues queues;
    private final FetchRule fetchRule;
    private final int[][] window;
    private final int[] size;
    private long[] heldAt = new long[64];
    private long instant = -1;

    JobWindows(DomainQueues queues, int agents, int slots, FetchRule fetchRule) {
        this.queues = queues;
        this.fetchRule = fetchRule;
        window = new int[agents][slots];
        size = new int[agents];
        Arrays.fill(heldAt, -1);
    }

    /** Sets the current time, which ends earlier holds, and the number of jobs submitted so far. */
    void at(long nowNanos, int arrived) {
        instant = nowNanos;
        if (heldAt.length < arrived) {
            int old = heldAt.length;
            heldAt = Arrays.copyOf(heldAt, Math.max(arrived, 2 * old));
            Arrays.fill(heldAt, old, heldAt.length, -1);
        }
    }

    /** Leaves the job out of all windows until time passes. */
    void hold(int job) {
        heldAt[job] = instant;
    }

    /** Fills the agent's window anew. */
    void fill(int agent) {
        size[agent] = 0;
        int slots = window[agent].length;
        int byWork = Math.max(1, slots * 3 / 4);
        JobQueue shortest = queues.everywhere();
        int considered = Math.min(shortest.size(), CONSIDERED_PER_SLOT * slots);
        for (int i = 0; i < considered && size[agent] < byWork; i++) {
            int job = shortest.job(i);
            if (queues.domainOf(job) == agent || fetchRule.mayFetch(agent, job)) {
                addUnlessHeld(agent, job);
            }
        }
        addMissing(agent, queues.byAge(agent), slots);
        addMissing(agent, queues.byWork(agent), slots);
    }

    /** Adds the jobs of the queue that are not in the window. */
    private void addMissing(int agent, JobQueue queue, int slots) {
        int before = size[agent];
        for (int i = 0; i < queue.size() && size[agent] < slots; i++) {
            if (!contains(window[agent], before, queue.job(i))) {
                addUnlessHeld(agent, queue.job(i));
            }
        }
    }

    private void addUnlessHeld(int agent, int job) {
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
