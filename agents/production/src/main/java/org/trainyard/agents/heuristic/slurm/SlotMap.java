package org.trainyard.agents.heuristic.slurm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The map of the backfill loop: slots of time, each with the nodes that no plan holds. Slots with equal nodes are
 * merged but once for each plan, as Slurm merges them; which slots there are decides the times at which later jobs are
 * tried.
 */
final class SlotMap {
    /** A span of time, its nodes, and the nodes that it and all slots before it have. */
    private static final class Slot {
        private final long begin;
        private long end;
        private final long[] nodes;
        private final long[] sinceFirst;

        Slot(long begin, long end, long[] nodes) {
            this.begin = begin;
            this.end = end;
            this.nodes = nodes;
            sinceFirst = new long[nodes.length];
        }
    }

    private final List<Slot> slots = new ArrayList<>();
    private final long resolution;
    private final int words;
    /** How many slots, from the first on, know {@link Slot#sinceFirst}. */
    private int known;

    SlotMap(long begin, long end, BitSet nodes, long resolution) {
        long[] all = nodes.toLongArray();
        words = all.length;
        slots.add(new Slot(begin, end, all));
        this.resolution = resolution;
    }

    /**
     * Takes from a set all nodes that a plan holds at some time between two seconds, the second included.
     *
     * @return the end of the first slot after whose end nodes appear that it did not have; 0 for none
     */
    long restrict(BitSet nodes, long start, long end) {
        long[] all = Arrays.copyOf(nodes.toLongArray(), words);
        long later = 0;
        int first = first(start);
        int i = first;
        long[] left = all.clone();
        for (; i < slots.size(); i++) {
            Slot slot = slots.get(i);
            boolean within = slot.begin <= end;
            long[] here = first == 0 ? sinceFirst(i) : slot.nodes;
            if (later == 0 && i + 1 < slots.size() && appear(all, slots.get(i + 1).nodes, left, here)) {
                later = slot.end;
            }
            if (!within) {
                break;
            }
            if (first == 0 && later != 0) {
                i = lastBegun(i, end);
                here = sinceFirst(i);
            }
            for (int word = 0; word < words; word++) {
                left[word] &= here[word];
            }
            if (first == 0 && later != 0) {
                break;
            }
        }
        nodes.and(BitSet.valueOf(left));
        return later;
    }

    /** Whether nodes of a set are in the next slot that are not in this one, or were not before. */
    private boolean appear(long[] of, long[] next, long[] before, long[] now) {
        for (int word = 0; word < words; word++) {
            if ((of[word] & next[word] & ~(before[word] & now[word])) != 0) {
                return true;
            }
        }
        return false;
    }

    private long[] sinceFirst(int at) {
        for (; known <= at; known++) {
            Slot slot = slots.get(known);
            System.arraycopy(slot.nodes, 0, slot.sinceFirst, 0, words);
            if (known > 0) {
                long[] before = slots.get(known - 1).sinceFirst;
                for (int word = 0; word < words; word++) {
                    slot.sinceFirst[word] &= before[word];
                }
            }
        }
        return slots.get(at).sinceFirst;
    }

    /** The last slot, from one that has begun on, that begins at or before a second. */
    private int lastBegun(int from, long second) {
        int low = from;
        int high = slots.size();
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (slots.get(middle).begin <= second) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Whether a plan would hold nodes that another plan holds in that time. */
    boolean overlaps(BitSet nodes, long start, long end) {
        long[] plan = Arrays.copyOf(nodes.toLongArray(), words);
        for (int i = first(start); i < slots.size(); i++) {
            Slot slot = slots.get(i);
            if (slot.begin >= end) {
                return false;
            }
            for (int word = 0; word < words; word++) {
                if ((plan[word] & ~slot.nodes[word]) != 0) {
                    return true;
                }
            }
        }
        return false;
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
        long[] plan = Arrays.copyOf(nodes.toLongArray(), words);
        long start = Math.max(from, slots.get(0).begin);
        long end = Math.max(to, start + resolution);
        int at = first(start - 1);
        if (at == slots.size()) {
            return;
        }
        int before = Math.max(0, at - 1);
        if (slots.get(at).end > start) {
            split(at, start);
        }
        known = Math.min(known, at + 1);
        int after = -1;
        while (at + 1 < slots.size()) {
            at++;
            if (end < slots.get(at).end) {
                split(at, end);
            }
            long[] left = slots.get(at).nodes;
            for (int word = 0; word < words; word++) {
                left[word] &= ~plan[word];
            }
            if (end == slots.get(at).end) {
                after = at + 1;
                break;
            }
        }
        mergeOnce(before, after);
    }

    private void split(int at, long second) {
        Slot slot = slots.get(at);
        slots.add(at + 1, new Slot(second, slot.end, slot.nodes.clone()));
        slot.end = second;
    }

    private void mergeOnce(int before, int after) {
        for (int i = before; i != after && i + 1 < slots.size(); i++) {
            if (Arrays.equals(slots.get(i).nodes, slots.get(i + 1).nodes)) {
                slots.get(i).end = slots.get(i + 1).end;
                slots.remove(i + 1);
                known = Math.min(known, i + 1);
                return;
            }
        }
    }
}
