package org.trainyard.interference.data;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.generator.ModelCatalog;

/** Names of architectures, and the resources that a simulated job uses. */
public final class ArchitectureResources {
    private ArchitectureResources() {}

    /**
     * One name for all spellings of an architecture: the catalogue's name, else the name in lower case without dashes
     * and dots.
     */
    public static String canonical(String architecture) {
        String name = architecture.startsWith("bvlc_") ? architecture.substring("bvlc_".length()) : architecture;
        ModelProfile profile = ModelCatalog.standard().find(name);
        return profile == null ? architecture.toLowerCase(Locale.ROOT).replaceAll("[-_. ]", "") : profile.name();
    }

    /** The traits of a simulated job. */
    public static Map<Trait, Double> of(ModelProfile profile) {
        Map<Trait, Double> traits = new EnumMap<>(Trait.class);
        traits.put(Trait.GPU_BUSY, profile.pressure().gpu());
        traits.put(Trait.SOCKET_LOAD, profile.pressure().socket());
        traits.put(Trait.PCIE_LOAD, profile.pressure().pcie());
        traits.put(Trait.NIC_LOAD, profile.pressure().nic());
        traits.put(Trait.STEP_BYTES, Math.log(Math.max(profile.gradientBytes(), 1)));
        traits.put(Trait.STEP_SECONDS, Math.log(profile.computeSeconds()));
        traits.put(Trait.MEMORY, profile.memoryBytes() / (double) (1L << 30));
        return traits;
    }
}
