package org.trainyard.env.workload;

import java.util.Arrays;

/**
 * Where the values of a job are in arrays by job: at its number, or, when jobs are forgotten, in a slot that is free
 * when the job comes and free again when it is forgotten. Then arrays by job are as long as there are jobs at one time,
 * and the slots of numbers from the oldest job that is not forgotten to the newest are in a table of 4 bytes each.
 */
public final class JobSlots {
    private static final int NONE = -1;

    /**
     * By number and the mask, which is its length less one, the slot or {@link #NONE}; empty when the slot of a job is
     * its number.
     */
    private int[] table;

    private int mask;
    private int oldest;
    /** The number of the next job. */
    private int end;

    private int[] free = new int[0];
    private int freeCount;
    private int room;

    private JobSlots(int tableLength) {
        table = new int[tableLength];
        mask = tableLength - 1;
    }

    public static JobSlots ofNumbers() {
        return new JobSlots(0);
    }

    /** Slots that are used again. */
    static JobSlots reused() {
        return new JobSlots(64);
    }

    /** The slot of a job that is not forgotten. */
    public int of(int job) {
        return table.length == 0 ? job : table[job & mask];
    }

    /** The length that arrays by job need. */
    public int room() {
        return room;
    }

    /** The first job that is not forgotten. */
    public int oldest() {
        return oldest;
    }

    public boolean isForgotten(int job) {
        return job < oldest || of(job) == NONE;
    }

    /** Gives the next job a slot. */
    void enter() {
        if (table.length > 0) {
            if (end - oldest == table.length) {
                widen();
            }
            table[end & mask] = freeCount > 0 ? free[--freeCount] : room++;
        } else {
            room++;
        }
        end++;
    }

    /**
     * Doubles the table: the slot of each number is then at two places, of which one is that of its number under the
     * wider mask; the other is written when its number comes.
     */
    private void widen() {
        int before = table.length;
        table = Arrays.copyOf(table, 2 * before);
        System.arraycopy(table, 0, table, before, before);
        mask = table.length - 1;
    }

    /** Frees the slot of a job. */
    void forget(int job) {
        if (table.length == 0) {
            throw new IllegalStateException("job (%d) is not of a streamed workload".formatted(job));
        }
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, Math.max(64, 2 * freeCount));
        }
        free[freeCount++] = of(job);
        table[job & mask] = NONE;
        while (oldest < end && table[oldest & mask] == NONE) {
            oldest++;
        }
    }
}
