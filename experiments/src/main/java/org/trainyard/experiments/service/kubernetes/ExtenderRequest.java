package org.trainyard.experiments.service.kubernetes;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.trainyard.experiments.service.live.RequestException;

/**
 * What kube-scheduler asks an extender ({@code ExtenderArgs} of k8s.io/kube-scheduler/extender/v1, whose keys are
 * capitalised): a pod, and candidates as whole nodes (from an extender with {@code nodeCacheCapable: false}) or by
 * their names.
 *
 * <p>It is read as a stream. Of the pod its labels are kept and whether it wants GPUs; of a node its name, the
 * label {@value SchedulerExtender#SERVER}, and where it stands in the body.
 */
final class ExtenderRequest {
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(100)
                    .maxNumberLength(100)
                    .build())
            .build();
    private static final int MOST_CANDIDATES = 20_000;
    /** Of GPUs, their parts and their memory, such as {@code nvidia.com/gpu} and {@code nvidia.com/mig-1g.5gb}. */
    private static final Pattern GPU = Pattern.compile("[^/]+/(v?gpu|mig-|shared-gpu|gpu\\.).*");

    /**
     * A node.
     *
     * @param name of the node
     * @param server that its label names, or its own name
     * @param from where its bytes begin in the body
     * @param to where they end; equal to {@code from} when only its name was sent
     */
    record Candidate(String name, String server, int from, int to) {}

    /** Reads the value of a field, to its last token. */
    private interface FieldReader {
        void read(String name) throws IOException;
    }

    private final JsonParser parser;
    private final Map<String, String> labels = new HashMap<>();
    private final List<Candidate> candidates = new ArrayList<>();
    private boolean hasNodes;
    private boolean hasNames;
    private boolean hasContainers;
    private boolean hasGpus;

    private ExtenderRequest(JsonParser parser) {
        this.parser = parser;
    }

    static ExtenderRequest read(byte[] body) {
        // Text in UTF-16 or UTF-32, which the parser would also know, has a zero here.
        for (int i = 0; i < Math.min(4, body.length); i++) {
            if (body[i] == 0) {
                throw malformed("body", "bytes that are no UTF-8", "UTF-8 text");
            }
        }
        try (JsonParser parser = JSON.createParser(body)) {
            ExtenderRequest request = new ExtenderRequest(parser);
            request.arguments();
            return request;
        } catch (JsonProcessingException e) {
            JsonLocation at = e.getLocation();
            throw malformed(
                    at == null ? "body" : "body, line %d, column %d".formatted(at.getLineNr(), at.getColumnNr()),
                    "text that is no JSON, or deeper than any pod",
                    "ExtenderArgs of extender/v1");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RequestException malformed(String place, String value, String expected) {
        return new RequestException(RequestException.MALFORMED, place, value, expected);
    }

    private void arguments() throws IOException {
        parser.nextToken();
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw malformed("body", described(), "ExtenderArgs of extender/v1");
        }
        fields("body", name -> {
            switch (name.toLowerCase(Locale.ROOT)) {
                case "pod" -> fields("Pod", this::ofPod);
                case "nodes" -> {
                    hasNodes = parser.currentToken() != JsonToken.VALUE_NULL;
                    fields("Nodes", this::ofNodes);
                }
                case "nodenames" -> names();
                default -> parser.skipChildren();
            }
        });
        if (parser.nextToken() != null) {
            throw malformed("body", "more than one value", "ExtenderArgs of extender/v1");
        }
        if (!hasNodes && !hasNames) {
            throw malformed("NodeNames", "nothing", "Nodes or NodeNames");
        }
    }

    private String described() {
        return parser.currentToken() == null
                ? "nothing"
                : parser.currentToken().name().toLowerCase(Locale.ROOT);
    }

    /** Reads the object that begins at the present token; null has no fields. */
    private void fields(String place, FieldReader reader) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw malformed(place, described(), "an object");
        }
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            reader.read(name);
        }
    }

    /** Reads the objects of the list that begins at the present token; null has none. */
    private void objects(String place, FieldReader reader) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw malformed(place, described(), "a list");
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw malformed(place, described(), "a list of objects");
            }
            reader.read(place);
        }
    }

    private void ofPod(String name) throws IOException {
        switch (name) {
            case "metadata" ->
                fields("Pod.metadata", key -> {
                    if (key.equals("labels")) {
                        fields("Pod.metadata.labels", label -> labels.put(label, text("Pod.metadata.labels")));
                    } else {
                        parser.skipChildren();
                    }
                });
            case "spec" -> fields("Pod.spec", this::ofSpec);
            default -> parser.skipChildren();
        }
    }

    private void ofSpec(String name) throws IOException {
        switch (name) {
            case "containers", "initContainers" ->
                objects("Pod.spec." + name, place -> {
                    hasContainers = true;
                    fields(place, this::ofContainer);
                });
            case "resourceClaims" ->
                objects("Pod.spec.resourceClaims", place -> {
                    hasGpus = true;
                    parser.skipChildren();
                });
            default -> parser.skipChildren();
        }
    }

    private void ofContainer(String name) throws IOException {
        if (!name.equals("resources")) {
            parser.skipChildren();
            return;
        }
        fields("resources", kind -> {
            if (kind.equals("requests") || kind.equals("limits")) {
                fields(kind, resource -> {
                    String quantity = parser.currentToken().isScalarValue() ? parser.getText() : "";
                    hasGpus |= GPU.matcher(resource).matches() && !quantity.equals("0");
                    parser.skipChildren();
                });
            } else {
                parser.skipChildren();
            }
        });
    }

    private void ofNodes(String name) throws IOException {
        if (!name.equals("items")) {
            parser.skipChildren();
            return;
        }
        objects("Nodes.items", place -> {
            int from = (int) parser.currentTokenLocation().getByteOffset();
            Map<String, String> found = new HashMap<>();
            fields(place, key -> {
                if (key.equals("metadata")) {
                    fields("Nodes.items.metadata", inner -> ofMetadata(inner, found));
                } else {
                    parser.skipChildren();
                }
            });
            int to = (int) parser.currentLocation().getByteOffset();
            String node = found.get("name");
            if (node == null) {
                throw malformed(place, "a node without a name", "nodes with names");
            }
            add(new Candidate(node, found.getOrDefault(SchedulerExtender.SERVER, node), from, to));
        });
    }

    private void ofMetadata(String name, Map<String, String> found) throws IOException {
        if (name.equals("name") && parser.currentToken() != JsonToken.VALUE_NULL) {
            found.put(name, text("Nodes.items.metadata.name"));
        } else if (name.equals("labels")) {
            fields("Nodes.items.metadata.labels", label -> {
                if (label.equals(SchedulerExtender.SERVER)) {
                    found.put(label, text("Nodes.items.metadata.labels"));
                } else {
                    parser.skipChildren();
                }
            });
        } else {
            parser.skipChildren();
        }
    }

    private void names() throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw malformed("NodeNames", described(), "a list");
        }
        hasNames = true;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            String name = text("NodeNames");
            add(new Candidate(name, name, 0, 0));
        }
    }

    private String text(String place) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw malformed(place, described(), "texts");
        }
        return parser.getText();
    }

    private void add(Candidate candidate) {
        if (candidates.size() == MOST_CANDIDATES) {
            throw new RequestException(
                    RequestException.TOO_LARGE, "body", "more nodes", "at most %d nodes".formatted(MOST_CANDIDATES));
        }
        candidates.add(candidate);
    }

    /** Labels of the pod. */
    Map<String, String> labels() {
        return labels;
    }

    /**
     * Whether the pod may want GPUs; not so when it lists containers and none of them asks for GPUs or parts of them.
     */
    boolean mayWantGpus() {
        return hasGpus || !hasContainers;
    }

    /** Whether whole nodes were sent. */
    boolean hasNodes() {
        return hasNodes;
    }

    /** The nodes to choose from: the whole ones, or else those that were named. */
    List<Candidate> candidates() {
        return hasNodes
                ? candidates.stream().filter(one -> one.to() > one.from()).toList()
                : candidates;
    }
}
