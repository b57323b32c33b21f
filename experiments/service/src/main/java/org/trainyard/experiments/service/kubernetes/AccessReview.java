package org.trainyard.experiments.service.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.JsonText;

/** Asks the API server for rights of our account; it answers no as clearly as it would refuse. */
public final class AccessReview {
    private AccessReview() {}

    /**
     * Requires a right for pods in all namespaces.
     *
     * @param subresource of a pod, or null for pods themselves
     * @throws InputException when it is missing, or there is no answer
     */
    public static void requirePods(KubernetesClient client, String verb, @Nullable String subresource) {
        Map<String, String> asked = new LinkedHashMap<>(Map.of("verb", verb, "resource", "pods"));
        if (subresource != null) {
            asked.put("subresource", subresource);
        }
        String answer;
        try {
            answer = client.raw(
                    "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                    "POST",
                    Map.of(
                            "apiVersion",
                            "authorization.k8s.io/v1",
                            "kind",
                            "SelfSubjectAccessReview",
                            "spec",
                            Map.of("resourceAttributes", asked)));
        } catch (KubernetesClientException e) {
            throw InputException.at("kubernetes", "ask for our rights", "an answer (%s)".formatted(e.getMessage()));
        }
        JsonNode allowed = JsonText.read(String.valueOf(answer)).at("/status/allowed");
        if (allowed.isBoolean() && !allowed.asBoolean()) {
            throw InputException.at(
                    "kubernetes",
                    "%s pods%s".formatted(verb, subresource == null ? "" : "/" + subresource),
                    "a right that our account has in all namespaces");
        }
    }
}
