package org.trainyard.experiments.service.kubernetes;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** A pod in a request of kube-scheduler: its names, labels and annotations, and whether it requests GPUs. */
final class RequestedPod {
    /** Names of GPUs, their parts and memory, such as {@code nvidia.com/gpu} or {@code nvidia.com/mig-1g.5gb}. */
    static final Pattern GPU = Pattern.compile("[^/]+/(v?gpu|mig-|shared-gpu|gpu\\.).*");

    private final Map<String, String> metadata = new HashMap<>();
    private final Map<String, String> labels = new HashMap<>();
    private boolean hasContainers;
    private boolean hasGpus;

    /** Reads the object that begins at the present token: a pod, or its uid alone. */
    void read(RequestStream stream, String place) throws IOException {
        stream.fields(place, name -> {
            switch (name) {
                case "metadata" -> stream.fields(place + ".metadata", key -> ofMetadata(stream, place, key));
                case "spec" -> stream.fields(place + ".spec", key -> ofSpec(stream, place, key));
                case "UID", "uid" -> metadata.put("uid", stream.scalar());
                default -> stream.skip();
            }
        });
    }

    private void ofMetadata(RequestStream stream, String place, String key) throws IOException {
        switch (key) {
            case "labels" ->
                stream.fields(
                        place + ".metadata.labels",
                        label -> labels.put(label, stream.text(place + ".metadata.labels")));
            case "name", "namespace", "uid" -> metadata.put(key, stream.scalar());
            default -> stream.skip();
        }
    }

    private void ofSpec(RequestStream stream, String place, String name) throws IOException {
        switch (name) {
            case "containers", "initContainers" ->
                stream.objects(place + ".spec." + name, list -> {
                    hasContainers = true;
                    stream.fields(list, key -> ofContainer(stream, key));
                });
            case "resourceClaims" ->
                stream.objects(place + ".spec.resourceClaims", list -> {
                    hasGpus = true;
                    stream.skip();
                });
            default -> stream.skip();
        }
    }

    private void ofContainer(RequestStream stream, String name) throws IOException {
        if (!name.equals("resources")) {
            stream.skip();
            return;
        }
        stream.fields("resources", kind -> {
            if (kind.equals("requests") || kind.equals("limits")) {
                stream.fields(
                        kind,
                        resource -> hasGpus |= !stream.scalar().equals("0")
                                && GPU.matcher(resource).matches());
            } else {
                stream.skip();
            }
        });
    }

    /** {@code name}, {@code namespace} or {@code uid}; empty when there is none. */
    String metadata(String key) {
        return metadata.getOrDefault(key, "");
    }

    Map<String, String> labels() {
        return labels;
    }

    /**
     * Whether the pod may want GPUs; not so when it lists containers and none of them asks for GPUs or parts of them.
     */
    boolean mayWantGpus() {
        return hasGpus || !hasContainers;
    }
}
