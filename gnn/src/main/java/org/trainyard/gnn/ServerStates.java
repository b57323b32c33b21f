package org.trainyard.gnn;

import java.util.Arrays;

/** Numbers the states that servers are in: equal columns, equal number. A hash table of floats, compared bit by bit. */
final class ServerStates {
    private static final int NONE = -1;

    private final int width;
    private float[] columns = new float[0];
    private int[] table = new int[64];
    private int count;

    /** @param width columns of a server */
    ServerStates(int width) {
        this.width = width;
        Arrays.fill(table, NONE);
    }

    int width() {
        return width;
    }

    /** How many states there are. */
    int count() {
        return count;
    }

    /** The columns of the states numbered from {@code first} on, one after another. */
    float[] since(int first) {
        return Arrays.copyOfRange(columns, first * width, count * width);
    }

    void forget() {
        Arrays.fill(table, NONE);
        count = 0;
    }

    /** The number of the state in {@code from[at .. at + width - 1]}: the next one when it is new. */
    int number(float[] from, int at) {
        int mask = table.length - 1;
        int slot = hash(from, at) & mask;
        while (table[slot] != NONE) {
            int start = table[slot] * width;
            if (Arrays.equals(columns, start, start + width, from, at, at + width)) {
                return table[slot];
            }
            slot = (slot + 1) & mask;
        }
        table[slot] = count;
        keep(from, at);
        if (2 * count > table.length) {
            grow();
        }
        return count - 1;
    }

    private void keep(float[] from, int at) {
        if (columns.length < (count + 1) * width) {
            columns = Arrays.copyOf(columns, Math.max(64, 2 * count) * width);
        }
        System.arraycopy(from, at, columns, count * width, width);
        count++;
    }

    private void grow() {
        table = new int[2 * table.length];
        Arrays.fill(table, NONE);
        for (int i = 0; i < count; i++) {
            int slot = hash(columns, i * width) & (table.length - 1);
            while (table[slot] != NONE) {
                slot = (slot + 1) & (table.length - 1);
            }
            table[slot] = i;
        }
    }

    private int hash(float[] from, int at) {
        int hash = 1;
        for (int i = at; i < at + width; i++) {
            hash = 31 * hash + Float.floatToIntBits(from[i]);
        }
        hash *= 0x9E3779B9;
        return hash ^ (hash >>> 15);
    }
}
