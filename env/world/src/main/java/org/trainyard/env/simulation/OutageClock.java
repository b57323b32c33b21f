package org.trainyard.env.simulation;

import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Topology;

/** The coming failures and repairs, earliest first; at one instant repairs come first, then by unit. */
final class OutageClock {
    private final Topology topology;
    private final Outages outages;
    /** By unit that ever fails: its number of past outages, and its current or next outage. */
    private final int[] over;

    private final @Nullable Outage[] current;
    private final boolean[] isDown;
    /** By GPU, the number of failed units it belongs to: itself and its server. */
    private final byte[] reasons;

    private final int[] heap;
    private int size;
    private int downUnits;

    OutageClock(Topology topology, Outages outages) {
        this.topology = topology;
        this.outages = outages;
        int units = outages instanceof Outages.None ? 0 : topology.servers() + topology.gpus();
        over = new int[units];
        current = new Outage[units];
        isDown = new boolean[units];
        heap = new int[units];
        reasons = new byte[units == 0 ? 0 : topology.gpus()];
        for (int unit = 0; unit < units; unit++) {
            current[unit] = outages.next(topology, unit, 0, 0);
            if (current[unit] != null) {
                heap[size++] = unit;
                up(size - 1);
            }
        }
    }

    /** Time of the next failure or repair, or {@link Long#MAX_VALUE}. */
    long nextNanos() {
        return size == 0 ? Long.MAX_VALUE : time(heap[0]);
    }

    /** Whether any failed unit will be repaired. */
    boolean isRepairToCome() {
        for (int i = 0; downUnits > 0 && i < size; i++) {
            if (isDown[heap[i]] && time(heap[i]) < Long.MAX_VALUE) {
                return true;
            }
        }
        return false;
    }

    private Outage outage(int unit) {
        Outage outage = current[unit];
        if (outage == null) {
            throw new IllegalStateException("unit (%d) has no further outage".formatted(unit));
        }
        return outage;
    }

    private long time(int unit) {
        return isDown[unit] ? outage(unit).untilNanos() : outage(unit).fromNanos();
    }

    /** The unit that fails or is repaired next. */
    int nextUnit() {
        return heap[0];
    }

    boolean isDown(int unit) {
        return isDown[unit];
    }

    /** Notes a failure or repair that was reported rather than scheduled. */
    void report(int unit, boolean isNow) {
        isDown[unit] = isNow;
        downUnits += isNow ? 1 : -1;
    }

    /** Advances past the next failure or repair. */
    void pass() {
        int unit = heap[0];
        if (isDown[unit]) {
            isDown[unit] = false;
            downUnits--;
            over[unit]++;
            current[unit] =
                    outages.next(topology, unit, over[unit], outage(unit).untilNanos());
            if (current[unit] == null) {
                heap[0] = heap[--size];
            }
        } else {
            isDown[unit] = true;
            downUnits++;
        }
        down(0);
    }

    private boolean before(int a, int b) {
        long timeA = time(a);
        long timeB = time(b);
        if (timeA != timeB) {
            return timeA < timeB;
        }
        return isDown[a] != isDown[b] ? isDown[a] : a < b;
    }

    private void up(int from) {
        int at = from;
        while (at > 0 && before(heap[at], heap[(at - 1) / 2])) {
            swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    private void down(int from) {
        int at = from;
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && before(heap[child + 1], heap[child])) {
                child++;
            }
            if (!before(heap[child], heap[at])) {
                break;
            }
            swap(at, child);
            at = child;
        }
    }

    private void swap(int a, int b) {
        int unit = heap[a];
        heap[a] = heap[b];
        heap[b] = unit;
    }

    /** Advances a new clock and an idle cluster past all failures and repairs up to {@code nowNanos}. */
    void passUntil(long nowNanos, Cluster cluster) {
        while (nextNanos() <= nowNanos) {
            int unit = nextUnit();
            boolean repaired = isDown[unit];
            pass();
            apply(cluster, unit, !repaired);
        }
    }

    /**
     * Marks the unit's GPUs, which no job holds, as out of order; or repairs those that belong to no other failed unit.
     */
    void apply(Cluster cluster, int unit, boolean breaks) {
        if (unit < topology.servers()) {
            cluster.setDown(unit, breaks);
        }
        forGpus(unit, gpu -> {
            reasons[gpu] += (byte) (breaks ? 1 : -1);
            if (breaks && reasons[gpu] == 1) {
                cluster.breakDown(gpu);
            } else if (!breaks && reasons[gpu] == 0) {
                cluster.repair(gpu);
            }
        });
    }

    /** Calls the action for each GPU of the unit: a GPU, or a server's GPUs. */
    private void forGpus(int unit, IntConsumer action) {
        if (unit >= topology.servers()) {
            action.accept(unit - topology.servers());
            return;
        }
        for (int i = 0; i < topology.gpusOn(unit); i++) {
            action.accept(topology.firstGpu(unit) + i);
        }
    }
}
