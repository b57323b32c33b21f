package org.trainyard.experiments.service.kubernetes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.experiments.service.live.RequestException;

/**
 * Request of kube-scheduler to an extender ({@code ExtenderArgs} of k8s.io/kube-scheduler/extender/v1, whose keys are
 * capitalised): a pod, and candidates as whole nodes (for an extender with {@code nodeCacheCapable: false}) or by their
 * names.
 *
 * <p>It is read as a stream. Of a node, its name, the label {@value SchedulerExtender#SERVER} and its position in the
 * body are kept.
 */
final class ExtenderRequest {
    private static final String TYPE = "ExtenderArgs of extender/v1";
    private static final int MOST_CANDIDATES = 20_000;

    /**
     * A node.
     *
     * @param server that its label names, or its own name
     * @param from where its bytes begin in the body
     * @param to where they end; equal to {@code from} when only its name was sent
     */
    record Candidate(String name, String server, int from, int to) {}

    private final RequestedPod pod = new RequestedPod();
    private final List<Candidate> candidates = new ArrayList<>();
    private boolean hasNodes;
    private boolean hasNames;

    private ExtenderRequest() {}

    static ExtenderRequest read(byte[] body) {
        ExtenderRequest request = new ExtenderRequest();
        RequestStream.read(body, TYPE, request::argument);
        if (!request.hasNodes && !request.hasNames) {
            throw RequestStream.malformed("NodeNames", "nothing", "Nodes or NodeNames");
        }
        return request;
    }

    private void argument(RequestStream stream, String name) throws IOException {
        switch (name) {
            case "pod" -> pod.read(stream, "Pod");
            case "nodes" -> {
                hasNodes = !stream.isNull();
                stream.fields("Nodes", key -> ofNodes(stream, key));
            }
            case "nodenames" -> {
                hasNames = !stream.isNull();
                stream.items("NodeNames", place -> {
                    String node = stream.text(place);
                    add(new Candidate(node, node, 0, 0));
                });
            }
            default -> stream.skip();
        }
    }

    private void ofNodes(RequestStream stream, String name) throws IOException {
        if (!name.equals("items")) {
            stream.skip();
            return;
        }
        stream.objects("Nodes.items", place -> {
            int from = stream.begin();
            Map<String, String> found = new HashMap<>();
            stream.fields(place, key -> {
                if (key.equals("metadata")) {
                    stream.fields("Nodes.items.metadata", inner -> ofMetadata(stream, inner, found));
                } else {
                    stream.skip();
                }
            });
            String node = found.get("name");
            if (node == null) {
                throw RequestStream.malformed(place, "a node without a name", "nodes with names");
            }
            add(new Candidate(node, found.getOrDefault(SchedulerExtender.SERVER, node), from, stream.end()));
        });
    }

    private static void ofMetadata(RequestStream stream, String name, Map<String, String> found) throws IOException {
        if (name.equals("name") && !stream.isNull()) {
            found.put(name, stream.text("Nodes.items.metadata.name"));
        } else if (name.equals("labels")) {
            stream.fields("Nodes.items.metadata.labels", label -> {
                if (label.equals(SchedulerExtender.SERVER)) {
                    found.put(label, stream.text("Nodes.items.metadata.labels"));
                } else {
                    stream.skip();
                }
            });
        } else {
            stream.skip();
        }
    }

    private void add(Candidate candidate) {
        if (candidates.size() == MOST_CANDIDATES) {
            throw new RequestException(
                    RequestException.TOO_LARGE, "body", "more nodes", "at most %d nodes".formatted(MOST_CANDIDATES));
        }
        candidates.add(candidate);
    }

    RequestedPod pod() {
        return pod;
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
