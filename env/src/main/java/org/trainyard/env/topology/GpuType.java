package org.trainyard.env.topology;

/**
 * A model of GPU.
 *
 * @param name as on the data sheet
 * @param speed compute speed relative to the V100, above zero
 * @param memoryBytes device memory
 */
public record GpuType(String name, double speed, long memoryBytes) {
    public static final GpuType V100 = new GpuType("V100", 1.0, 32L << 30);
    public static final GpuType P100 = new GpuType("P100", 0.6, 16L << 30);
    public static final GpuType K80 = new GpuType("K80", 0.2, 12L << 30);
    public static final GpuType T4 = new GpuType("T4", 0.5, 16L << 30);
    public static final GpuType A100 = new GpuType("A100", 2.0, 80L << 30);

    public GpuType {
        if (!(speed > 0) || Double.isInfinite(speed)) {
            throw new IllegalArgumentException("speed (%s) of GPU type %s must be above zero".formatted(speed, name));
        }
        if (memoryBytes <= 0) {
            throw new IllegalArgumentException(
                    "memory (%d bytes) of GPU type %s must be above zero".formatted(memoryBytes, name));
        }
    }
}
