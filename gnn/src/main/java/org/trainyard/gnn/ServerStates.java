package org.trainyard.gnn;

import java.util.Arrays;

/**
 * Numbers distinct server states: equal columns have equal numbers. A hash table of float arrays, compared bit by bit.
 */
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

    /** Number of states. */
    int count() {
        return count;
    }

    /** The columns of the states numbered from {@code first} on, one after another. */
    float[] since(int first) {
        return Arrays.copyOfRange(columns, first * width, count * width);
    }

    void clear() {
        Arrays.fill(table, NONE);
        count = 0;
    }

    /** The number of the state {@code from[at .. at + width - 1]}, a new one if it is not known. */
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
        append(from, at);
        if (2 * count > table.length) {
            grow();
        }
        return count - 1;
    }

    private void append(float[] from, int at) {
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
