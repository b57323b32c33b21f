package org.trainyard.env.workload.goodput;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.workload.ModelProfile;

/**
 * The models of {@link PolluxApplications}: {@code pollux-bert}, {@code pollux-cifar10} and so on.
 *
 * <p>Their rates are those of their goodput on T4 servers, on whatever servers they run. What they share with
 * neighbours, gradients, memory and pressures, is that of the catalogue's model of the same network; YOLOv3 has
 * 61.9 million parameters and otherwise the values of resnet50.
 */
final class PolluxModels {
    private static final Map<String, String> NETWORKS = Map.of(
            "bert", "bert", "cifar10", "resnet18", "deepspeech2", "deepspeech2", "imagenet", "resnet50", "ncf", "ncf");
    private static final double YOLO_GRADIENT_BYTES = 4 * 61.9e6;

    private PolluxModels() {}

    static List<ModelProfile> adapting(Function<String, ModelProfile> known) {
        List<ModelProfile> models = new ArrayList<>();
        for (String application : PolluxApplications.names()) {
            GoodputProfile goodput = Objects.requireNonNull(PolluxApplications.find(application));
            String network = NETWORKS.getOrDefault(application, "resnet50");
            ModelProfile base = Objects.requireNonNull(known.apply(network), network);
            models.add(new ModelProfile(
                            "pollux-" + application,
                            computeSeconds(goodput),
                            NETWORKS.containsKey(application) ? base.gradientBytes() : YOLO_GRADIENT_BYTES,
                            base.memoryBytes(),
                            base.pressure(),
                            base.sensitivity())
                    .attaching(GoodputProfile.class, goodput));
        }
        return models;
    }

    /** Compute of the smallest batch that is allowed, on a GPU of speed 1, seconds. */
    private static double computeSeconds(GoodputProfile goodput) {
        BatchLimits limits = goodput.limits();
        int batch = Math.min(limits.mostLocal(), Math.max(limits.initial(), limits.leastLocal()));
        return goodput.throughput().computeSeconds(batch) * GpuType.T4.speed();
    }
}
