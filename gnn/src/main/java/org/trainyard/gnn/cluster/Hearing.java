package org.trainyard.gnn.cluster;

import java.util.Arrays;

/** By new state, which state hears and which it hears: a list of senders, or one sender each. */
final class Hearing {
    private int size;
    private boolean isSingle;
    private int[] hearers = new int[64];
    /** By new state, where its senders end. */
    private int[] ends = new int[64];

    private int[] senders = new int[64];
    private int listed;
    /** Open hashing of new states by what they are made of; -1 is free. */
    private int[] table = new int[128];

    /** Begins anew. */
    void begin(boolean hasSingleSenders) {
        size = 0;
        listed = 0;
        isSingle = hasSingleSenders;
        Arrays.fill(table, -1);
    }

    /** Adds a hearer of one sender; returns the number of its new state. */
    int add(int hearer, int sender) {
        room();
        hearers[size] = hearer;
        list(sender);
        ends[size] = listed;
        return size++;
    }

    /** Adds a hearer of senders of which {@code of} has the numbers at some places behind {@code from}. */
    int addAll(int hearer, int[] of, int from, int[] places) {
        room();
        hearers[size] = hearer;
        for (int place : places) {
            list(of[from + place]);
        }
        ends[size] = listed;
        return size++;
    }

    /** As {@link #addAll}, but finds the new state that is made of the same. */
    int addOnce(int hearer, int[] of, int from, int[] places) {
        int hash = 31 * hearer;
        for (int place : places) {
            hash = 31 * hash + of[from + place];
        }
        if (2 * size >= table.length) {
            grow();
        }
        int slot = slot(hash);
        while (table[slot] >= 0) {
            if (isSame(table[slot], hearer, of, from, places)) {
                return table[slot];
            }
            slot = (slot + 1) & (table.length - 1);
        }
        table[slot] = size;
        return addAll(hearer, of, from, places);
    }

    private boolean isSame(int state, int hearer, int[] of, int from, int[] places) {
        int first = first(state);
        if (hearers[state] != hearer || ends[state] - first != places.length) {
            return false;
        }
        for (int i = 0; i < places.length; i++) {
            if (senders[first + i] != of[from + places[i]]) {
                return false;
            }
        }
        return true;
    }

    private void grow() {
        table = new int[2 * table.length];
        Arrays.fill(table, -1);
        for (int state = 0; state < size; state++) {
            int hash = 31 * hearers[state];
            for (int i = first(state); i < ends[state]; i++) {
                hash = 31 * hash + senders[i];
            }
            int slot = slot(hash);
            while (table[slot] >= 0) {
                slot = (slot + 1) & (table.length - 1);
            }
            table[slot] = state;
        }
    }

    private int slot(int hash) {
        int mixed = hash * 0x9E3779B9;
        return (mixed ^ (mixed >>> 15)) & (table.length - 1);
    }

    private void room() {
        if (size == hearers.length) {
            hearers = Arrays.copyOf(hearers, 2 * size);
            ends = Arrays.copyOf(ends, 2 * size);
        }
    }

    private void list(int sender) {
        if (listed == senders.length) {
            senders = Arrays.copyOf(senders, 2 * listed);
        }
        senders[listed++] = sender;
    }

    private int first(int state) {
        return state == 0 ? 0 : ends[state - 1];
    }

    /** Number of new states. */
    int size() {
        return size;
    }

    /** Whether every state hears one sender. */
    boolean isSingle() {
        return isSingle;
    }

    /** By new state, the state that hears. */
    int[] hearers() {
        return hearers;
    }

    /** By new state, the one that it hears, where it is one. */
    int[] senders() {
        return senders;
    }

    /** Writes by new state the mean of what its senders say. */
    void mean(float[] said, float[] means) {
        int i = 0;
        for (int state = 0; state < size; state++) {
            int end = ends[state];
            float share = 1f / (end - i);
            float sum = 0;
            for (; i < end; i++) {
                sum += said[senders[i]];
            }
            means[state] = share * sum;
        }
    }

    /** Adds the slopes by means to those by what senders say. */
    void scatterMean(float[] slopes, float[] said) {
        int i = 0;
        for (int state = 0; state < size; state++) {
            int end = ends[state];
            float share = slopes[state] / (end - i);
            for (; i < end; i++) {
                said[senders[i]] += share;
            }
        }
    }
}
