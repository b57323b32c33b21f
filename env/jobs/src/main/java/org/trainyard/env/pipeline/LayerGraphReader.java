package org.trainyard.env.pipeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trainyard.env.InputException;

/**
 * Reads the layer graphs of PipeDream's profiler: a line for each node with times in ms and sizes in bytes, then lines
 * that start with a space or tab for the edges.
 *
 * <p>The chain has a layer for each node that descends from the first node, in an order that respects the edges. Any
 * other node joins the layer of its first consumer, because nothing would be gained by a stage that starts in the
 * middle of the model. The activations of a cut are those of all nodes before it with an edge across it. As in
 * PipeDream, source nodes named {@code Input...} and unused nodes named {@code __getitem__...} are left out.
 */
public final class LayerGraphReader {
    private static final Pattern NODE = Pattern.compile("(\\S+) -- (.*) -- forward_compute_time=(\\S+), "
            + "backward_compute_time=(\\S+), activation_size=(.+), parameter_size=([^ ]+)(?: -- .*)?");
    private static final Pattern EDGE = Pattern.compile("\\s+(\\S+) -- (\\S+)\\s*");

    /** @param layer its values, cut without skipping edges */
    private record Node(int line, String description, Layer layer) {}

    private final String file;
    private final Map<String, Node> nodes = new HashMap<>();
    /** The ids in the order of the file. */
    private final List<String> ids = new ArrayList<>();

    private final Map<String, List<String>> sources = new HashMap<>();
    private final Map<String, List<String>> targets = new HashMap<>();

    private LayerGraphReader(String file) {
        this.file = file;
    }

    /** Whether a file of that text is a layer graph. */
    public static boolean isOne(String text) {
        return text.lines().anyMatch(line -> NODE.matcher(line.strip()).matches());
    }

    /**
     * @param file name of the file, for messages
     * @param microBatch samples of the profile
     * @throws InputException with the line, for a line of another form, a negative time or size, a missing node or a
     *     cycle
     */
    public static LayerProfile read(String file, String name, String text, int microBatch) {
        LayerGraphReader reader = new LayerGraphReader(file);
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            reader.add(i + 1, lines[i]);
        }
        reader.removeUnused();
        return reader.profile(name, microBatch);
    }

    private void add(int line, String text) {
        if (text.isBlank()) {
            return;
        }
        if (Character.isWhitespace(text.charAt(0))) {
            addEdge(line, text);
        } else {
            addNode(line, text.strip());
        }
    }

    private void addNode(int line, String text) {
        Matcher matcher = NODE.matcher(text);
        if (!matcher.matches()) {
            throw InputException.at(
                    at(line),
                    text,
                    "a node: ID -- NAME -- forward_compute_time=MS, "
                            + "backward_compute_time=MS, activation_size=BYTES, parameter_size=BYTES");
        }
        double[] figures = new double[4];
        for (int i = 0; i < figures.length; i++) {
            figures[i] = figure(line, matcher.group(i + 3));
        }
        String id = matcher.group(1);
        Layer layer = new Layer(id, figures[0] / 1e3, figures[1] / 1e3, figures[2], figures[3]);
        if (nodes.put(id, new Node(line, matcher.group(2), layer)) != null) {
            throw InputException.at(at(line), id, "a node that is not there twice");
        }
        ids.add(id);
    }

    /** A number of 0 or more, or a list of such in brackets, which is summed. */
    private double figure(int line, String text) {
        double sum = 0;
        for (String part : text.replaceAll("[\\[\\]]", "").split(";", -1)) {
            double value;
            try {
                value = Double.parseDouble(part.strip());
            } catch (NumberFormatException e) {
                throw InputException.at(at(line), text, "a number");
            }
            if (!(value >= 0) || Double.isInfinite(value)) {
                throw InputException.at(at(line), text, "a finite number that is not negative");
            }
            sum += value;
        }
        return sum;
    }

    private void addEdge(int line, String text) {
        Matcher matcher = EDGE.matcher(text);
        if (!matcher.matches()) {
            throw InputException.at(at(line), text.strip(), "an edge: ID -- ID");
        }
        for (int i = 1; i <= 2; i++) {
            if (!nodes.containsKey(matcher.group(i))) {
                throw InputException.at(at(line), matcher.group(i), "a node that is listed above the edges");
            }
        }
        sources.computeIfAbsent(matcher.group(2), id -> new ArrayList<>()).add(matcher.group(1));
        targets.computeIfAbsent(matcher.group(1), id -> new ArrayList<>()).add(matcher.group(2));
    }

    private String at(int line) {
        return "%s:%d".formatted(file, line);
    }

    private void removeUnused() {
        removeAll(ids.stream()
                .filter(id -> !sources.containsKey(id) && node(id).description().startsWith("Input"))
                .toList());
        removeAll(ids.stream()
                .filter(id -> !targets.containsKey(id) && node(id).description().startsWith("__getitem__"))
                .toList());
        if (ids.isEmpty()) {
            throw InputException.at(file, "no layer", "at least one node beside the inputs");
        }
    }

    private void removeAll(List<String> unused) {
        ids.removeAll(unused);
        sources.values().forEach(list -> list.removeAll(unused));
        targets.values().forEach(list -> list.removeAll(unused));
        unused.forEach(sources::remove);
        unused.forEach(targets::remove);
    }

    private Node node(String id) {
        Node node = nodes.get(id);
        if (node == null) {
            throw new IllegalStateException("no node " + id);
        }
        return node;
    }

    private LayerProfile profile(String name, int microBatch) {
        List<List<String>> groups = groups();
        Map<String, Integer> groupOf = new HashMap<>();
        for (int i = 0; i < groups.size(); i++) {
            for (String id : groups.get(i)) {
                groupOf.put(id, i);
            }
        }
        double[] cuts = cuts(groups, groupOf);
        List<Layer> layers = new ArrayList<>();
        for (int i = 0; i < cuts.length; i++) {
            layers.add(layer(groups.get(i), cuts[i]));
        }
        if (layers.stream().allMatch(layer -> layer.forwardSeconds() + layer.backwardSeconds() == 0)) {
            throw InputException.at(file, "no compute time", "at least one node with a time above zero");
        }
        return new LayerProfile(name, microBatch, layers);
    }

    private Layer layer(List<String> group, double cutBytes) {
        double forward = 0;
        double backward = 0;
        double activations = 0;
        double parameters = 0;
        for (String id : group) {
            Layer layer = node(id).layer();
            forward += layer.forwardSeconds();
            backward += layer.backwardSeconds();
            activations += layer.activationBytes();
            parameters += layer.parameterBytes();
        }
        return new Layer(group.get(group.size() - 1), forward, backward, activations, cutBytes, parameters);
    }

    /** Activations across the cut after each group. */
    private double[] cuts(List<List<String>> groups, Map<String, Integer> groupOf) {
        double[] cuts = new double[groups.size()];
        for (int i = 0; i < cuts.length; i++) {
            for (String id : groups.get(i)) {
                int last = targets.getOrDefault(id, List.of()).stream()
                        .mapToInt(target -> groupOf.getOrDefault(target, 0))
                        .max()
                        .orElse(i + 1);
                for (int cut = i; cut < Math.min(last, cuts.length); cut++) {
                    cuts[cut] += node(id).layer().activationBytes();
                }
            }
        }
        return cuts;
    }

    /** The nodes of each layer: one that descends from the first node, last, and others that only it needs so far. */
    private List<List<String>> groups() {
        List<String> sorted = sorted();
        Map<String, Boolean> descends = new HashMap<>();
        for (String id : sorted) {
            boolean fromSource =
                    sources.getOrDefault(id, List.of()).stream().anyMatch(s -> descends.getOrDefault(s, false));
            descends.put(id, fromSource || id.equals(ids.get(0)));
        }
        List<List<String>> groups = new ArrayList<>();
        List<String> placed = new ArrayList<>();
        for (String id : sorted) {
            if (descends.getOrDefault(id, false)) {
                List<String> group = new ArrayList<>();
                gather(id, placed, group);
                groups.add(group);
            }
        }
        List<String> rest = new ArrayList<>(sorted);
        rest.removeAll(placed);
        rest.forEach(id -> groups.get(groups.size() - 1).add(0, id));
        return groups;
    }

    private void gather(String id, List<String> placed, List<String> group) {
        if (placed.contains(id)) {
            return;
        }
        sources.getOrDefault(id, List.of()).forEach(source -> gather(source, placed, group));
        placed.add(id);
        group.add(id);
    }

    /** The ids in an order that respects the edges, and the order of the file where these permit. */
    private List<String> sorted() {
        List<String> left = new ArrayList<>(ids);
        List<String> sorted = new ArrayList<>();
        while (!left.isEmpty()) {
            String next = left.stream()
                    .filter(id -> sources.getOrDefault(id, List.of()).stream().noneMatch(left::contains))
                    .findFirst()
                    .orElseThrow(() -> InputException.at(
                            at(node(left.get(0)).line()), left.get(0), "a graph without a cycle through this node"));
            left.remove(next);
            sorted.add(next);
        }
        return sorted;
    }
}
