package org.trainyard.interference.tables;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.trainyard.env.Counted;
import org.trainyard.interference.data.ArchitectureResources;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.data.Trait;
import org.trainyard.interference.measured.MeasurementTable;
import org.trainyard.interference.measured.PublishedArchitectures;
import org.trainyard.interference.measured.SourceFile;

/**
 * Reads the profiles of topology-aware scheduling on a Power8 server: pairs of jobs of two GPUs each that cross its two
 * sockets.
 *
 * <p>M. Amaral et al.: Topology-aware GPU scheduling for learning workloads in cloud environments, SC 2017. Only pairs
 * of two GPUs beside two GPUs are read: there the time is the first job's, and its time alone across the sockets is the
 * base. In the other blocks the time is of the first or of the second job, and the files do not record which. Values of
 * five times the time alone and more are of the wrong job, too, and are left out.
 */
public final class MinskyReader {
    private static final String HARDWARE = "power8 nvlink";
    private static final String GPUS = "num_gpus";
    private static final String TWO = "2";
    private static final double IMPLAUSIBLE = 5;

    private final JsonNode solo;
    private final List<Measurement> rows = new ArrayList<>();
    private int left;
    private int faster;

    private MinskyReader(JsonNode solo) {
        this.solo = solo;
    }

    static boolean recognises(JsonNode root) {
        return root.path("collocation").isObject() && root.path("solo").isObject();
    }

    static MeasurementTable read(String file, String sha256, JsonNode root) {
        MinskyReader reader = new MinskyReader(root.path("solo"));
        reader.readPairs(root.path("collocation"));
        return new MeasurementTable(
                reader.rows,
                List.of(new SourceFile(
                        file,
                        sha256,
                        "M. Amaral et al., Topology-aware GPU scheduling for learning workloads in cloud environments, SC 2017;"
                                + " HiEST/gpu-topo-aware",
                        "Apache-2.0",
                        reader.rows.size(),
                        List.of(
                                Counted.say(
                                        "%d values of other shapes than 2 beside 2 GPUs, not run or implausible: left out",
                                        reader.left),
                                Counted.say(
                                        "%d times below the time alone: noise, taken as no slowdown and marked",
                                        reader.faster)))));
    }

    private void readPairs(JsonNode models) {
        models.fieldNames()
                .forEachRemaining(model -> models.path(model).fieldNames().forEachRemaining(batch -> {
                    JsonNode byGpus = models.path(model).path(batch).path(GPUS);
                    byGpus.fieldNames().forEachRemaining(gpus -> {
                        JsonNode others = byGpus.path(gpus);
                        others.fieldNames()
                                .forEachRemaining(other -> others.path(other)
                                        .fieldNames()
                                        .forEachRemaining(otherBatch -> {
                                            JsonNode times = others.path(other)
                                                    .path(otherBatch)
                                                    .path(GPUS);
                                            times.fieldNames()
                                                    .forEachRemaining(otherGpus -> add(
                                                            gpus.equals(TWO) && otherGpus.equals(TWO),
                                                            type(model, batch),
                                                            type(other, otherBatch),
                                                            alone(model, batch),
                                                            times.path(otherGpus)
                                                                    .asDouble()));
                                        }));
                    });
                }));
    }

    private void add(boolean known, JobType victim, JobType neighbour, double alone, double time) {
        if (!known || !(time > 0) || !(alone > 0) || time >= IMPLAUSIBLE * alone) {
            left++;
            return;
        }
        boolean capped = time <= alone;
        faster += capped ? 1 : 0;
        rows.add(new Measurement(
                victim, neighbour, Scope.SOCKET, HARDWARE, Math.max(1, time / alone), "minsky", 1, capped));
    }

    private double alone(String model, String batch) {
        return solo.path(model)
                .path(batch)
                .path(GPUS)
                .path(TWO)
                .path("inter-socket")
                .asDouble();
    }

    private static JobType type(String model, String batch) {
        Map<Trait, Double> traits = new EnumMap<>(Trait.class);
        traits.put(Trait.BATCH, Math.log(Double.parseDouble(batch)) / Math.log(2));
        traits.put(Trait.GPUS, 1.0);
        traits.put(Trait.SERVERS, 0.0);
        traits.put(Trait.GPUS_PER_SERVER, 1.0);
        String label = "%s (batch size %s, 2 GPUs)".formatted(model, batch);
        return new JobType(label, ArchitectureResources.canonical(model), traits)
                .with(PublishedArchitectures.resources(model));
    }
}
