package org.trainyard.agents.heuristic.slurm;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The map of the backfill loop: slots of time, each with the nodes that no plan holds. Slots with equal nodes are merged
 * but once for each plan, as Slurm merges them; which slots there are decides the times at which later jobs are tried.
 */
final class SlotMap {
    /** A span of time and its nodes. */
    static final class Slot {
        long begin;
        long end;
        BitSet nodes;

        Slot(long begin, long end, BitSet nodes) {
            this.begin = begin;
            this.end = end;
            this.nodes = nodes;
        }
    }

    private final List<Slot> slots = new ArrayList<>();
    private final long resolution;

    SlotMap(long begin, long end, BitSet nodes, long resolution) {
        slots.add(new Slot(begin, end, (BitSet) nodes.clone()));
        this.resolution = resolution;
    }

    List<Slot> slots() {
        return slots;
    }

    /**
     * Takes from a set all nodes that a plan holds at some time between two seconds, the second included.
     *
     * @return the end of the first slot after whose end nodes appear that it did not have; 0 for none
     */
    long restrict(BitSet nodes, long start, long end) {
        BitSet all = (BitSet) nodes.clone();
        long later = 0;
        for (int i = first(start); i < slots.size(); i++) {
            Slot slot = slots.get(i);
            if (slot.end > start && i + 1 < slots.size() && later == 0) {
                BitSet next = (BitSet) all.clone();
                next.and(slots.get(i + 1).nodes);
                BitSet gained = next;
                BitSet now = (BitSet) nodes.clone();
                now.and(slot.nodes);
                gained.andNot(now);
                if (!gained.isEmpty()) {
                    later = slot.end;
                }
            }
            if (slot.end > start) {
                if (slot.begin > end) {
                    break;
                }
                nodes.and(slot.nodes);
            }
        }
        return later;
    }

    /** Whether a plan would hold nodes that another plan holds in that time. */
    boolean overlaps(BitSet nodes, long start, long end) {
        for (int i = first(start); i < slots.size(); i++) {
            Slot slot = slots.get(i);
            if (slot.begin >= end) {
                return false;
            }
            if (slot.end > start && !within(nodes, slot.nodes)) {
                return true;
            }
        }
        return false;
    }

    private static boolean within(BitSet nodes, BitSet of) {
        for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
            if (!of.get(node)) {
                return false;
            }
        }
        return true;
    }

    /** The first slot that ends after a second. */
    private int first(long second) {
        int low = 0;
        int high = slots.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (slots.get(middle).end > second) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Plans a job on nodes between two seconds. */
    void add(BitSet nodes, long from, long to) {
        long start = Math.max(from, slots.get(0).begin);
        long end = Math.max(to, start + resolution);
        int at = 0;
        int before = 0;
        while (slots.get(at).end < start) {
            before = at;
            if (++at == slots.size()) {
                return;
            }
        }
        if (slots.get(at).end > start) {
            split(at, start);
        }
        int after = -1;
        while (at + 1 < slots.size()) {
            at++;
            if (end < slots.get(at).end) {
                split(at, end);
            }
            slots.get(at).nodes.andNot(nodes);
            if (end == slots.get(at).end) {
                after = at + 1 < slots.size() ? at + 1 : -1;
                break;
            }
        }
        mergeOnce(before, after);
    }

    private void split(int at, long second) {
        Slot slot = slots.get(at);
        slots.add(at + 1, new Slot(second, slot.end, (BitSet) slot.nodes.clone()));
        slot.end = second;
    }

    private void mergeOnce(int before, int after) {
        for (int i = before; i != after && i + 1 < slots.size(); i++) {
            if (slots.get(i).nodes.equals(slots.get(i + 1).nodes)) {
                slots.get(i).end = slots.get(i + 1).end;
                slots.remove(i + 1);
                return;
            }
        }
    }
}
