package org.trainyard.env.gym.action;

import java.util.Arrays;
import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.scheduling.queue.JobQueue;

/**
 * The windows of waiting jobs that agents see. Three quarters of the slots show jobs of the agent's domain and jobs
 * that it may fetch from other domains, by least estimated work; the rest shows jobs of its domain by age. Held
 * jobs are left out until time passes.
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
    /** By domain, the place in {@link #shortest} of the first considered job that waits there, or -1. */
    private final int[] firstOf;
    /** By considered job, the place of the next one that waits in the same domain, or -1. */
    private final int[] nextOf;
    /** The fewest GPUs of a considered job that may be fetched, or {@link #NOT_FETCHED}. */
    private int fewestGpus;

    /** By domain, the considered jobs that wait there. */
    private final int[] countOf;
    /** By agent whose window shows its own queue alone, {@link DomainQueues#changes} at its filling; else -1. */
    private final long[] filledAt;
    /** By agent, its considered jobs when its window was filled. */
    private final int[] filledOf;

    private boolean isStale = true;
    private final int[][] window;
    private final int[] size;
    /** By agent, the {@linkplain DomainQueues#sizes sizes} of the jobs in its window. */
    private final long[] sizes;

    private long[] heldAt = new long[64];
    private long instant = -1;
    private long lastHeldAt = -1;

    JobWindows(DomainQueues queues, int agents, int slots, FetchRule fetchRule) {
        this.queues = queues;
        this.fetchRule = fetchRule;
        window = new int[agents][slots];
        size = new int[agents];
        sizes = new long[agents];
        shortest = new int[CONSIDERED_PER_SLOT * slots];
        domainOf = new int[shortest.length];
        gpus = new int[shortest.length];
        firstOf = new int[agents];
        nextOf = new int[shortest.length];
        Arrays.fill(firstOf, -1);
        countOf = new int[agents];
        filledOf = new int[agents];
        filledAt = new long[agents];
        Arrays.fill(filledAt, -1);
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
        lastHeldAt = instant;
    }

    /** Reads the queues anew before the next window is filled. */
    void refresh() {
        isStale = true;
    }

    /** Fills the agent's window anew, O(slots); O(1) where it would show the same jobs of the agent's queue again. */
    void fill(int agent) {
        consider();
        int mostGpus = fetchRule.mostGpus(agent);
        boolean isOfQueue = mostGpus < fewestGpus && lastHeldAt != instant;
        if (isOfQueue && filledAt[agent] == queues.changes(agent) && filledOf[agent] == countOf[agent]) {
            return;
        }
        filledAt[agent] = isOfQueue ? queues.changes(agent) : -1;
        filledOf[agent] = countOf[agent];
        size[agent] = 0;
        int slots = window[agent].length;
        addShortest(agent, mostGpus, Math.max(1, slots * 3 / 4));
        addMissing(agent, queues.byAge(agent), slots);
        addMissing(agent, queues.byWork(agent), slots);
        sizes[agent] = 0;
        for (int slot = 0; slot < size[agent]; slot++) {
            sizes[agent] |= queues.sizes().bit(queues.gpus(window[agent][slot]));
        }
    }

    /** Reads once for all agents what their windows have in common. */
    private void consider() {
        if (!isStale) {
            return;
        }
        isStale = false;
        for (int i = 0; i < considered; i++) {
            firstOf[domainOf[i]] = -1;
            countOf[domainOf[i]] = 0;
        }
        JobQueue everywhere = queues.everywhere();
        considered = Math.min(everywhere.size(), shortest.length);
        fewestGpus = NOT_FETCHED;
        for (int i = considered - 1; i >= 0; i--) {
            int job = everywhere.job(i);
            shortest[i] = job;
            domainOf[i] = queues.domainOf(job);
            nextOf[i] = firstOf[domainOf[i]];
            firstOf[domainOf[i]] = i;
            countOf[domainOf[i]]++;
            gpus[i] = fetchRule.gpus(job);
            fewestGpus = Math.min(fewestGpus, gpus[i]);
        }
    }

    /** Adds considered jobs of the agent's domain and those that it may fetch, at most so many. */
    private void addShortest(int agent, int mostGpus, int most) {
        if (mostGpus < fewestGpus) {
            addOwnConsidered(agent, most);
            return;
        }
        for (int i = 0; i < considered && size[agent] < most; i++) {
            if (domainOf[i] == agent || gpus[i] <= mostGpus) {
                addUnlessHeld(agent, shortest[i]);
            }
        }
    }

    /** Adds considered jobs of the agent's domain, at most so many. */
    private void addOwnConsidered(int agent, int most) {
        for (int i = firstOf[agent]; i >= 0 && size[agent] < most; i = nextOf[i]) {
            addUnlessHeld(agent, shortest[i]);
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

    /** The {@linkplain DomainQueues#sizes sizes} of the jobs in the agent's window, as bits. */
    long sizes(int agent) {
        return sizes[agent];
    }

    int job(int agent, int slot) {
        return window[agent][slot];
    }
}
