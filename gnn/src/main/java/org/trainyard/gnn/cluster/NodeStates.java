package org.trainyard.gnn.cluster;

import java.util.Arrays;

/** The states of many nodes, by unit and node, and the slopes by them of what is to be made large. */
public final class NodeStates {
    private float[][] values;
    private float[][] slopes;
    private int size;

    NodeStates(int units) {
        values = new float[units][0];
        slopes = new float[units][0];
    }

    /** Makes room for so many nodes, whose slopes are 0 and whose values are anything. */
    void begin(int nodes) {
        size = nodes;
        values = room(values, nodes);
        slopes = room(slopes, nodes);
        clear(slopes, nodes);
    }

    /** Arrays for so many numbers: these, or longer ones of other numbers. */
    static float[][] room(float[][] arrays, int size) {
        return arrays.length == 0 || arrays[0].length >= size ? arrays : new float[arrays.length][size + size / 4];
    }

    /** Sets the first numbers of arrays to 0. */
    static void clear(float[][] arrays, int size) {
        for (float[] array : arrays) {
            Arrays.fill(array, 0, size, 0);
        }
    }

    /** Number of nodes. */
    public int size() {
        return size;
    }

    /** By unit and node. */
    public float[][] values() {
        return values;
    }

    /** By unit and node. */
    public float[][] slopes() {
        return slopes;
    }
}
