package org.trainyard.gnn.cluster;

import java.util.Arrays;
import org.trainyard.env.topology.ServerInterior;

/**
 * The links between the GPUs of a server as a network reads them: {@value #COLUMNS} columns for every ordered pair,
 * which are whether NVLink joins the two, and the logarithms of the bandwidths by NVLink and by PCIe.
 */
public final class LinkMatrix implements Comparable<LinkMatrix> {
    /** Columns of a pair. */
    public static final int COLUMNS = 3;

    private static final double SCALE = 6;

    private final int gpus;
    private final float[] values;
    private final int hash;

    /** The matrix of the links of a server. */
    public LinkMatrix(ServerInterior interior) {
        gpus = interior.gpus();
        values = new float[gpus * gpus * COLUMNS];
        for (int a = 0; a < gpus; a++) {
            for (int b = 0; b < gpus; b++) {
                if (a != b) {
                    int at = (a * gpus + b) * COLUMNS;
                    double nvlink = interior.nvlink(a, b);
                    values[at] = nvlink > 0 ? 1 : 0;
                    values[at + 1] = scaled(nvlink);
                    values[at + 2] = scaled(interior.pcie(a, b));
                }
            }
        }
        hash = Arrays.hashCode(values);
    }

    /** A bandwidth in GB/s as columns and beliefs have it: ln(1 + x) / 6. */
    public static float scaled(double bandwidth) {
        return (float) (Math.log1p(bandwidth) / SCALE);
    }

    /** The bandwidth in GB/s of such a column or belief. */
    public static double bandwidth(float scaled) {
        return Math.expm1(SCALE * scaled);
    }

    public int gpus() {
        return gpus;
    }

    /** A column of a pair. */
    float value(int hearer, int sender, int column) {
        return values[(hearer * gpus + sender) * COLUMNS + column];
    }

    /** Copies the columns of the pairs of some GPUs, hearer by hearer. */
    void copy(int[] members, int count, float[] into, int to) {
        int at = to;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                System.arraycopy(values, (members[i] * gpus + members[j]) * COLUMNS, into, at, COLUMNS);
                at += COLUMNS;
            }
        }
    }

    /** All columns, {@code [gpus, gpus, COLUMNS]}. */
    public float[] values() {
        return values.clone();
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof LinkMatrix matrix && Arrays.equals(values, matrix.values));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** Any order that holds in every run. */
    @Override
    public int compareTo(LinkMatrix other) {
        return Arrays.compare(values, other.values);
    }
}
