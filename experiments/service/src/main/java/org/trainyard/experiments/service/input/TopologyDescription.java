package org.trainyard.experiments.service.input;

import java.util.Set;
import java.util.function.Supplier;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.Binder;
import org.trainyard.env.binding.Nearest;
import org.trainyard.env.binding.Yaml;
import org.trainyard.env.binding.YamlReader;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.topology.NodeTable;
import org.trainyard.experiments.config.topology.TopologyFile;

/**
 * A topology as a client describes it: the keys of a {@link TopologyFile} in YAML or JSON, or {@code {"name": PRESET}}.
 *
 * <p>It names no file, and its size is known before anything of that size is made.
 */
public final class TopologyDescription {
    private static final String NAME = "name";
    /** Number of links beyond which a network of the most servers has links without need. */
    private static final long MOST_LINKS = 200_000;

    private final String text;
    private final TopologyFile.Size size;
    private final Supplier<Topology> topology;

    private TopologyDescription(String text, TopologyFile.Size size, Supplier<Topology> topology) {
        this.text = text;
        this.size = size;
        this.topology = topology;
    }

    /**
     * Reads a description.
     *
     * @param place where the text came from, for messages
     * @throws InputException when it is neither
     */
    public static TopologyDescription parse(String place, String text) {
        try {
            Yaml root = YamlReader.read(place, text);
            if (root instanceof Yaml.Mapping mapping
                    && mapping.entries().keySet().equals(Set.of(NAME))) {
                return preset(mapping.entries().getOrDefault(NAME, mapping));
            }
            TopologyFile.Described described = Binder.bind(root, TopologyFile.Described.class);
            TopologyFile.Size size = described.size();
            if (size.gpus() == 0) {
                throw new InputException("%s: no server has a GPU: expected at least one".formatted(place));
            }
            if (size.links() > MOST_LINKS) {
                throw InputException.at(
                        place, size.links() + " links between switches", "at most %d".formatted(MOST_LINKS));
            }
            return new TopologyDescription(text, size, () -> build(place, described));
        } catch (IllegalArgumentException e) {
            throw oneLine(place, e);
        }
    }

    private static TopologyDescription preset(Yaml name) {
        String text = name instanceof Yaml.Scalar scalar ? scalar.text() : "";
        Topology preset = Topologies.preset(text);
        if (preset == null) {
            throw InputException.at(
                    Binder.at(name.place(), NAME),
                    name.describe(),
                    Nearest.oneOf(name.describe(), Topologies.names()) + ", or all keys of a topology");
        }
        TopologyFile.Size size = new TopologyFile.Size(preset.servers(), preset.gpus(), 0);
        return new TopologyDescription(text, size, () -> preset);
    }

    private static Topology build(String place, TopologyFile.Described described) {
        try {
            return described.build(place);
        } catch (IllegalArgumentException e) {
            throw oneLine(place, e);
        }
    }

    private static InputException oneLine(String place, IllegalArgumentException e) {
        return new InputException("%s: %s".formatted(place, NodeTable.oneLine(String.valueOf(e.getMessage()))));
    }

    /** The name of the preset, or else the text as it was read. */
    public String text() {
        return text;
    }

    public long servers() {
        return size.servers();
    }

    public long gpus() {
        return size.gpus();
    }

    /**
     * Makes the topology.
     *
     * @throws InputException when its parts do not fit together
     */
    public Topology build() {
        return topology.get();
    }
}
