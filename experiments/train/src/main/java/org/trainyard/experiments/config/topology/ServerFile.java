package org.trainyard.experiments.config.topology;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.binding.Nearest;
import org.trainyard.env.binding.OptionalKey;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.env.topology.ServerSpec;

/**
 * The hardware of a server in a topology file.
 *
 * @param gpuType of {@link GpuType#parse}; V100 where it is missing
 * @param sockets null for two, or one where the number of GPUs is odd
 * @param interior which GPUs NVLink joins; null for all, or none when {@code nvlink} is false
 * @param cpuMilli CPU in thousandths of a core; null for unlimited
 * @param memoryMib host memory in MiB; null for unlimited
 * @param sharing how GPUs may be shared: whole, fractions or mig
 */
record ServerFile(
        int gpus,
        @OptionalKey(orElse = "V100") String gpuType,
        @OptionalKey @Nullable Integer sockets,
        @OptionalKey(orElse = "true") boolean nvlink,
        @OptionalKey @Nullable InteriorFile interior,
        @OptionalKey @Nullable Long cpuMilli,
        @OptionalKey @Nullable Long memoryMib,
        @OptionalKey(orElse = "whole") String sharing) {
    ServerFile {
        InvalidFieldException.within(0, 64, "gpus", gpus);
        int board = sockets(sockets, gpus);
        InvalidFieldException.within(1, 64, "sockets", board);
        if (gpus % board != 0) {
            throw new InvalidFieldException("sockets", board, Counted.say("a divisor of the server's %d GPUs", gpus));
        }
        check(interior, gpus, board, nvlink);
        type("gpuType", gpuType);
        sharing("sharing", sharing);
        if (cpuMilli != null) {
            InvalidFieldException.within(0, 1e15, "cpuMilli", cpuMilli);
        }
        if (memoryMib != null) {
            InvalidFieldException.within(0, 1e15, "memoryMib", memoryMib);
        }
    }

    private static int sockets(@Nullable Integer given, int gpus) {
        return given != null ? given : gpus > 0 && gpus % 2 == 0 ? 2 : 1;
    }

    private static void check(@Nullable InteriorFile interior, int gpus, int sockets, boolean nvlink) {
        if (interior == null) {
            return;
        }
        try {
            ServerInterior built = interior.build(gpus, sockets);
            if (built == null ? !nvlink : built.hasNvlink() != nvlink) {
                throw new InvalidFieldException(
                        "nvlink", nvlink, "%s, for so is its interior".formatted(nvlink ? "false" : "true"));
            }
            if (built != null && built.board().sockets() != sockets) {
                throw new InvalidFieldException(
                        "sockets",
                        sockets,
                        "%d, for its interior has".formatted(built.board().sockets()));
            }
        } catch (InvalidFieldException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new InvalidFieldException("interior", interior, "one that fits: " + e.getMessage());
        }
    }

    ServerSpec build() {
        int board = sockets(sockets, gpus);
        return new ServerSpec(
                type("gpuType", gpuType),
                board,
                gpus,
                nvlink,
                interior == null ? null : interior.build(gpus, board),
                cpuMilli == null ? ServerSpec.UNLIMITED : cpuMilli,
                memoryMib == null ? ServerSpec.UNLIMITED : memoryMib,
                sharing("sharing", sharing));
    }

    private static GpuType type(String component, String name) {
        GpuType type = GpuType.parse(name);
        if (type == null) {
            throw new InvalidFieldException(
                    component, name, Nearest.oneOf(name, typeNames()) + ", or NAME=SPEED relative to the V100");
        }
        return type;
    }

    static List<String> typeNames() {
        return GpuType.known().stream().map(GpuType::name).sorted().toList();
    }

    static GpuSharing sharing(String component, String name) {
        List<String> known =
                Arrays.stream(GpuSharing.values()).map(GpuSharing::label).toList();
        if (!known.contains(name)) {
            throw new InvalidFieldException(component, name, Nearest.oneOf(name, known));
        }
        return GpuSharing.valueOf(name.toUpperCase(Locale.ROOT));
    }
}
