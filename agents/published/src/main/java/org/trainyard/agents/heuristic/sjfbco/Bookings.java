package org.trainyard.agents.heuristic.sjfbco;

import it.unimi.dsi.fastutil.ints.IntHeapPriorityQueue;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Topology;

/**
 * The booked time of every GPU, and when it becomes free once its gangs have run one after the other in the order of
 * booking.
 *
 * <p>The two differ: a gang starts when the last of its GPUs is free, and the others idle until then. A GPU booked for
 * ever, such as one out of order, is never chosen.
 */
final class Bookings {
    private final Topology topology;
    private final double[] before;
    private final double[] booked;
    private final double[] freeAt;
    private final double[] onServer;
    private final int[] usableOn;
    /**
     * GPUs by the booked time with which they were last enqueued; booked times only grow, so a stale entry is dequeued
     * early.
     */
    private final IntHeapPriorityQueue leastFirst;

    private final double[] key;
    private boolean isQueued;

    /** @param beforeSeconds the time for which each GPU is already taken; infinite for one that cannot be used */
    Bookings(Topology topology, double[] beforeSeconds) {
        this.topology = topology;
        before = beforeSeconds.clone();
        booked = new double[before.length];
        freeAt = new double[before.length];
        key = new double[before.length];
        onServer = new double[topology.servers()];
        usableOn = new int[topology.servers()];
        leastFirst = new IntHeapPriorityQueue(Math.max(1, before.length), this::compareKeys);
        clear();
    }

    private int compareKeys(int a, int b) {
        int byTime = Double.compare(key[a], key[b]);
        return byTime != 0 ? byTime : Integer.compare(a, b);
    }

    /** Cancels all bookings. O(GPUs). */
    void clear() {
        System.arraycopy(before, 0, booked, 0, before.length);
        System.arraycopy(before, 0, freeAt, 0, before.length);
        Arrays.fill(onServer, 0);
        Arrays.fill(usableOn, 0);
        for (int gpu = 0; gpu < before.length; gpu++) {
            if (before[gpu] < Double.POSITIVE_INFINITY) {
                onServer[topology.serverOf(gpu)] += before[gpu];
                usableOn[topology.serverOf(gpu)]++;
            }
        }
        isQueued = false;
    }

    /** Books a gang behind everything on its GPUs; returns its completion, seconds from now. O(gang). */
    double book(int[] gpus, double seconds) {
        double start = 0;
        for (int gpu : gpus) {
            start = Math.max(start, freeAt[gpu]);
        }
        double done = start + seconds;
        for (int gpu : gpus) {
            freeAt[gpu] = done;
            booked[gpu] += seconds;
            onServer[topology.serverOf(gpu)] += seconds;
        }
        return done;
    }

    Topology topology() {
        return topology;
    }

    int gpus() {
        return booked.length;
    }

    /** The number of usable GPUs. */
    int usable() {
        return Arrays.stream(usableOn).sum();
    }

    int usableOn(int server) {
        return usableOn[server];
    }

    /** The booked time of the GPU, seconds. */
    double seconds(int gpu) {
        return booked[gpu];
    }

    /** The booked time of all GPUs of the server per usable GPU, seconds. */
    double meanSecondsOn(int server) {
        return onServer[server] / usableOn[server];
    }

    /**
     * The GPUs booked for least time, the first of equals, in that order; null when fewer than {@code count} are booked
     * for at most {@code mostSeconds}. O(count log GPUs) on average.
     */
    int @Nullable [] leastBooked(int count, double mostSeconds) {
        fillQueue();
        int[] chosen = new int[count];
        int found = 0;
        while (found < count && !leastFirst.isEmpty()) {
            int gpu = leastFirst.dequeueInt();
            if (key[gpu] != booked[gpu]) {
                key[gpu] = booked[gpu];
                leastFirst.enqueue(gpu);
                continue;
            }
            if (!(booked[gpu] <= mostSeconds)) {
                leastFirst.enqueue(gpu);
                break;
            }
            chosen[found++] = gpu;
        }
        for (int i = 0; i < found; i++) {
            leastFirst.enqueue(chosen[i]);
        }
        return found == count ? chosen : null;
    }

    private void fillQueue() {
        if (isQueued) {
            return;
        }
        leastFirst.clear();
        for (int gpu = 0; gpu < booked.length; gpu++) {
            if (booked[gpu] < Double.POSITIVE_INFINITY) {
                key[gpu] = booked[gpu];
                leastFirst.enqueue(gpu);
            }
        }
        isQueued = true;
    }
}
