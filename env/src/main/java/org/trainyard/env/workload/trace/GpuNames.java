package org.trainyard.env.workload.trace;

import java.util.Comparator;
import java.util.Locale;
import org.trainyard.env.topology.GpuType;

/** Names of GPU types as logs and node labels write them. */
final class GpuNames {
    private GpuNames() {}

    /** The predefined type of which a name such as {@code nvidia_a100-sxm4-80gb} speaks; the name in capitals when it is of none. */
    static String known(String name) {
        String words = " " + name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", " ") + " ";
        return GpuType.known().stream()
                .map(GpuType::name)
                .sorted(Comparator.comparingInt(String::length).reversed())
                .filter(type -> words.contains(" " + type + " "))
                .findFirst()
                .orElse(name.toUpperCase(Locale.ROOT));
    }
}
