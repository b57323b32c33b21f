package org.trainyard.experiments.config;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;

/** Reads a topology from YAML; {@code experiments/clusters} shows what one looks like. */
public final class TopologyReader {
    private static final int MAX_SERVERS = 100_000;

    private TopologyReader() {}

    public static Topology read(Path file) {
        Yaml root = YamlReader.read(file.toString(), InputFiles.text(file));
        TopologyFile described = Binder.bind(root, TopologyFile.class);
        return described.build();
    }

    /** The whole file. */
    record TopologyFile(String name, FabricFile fabric, List<RackFile> racks, int racksPerPod) {
        TopologyFile {
            if (name.isBlank()) {
                throw new BadField("name", name, "text that is not empty");
            }
            if (racks.isEmpty()) {
                throw new BadField("racks", racks, "at least one kind of rack");
            }
            long servers = racks.stream()
                    .mapToLong(rack -> (long) rack.count() * rack.servers())
                    .sum();
            if (servers > MAX_SERVERS) {
                throw new BadField("racks", servers, "at most %d servers in all".formatted(MAX_SERVERS));
            }
            BadField.atLeast(1, "racksPerPod", racksPerPod);
        }

        Topology build() {
            Topology.Builder builder = new Topology.Builder(name, fabric.build()).racksPerPod(racksPerPod);
            for (RackFile rack : racks) {
                for (int i = 0; i < rack.count(); i++) {
                    builder.rack(Collections.nCopies(rack.servers(), rack.server()));
                }
            }
            return builder.build();
        }
    }

    /** The links, one kind per tier. */
    record FabricFile(LinkFile nvlink, LinkFile pcie, LinkFile nic, LinkFile tor, LinkFile spine) {
        Fabric build() {
            return new Fabric(nvlink.build(), pcie.build(), nic.build(), tor.build(), spine.build());
        }
    }

    /** One direction of a link. */
    record LinkFile(double gigabytesPerSecond, double latencyMicros) {
        LinkFile {
            BadField.above(0, "gigabytesPerSecond", gigabytesPerSecond);
            BadField.within(0, 1e6, "gigabytesPerSecond", gigabytesPerSecond);
            BadField.within(0, 1e9, "latencyMicros", latencyMicros);
        }

        Link build() {
            return Link.of(gigabytesPerSecond, latencyMicros);
        }
    }

    /** {@code count} racks of equal servers. */
    record RackFile(int count, int servers, int gpus, int sockets, boolean nvlink, String gpuType) {
        private static final Map<String, GpuType> TYPES = types();

        RackFile {
            BadField.within(1, MAX_SERVERS, "count", count);
            BadField.within(1, MAX_SERVERS, "servers", servers);
            BadField.within(1, 64, "gpus", gpus);
            BadField.atLeast(1, "sockets", sockets);
            if (gpus % sockets != 0) {
                throw new BadField("sockets", sockets, "a divisor of the server's %d GPUs".formatted(gpus));
            }
            if (!TYPES.containsKey(gpuType)) {
                throw new BadField("gpuType", gpuType, Nearest.oneOf(gpuType, TYPES.keySet()));
            }
        }

        ServerSpec server() {
            GpuType type = TYPES.get(gpuType);
            if (type == null) {
                throw new InputException("GPU type '%s' is unknown".formatted(gpuType));
            }
            return new ServerSpec(type, sockets, gpus, nvlink);
        }

        private static Map<String, GpuType> types() {
            Map<String, GpuType> types = new TreeMap<>();
            for (GpuType type : List.of(GpuType.V100, GpuType.P100, GpuType.K80, GpuType.T4, GpuType.A100)) {
                types.put(type.name(), type);
            }
            return types;
        }
    }
}
