package org.trainyard.env.topology;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Invalid;

/**
 * A model of GPU.
 *
 * <p>The speeds are round figures of mixed training work, chosen by us. V100M16 and V100M32 are the two sizes of V100
 * as Alibaba's trace of 2023 names them. G2 and G3 are undisclosed code names in that trace; we assume an A10 for G2
 * and an A100 for G3.
 *
 * @param name as on the data sheet, or in the trace
 * @param speed compute speed relative to the V100, above zero
 */
public record GpuType(String name, double speed, long memoryBytes) {
    public static final GpuType V100 = new GpuType("V100", 1.0, 32L << 30);
    public static final GpuType P100 = new GpuType("P100", 0.6, 16L << 30);
    public static final GpuType K80 = new GpuType("K80", 0.2, 12L << 30);
    public static final GpuType T4 = new GpuType("T4", 0.5, 16L << 30);
    public static final GpuType A100 = new GpuType("A100", 2.0, 80L << 30);
    public static final GpuType V100M16 = new GpuType("V100M16", 1.0, 16L << 30);
    public static final GpuType V100M32 = new GpuType("V100M32", 1.0, 32L << 30);
    public static final GpuType L4 = new GpuType("L4", 0.9, 24L << 30);
    public static final GpuType A30 = new GpuType("A30", 1.2, 24L << 30);
    public static final GpuType A40 = new GpuType("A40", 1.2, 48L << 30);
    public static final GpuType L40S = new GpuType("L40S", 1.9, 48L << 30);
    public static final GpuType H100 = new GpuType("H100", 4.0, 80L << 30);
    public static final GpuType H200 = new GpuType("H200", 4.5, 141L << 30);
    public static final GpuType B200 = new GpuType("B200", 8.0, 180L << 30);
    public static final GpuType MI300X = new GpuType("MI300X", 4.0, 192L << 30);
    public static final GpuType A10 = new GpuType("A10", 0.8, 24L << 30);
    public static final GpuType G2 = new GpuType("G2", 0.8, 24L << 30);
    public static final GpuType G3 = new GpuType("G3", 2.0, 80L << 30);

    private static final Pattern OTHER = Pattern.compile("([A-Za-z0-9._-]{1,32})=(\\d{1,4}(?:\\.\\d{1,4})?)");

    public GpuType {
        Invalid.when(
                !(speed > 0) || Double.isInfinite(speed), "speed (%s) of GPU type %s must be above zero", speed, name);
        Invalid.when(memoryBytes <= 0, "memory (%d bytes) of GPU type %s must be above zero", memoryBytes, name);
    }

    /** All predefined types. */
    public static List<GpuType> known() {
        return List.of(
                V100, P100, K80, T4, A100, V100M16, V100M32, L4, A30, A40, L40S, H100, H200, B200, MI300X, A10, G2, G3);
    }

    /**
     * A predefined type by its name, or any other with its speed relative to the V100, such as {@code TPUv9=6.5}, of
     * which no memory is known: that of the A100 is assumed.
     *
     * @return null when the text is neither
     */
    public static @Nullable GpuType parse(String text) {
        for (GpuType type : known()) {
            if (type.name.equals(text)) {
                return type;
            }
        }
        Matcher other = OTHER.matcher(text);
        if (!other.matches() || known().stream().anyMatch(type -> type.name.equals(other.group(1)))) {
            return null;
        }
        double speed = Double.parseDouble(other.group(2));
        return speed > 0 ? new GpuType(other.group(1), speed, A100.memoryBytes) : null;
    }

    /**
     * The name of the predefined type of which a log or a node label speaks, such as {@code nvidia_a100-sxm4-80gb}; the
     * label in capitals when it speaks of none.
     */
    public static String nameIn(String label) {
        String words = " " + label.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", " ") + " ";
        return known().stream()
                .map(GpuType::name)
                .sorted(Comparator.comparingInt(String::length).reversed())
                .filter(type -> words.contains(" " + type + " "))
                .findFirst()
                .orElse(label.toUpperCase(Locale.ROOT));
    }
}
