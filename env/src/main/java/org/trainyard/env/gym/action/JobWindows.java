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

    /** Tells which jobs agents may fetch that wait in another domain. */
    interface FetchRule {
        /** GPUs of the job, or {@link #NOT_FETCHED} when no agent may fetch it. */
        int gpus(int job);

        /** GPUs of the widest job that the agent may fetch. */
        int mostGpus(int agent);
    }

    /** In place of the GPUs of a job that no agent may fetch. */
    static final int NOT_FETCHED = Integer.MAX_VALUE;

    private final DomainQueues queues;
    private final FetchRule fetchRule;
    /** The {@link #considered} jobs of least estimated work in all domains, as of the last {@link #consider}. */
    private final int[] shortest;

    /** By considered job, the domain in which it waits. */
    private final int[] domainOf;
    /** By considered job, its GPUs, or {@link #NOT_FETCHED}. */
    private final int[] gpus;

    private int considered;
    /** The fewest GPUs of a considered job that may be fetched, or {@link #NOT_FETCHED}. */
    private int fewestGpus;

    private boolean isStale = true;
    private final int[][] window;
    private final int[] size;
    private long[] heldAt = new long[64];
    private long instant = -1;

    JobWindows(DomainQueues queues, int agents, int slots, FetchRule fetchRule) {
        this.queues = queues;
        this.fetchRule = fetchRule;
        window = new int[agents][slots];
        size = new int[agents];
        shortest = new int[CONSIDERED_PER_SLOT * slots];
        domainOf = new int[shortest.length];
        gpus = new int[shortest.length];
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

    /** Reads the queues anew before the next window is filled. */
    void refresh() {
        isStale = true;
    }

    /** Fills the agent's window anew. */
    void fill(int agent) {
        consider();
        size[agent] = 0;
        int slots = window[agent].length;
        addShortest(agent, Math.max(1, slots * 3 / 4));
        addMissing(agent, queues.byAge(agent), slots);
        addMissing(agent, queues.byWork(agent), slots);
    }

    /** Reads once for all agents what their windows have in common. */
    private void consider() {
        if (!isStale) {
            return;
        }
        isStale = false;
        JobQueue everywhere = queues.everywhere();
        considered = Math.min(everywhere.size(), shortest.length);
        fewestGpus = NOT_FETCHED;
        for (int i = 0; i < considered; i++) {
            int job = everywhere.job(i);
            shortest[i] = job;
            domainOf[i] = queues.domainOf(job);
            gpus[i] = fetchRule.gpus(job);
            fewestGpus = Math.min(fewestGpus, gpus[i]);
        }
    }

    /** Adds considered jobs of the agent's domain and those that it may fetch, at most so many. */
    private void addShortest(int agent, int most) {
        int mostGpus = fetchRule.mostGpus(agent);
        if (mostGpus < fewestGpus) {
            addOwnConsidered(agent, queues.byWork(agent), most);
            return;
        }
        for (int i = 0; i < considered && size[agent] < most; i++) {
            if (domainOf[i] == agent || gpus[i] <= mostGpus) {
                addUnlessHeld(agent, shortest[i]);
            }
        }
    }

    /** Adds considered jobs of the agent's domain, at most so many. */
    private void addOwnConsidered(int agent, JobQueue own, int most) {
        if (considered == 0) {
            return;
        }
        int last = shortest[considered - 1];
        for (int i = 0; i < own.size() && size[agent] < most; i++) {
            int job = own.job(i);
            if (queues.isBehind(job, last)) {
                return;
            }
            addUnlessHeld(agent, job);
        }
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
