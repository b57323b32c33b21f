package org.trainyard.env.topology;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The topologies that have names. */
public final class Topologies {
    private static final Pattern SHORTHAND = Pattern.compile("(?:(\\d{1,4})x)?(\\d{1,5})x(\\d{1,2})");

    private Topologies() {}

    /** The names of the presets, smallest first. */
    public static List<String> names() {
        return List.of("small", "medium", "large");
    }

    /** 2 racks x 4 servers x 4 GPUs. */
    public static Topology small() {
        return Topology.uniform("small", Fabric.DEFAULT, 2, 4, ServerSpec.ofV100(4), 2);
    }

    /** 4 racks x 4 servers x 8 GPUs. */
    public static Topology medium() {
        return Topology.uniform("medium", Fabric.DEFAULT, 4, 4, ServerSpec.ofV100(8), 4);
    }

    /** 16 racks x 16 servers x 8 GPUs, in pods of 4 racks. */
    public static Topology large() {
        return Topology.uniform("large", Fabric.DEFAULT, 16, 16, ServerSpec.ofV100(8), 4);
    }

    /**
     * A preset by name, {@code SERVERSxGPUS} in one rack ({@code 20x8}) or {@code RACKSxSERVERSxGPUS} ({@code 2x4x8}).
     *
     * @return null when the text is neither
     * @throws IllegalArgumentException when it is a shorthand of an impossible size
     */
    public static @Nullable Topology parse(String text) {
        Topology preset = preset(text);
        if (preset != null) {
            return preset;
        }
        Matcher matcher = SHORTHAND.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        int racks = matcher.group(1) == null ? 1 : Integer.parseInt(matcher.group(1));
        int servers = Integer.parseInt(matcher.group(2));
        int gpus = Integer.parseInt(matcher.group(3));
        if (racks < 1 || servers < 1) {
            throw new IllegalArgumentException("cluster (%s) has no server".formatted(text));
        }
        return Topology.uniform(text, Fabric.DEFAULT, racks, servers, ServerSpec.ofV100(gpus), 4);
    }

    private static @Nullable Topology preset(String name) {
        return switch (name) {
            case "small" -> small();
            case "medium" -> medium();
            case "large" -> large();
            default -> null;
        };
    }
}
