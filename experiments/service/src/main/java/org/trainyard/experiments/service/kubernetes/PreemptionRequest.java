package org.trainyard.experiments.service.kubernetes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.experiments.service.live.RequestException;

/**
 * The victims that kube-scheduler would take off each node for a pod ({@code ExtenderPreemptionArgs} of
 * k8s.io/kube-scheduler/extender/v1), whole or by their uids.
 */
final class PreemptionRequest {
    private static final int MOST_VICTIMS = 100_000;

    /** The victims on one node, and how many budgets of disruption they would violate. */
    static final class Victims {
        final List<RequestedPod> pods = new ArrayList<>();
        long violations;
    }

    private final RequestedPod pod = new RequestedPod();
    private final Map<String, Victims> byNode = new LinkedHashMap<>();
    private int count;

    private PreemptionRequest() {}

    static PreemptionRequest read(byte[] body) {
        PreemptionRequest request = new PreemptionRequest();
        RequestStream.read(body, "ExtenderPreemptionArgs of extender/v1", request::argument);
        return request;
    }

    private void argument(RequestStream stream, String name) throws IOException {
        switch (name) {
            case "pod" -> pod.read(stream, "Pod");
            case "nodenametovictims", "nodenametometavictims" ->
                stream.fields(name, node -> {
                    Victims victims = byNode.computeIfAbsent(node, unknown -> new Victims());
                    stream.fields(node, key -> ofVictims(stream, key, victims));
                });
            default -> stream.skip();
        }
    }

    private void ofVictims(RequestStream stream, String key, Victims victims) throws IOException {
        if (key.equalsIgnoreCase("pods")) {
            stream.objects("Pods", place -> {
                if (++count > MOST_VICTIMS) {
                    throw new RequestException(
                            RequestException.TOO_LARGE, place, count, "at most %d victims".formatted(MOST_VICTIMS));
                }
                RequestedPod victim = new RequestedPod();
                victim.read(stream, place);
                victims.pods.add(victim);
            });
        } else if (key.equalsIgnoreCase("numpdbviolations")) {
            String number = stream.scalar();
            victims.violations = number.matches("\\d{1,9}") ? Long.parseLong(number) : 0;
        } else {
            stream.skip();
        }
    }

    RequestedPod pod() {
        return pod;
    }

    /** By node. */
    Map<String, Victims> byNode() {
        return byNode;
    }
}
