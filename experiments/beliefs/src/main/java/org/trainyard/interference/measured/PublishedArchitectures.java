package org.trainyard.interference.measured;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.interference.data.ArchitectureResources;
import org.trainyard.interference.data.Trait;

/**
 * Resources that the architectures of the published campaigns use, where the campaigns do not record them.
 *
 * <p>Those of {@link ModelCatalog} have its values. The others are ours, round: parameters as published with each
 * network, times 4 bytes; the bytes of FSDP count three passes of sharded weights, those of MoE the exchange of tokens
 * between experts beside its gradients; loads as in the catalogue. They are no measurements. They were set once with
 * knowledge of which DeepShare models its authors call network-heavy, so their benefit for architectures left out of a
 * fit is overestimated.
 */
public final class PublishedArchitectures {
    /** Columns: architecture, million values sent per step, GiB, gpu, socket, PCIe, NIC load. */
    private static final String TABLE = """
            mobilenetv3   |    5.5 |  8 | 0.60 0.2 0.8 0.1
            graphsage     |    0.5 |  4 | 0.30 0.6 0.5 0.1
            fsdp          | 1000.0 | 20 | 0.95 0.6 0.2 1.0
            transformerxl |  192.0 | 14 | 0.90 0.5 0.2 0.8
            moe           |  400.0 | 18 | 0.80 0.5 0.2 0.9
            cyclegan      |   28.3 | 12 | 0.97 0.5 0.2 0.4
            """;

    private static final Map<String, Map<Trait, Double>> OTHERS = others();

    private PublishedArchitectures() {}

    /** The resources of an architecture by its name; empty when unknown. */
    public static Map<Trait, Double> resources(String architecture) {
        String name = ArchitectureResources.canonical(architecture);
        ModelProfile profile = ModelCatalog.standard().find(name);
        return profile != null ? ArchitectureResources.of(profile) : OTHERS.getOrDefault(name, Map.of());
    }

    /**
     * The model of an architecture as the simulator sees it: that of the catalogue, or one of its resources alone; null
     * when unknown.
     */
    static @Nullable ModelProfile simulated(String architecture) {
        String name = ArchitectureResources.canonical(architecture);
        ModelProfile profile = ModelCatalog.standard().find(name);
        Map<Trait, Double> traits = OTHERS.get(name);
        if (profile != null || traits == null) {
            return profile;
        }
        Pressure pressure = new Pressure(
                trait(traits, Trait.GPU_BUSY),
                trait(traits, Trait.SOCKET_LOAD),
                trait(traits, Trait.PCIE_LOAD),
                trait(traits, Trait.NIC_LOAD));
        double bytes = Math.exp(trait(traits, Trait.STEP_BYTES));
        return new ModelProfile(name, 1, bytes, Math.round(trait(traits, Trait.MEMORY)) << 30, pressure, pressure);
    }

    private static double trait(Map<Trait, Double> traits, Trait trait) {
        return Objects.requireNonNull(traits.get(trait));
    }

    private static Map<String, Map<Trait, Double>> others() {
        Map<String, Map<Trait, Double>> byName = new HashMap<>();
        TABLE.lines().forEach(line -> {
            String[] cells = line.split("[| ]+", -1);
            Map<Trait, Double> traits = new EnumMap<>(Trait.class);
            traits.put(Trait.STEP_BYTES, Math.log(Double.parseDouble(cells[1]) * 4e6));
            traits.put(Trait.MEMORY, Double.parseDouble(cells[2]));
            traits.put(Trait.GPU_BUSY, Double.parseDouble(cells[3]));
            traits.put(Trait.SOCKET_LOAD, Double.parseDouble(cells[4]));
            traits.put(Trait.PCIE_LOAD, Double.parseDouble(cells[5]));
            traits.put(Trait.NIC_LOAD, Double.parseDouble(cells[6]));
            byName.put(cells[0], traits);
        });
        return byName;
    }
}
