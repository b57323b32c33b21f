package org.trainyard.env.topology;

import java.util.List;

/**
 * A model of GPU.
 *
 * <p>The speeds are round figures of mixed training work, chosen by us. V100M16 and V100M32 are the two sizes of V100 as Alibaba's
 * trace of 2023 names them. G2 and G3 are undisclosed code names in that trace; we assume an A10 for G2 and an A100 for G3.
 *
 * @param name as on the data sheet, or in the trace
 * @param speed compute speed relative to the V100, above zero
 * @param memoryBytes device memory
 */
public record GpuType(String name, double speed, long memoryBytes) {
    public static final GpuType V100 = new GpuType("V100", 1.0, 32L << 30);
    public static final GpuType P100 = new GpuType("P100", 0.6, 16L << 30);
    public static final GpuType K80 = new GpuType("K80", 0.2, 12L << 30);
    public static final GpuType T4 = new GpuType("T4", 0.5, 16L << 30);
    public static final GpuType A100 = new GpuType("A100", 2.0, 80L << 30);
    public static final GpuType V100M16 = new GpuType("V100M16", 1.0, 16L << 30);
    public static final GpuType V100M32 = new GpuType("V100M32", 1.0, 32L << 30);
    public static final GpuType A10 = new GpuType("A10", 0.8, 24L << 30);
    public static final GpuType G2 = new GpuType("G2", 0.8, 24L << 30);
    public static final GpuType G3 = new GpuType("G3", 2.0, 80L << 30);

    public GpuType {
        if (!(speed > 0) || Double.isInfinite(speed)) {
            throw new IllegalArgumentException("speed (%s) of GPU type %s must be above zero".formatted(speed, name));
        }
        if (memoryBytes <= 0) {
            throw new IllegalArgumentException(
                    "memory (%d bytes) of GPU type %s must be above zero".formatted(memoryBytes, name));
        }
    }

    /** All predefined types. */
    public static List<GpuType> known() {
        return List.of(V100, P100, K80, T4, A100, V100M16, V100M32, A10, G2, G3);
    }
}
