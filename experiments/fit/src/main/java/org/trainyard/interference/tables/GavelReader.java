package org.trainyard.interference.tables;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
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
 * Reads Gavel's throughput tables: pairs of jobs on one GPU.
 *
 * <p>D. Narayanan et al.: Heterogeneity-aware cluster scheduling policies for deep learning workloads, OSDI 2020. A
 * rate of zero means "not measured". Rates capped at the isolated one are marked. The {@code _unconsolidated} worker
 * types repeat the pairs of the others and are left out, as are jobs on more than one GPU, of which no pair was
 * measured.
 */
public final class GavelReader {
    private static final Pattern LABEL = Pattern.compile("\\('(.+?)(?: \\(batch size (\\d+)\\))?', (\\d+)\\)");
    private static final String ALONE = "null";
    private static final String UNCONSOLIDATED = "_unconsolidated";
    /** Distance below the isolated rate, at most, that counts as capped. */
    private static final double CAP = 1e-9;

    private final String source;
    private final JsonNode root;
    private final List<Measurement> rows = new ArrayList<>();
    private int missing;
    private int capped;

    private GavelReader(String source, JsonNode root) {
        this.source = source;
        this.root = root;
    }

    /** Whether this is a throughput table: worker types, in them job types, in them the rate alone. */
    static boolean recognises(JsonNode root) {
        if (!root.isObject() || root.isEmpty()) {
            return false;
        }
        JsonNode worker = root.elements().next();
        return worker.isObject()
                && !worker.isEmpty()
                && LABEL.matcher(worker.fieldNames().next()).matches();
    }

    static MeasurementTable read(String file, String sha256, JsonNode root) {
        String source = "gavel " + file.replaceFirst("\\.json(\\.gz)?$", "");
        GavelReader reader = new GavelReader(source, root);
        root.fieldNames().forEachRemaining(worker -> {
            if (!worker.endsWith(UNCONSOLIDATED)) {
                reader.readWorker(worker);
            }
        });
        return new MeasurementTable(
                reader.rows,
                List.of(new SourceFile(
                        file,
                        sha256,
                        "D. Narayanan et al., Heterogeneity-aware cluster scheduling policies for deep learning"
                                + " workloads, OSDI 2020; stanford-futuredata/gavel",
                        "MIT",
                        reader.rows.size(),
                        List.of(
                                Counted.say(
                                        "%d pairs on one GPU not measured ([0, 0]) or without a rate alone",
                                        reader.missing),
                                Counted.say(
                                        "%d rates at or above the isolated one: taken as no slowdown and marked",
                                        reader.capped),
                                "worker types ..._unconsolidated repeat the others and are left out"))));
    }

    private void readWorker(String worker) {
        JsonNode jobs = root.path(worker);
        jobs.fieldNames().forEachRemaining(label -> {
            JobType victim = type(label);
            double alone = jobs.path(label).path(ALONE).asDouble();
            if (victim == null) {
                return;
            }
            JsonNode pairs = jobs.path(label);
            pairs.fieldNames().forEachRemaining(other -> {
                JobType neighbour = other.equals(ALONE) ? null : type(other);
                if (neighbour != null) {
                    add(worker, victim, neighbour, alone, pairs.path(other));
                }
            });
        });
    }

    private void add(String worker, JobType victim, JobType neighbour, double alone, JsonNode rates) {
        double beside = rates.path(0).asDouble();
        if (!(beside > 0) || !(rates.path(1).asDouble() > 0) || !(alone > 0)) {
            missing++;
            return;
        }
        boolean atCap = beside >= alone * (1 - CAP);
        capped += atCap ? 1 : 0;
        rows.add(new Measurement(victim, neighbour, Scope.GPU, worker, atCap ? 1 : alone / beside, source, 1, atCap));
    }

    /** The type of a label, or null when it runs on more than one GPU. */
    private @Nullable JobType type(String label) {
        Matcher matcher = LABEL.matcher(label);
        if (!matcher.matches() || !matcher.group(3).equals("1")) {
            return null;
        }
        String architecture = matcher.group(1);
        String batch = matcher.group(2);
        Map<Trait, Double> traits = new EnumMap<>(Trait.class);
        double v100 = alone("v100", label);
        if (v100 > 0) {
            traits.put(Trait.STEP_SECONDS, -Math.log(v100));
            putSlower(traits, Trait.SLOWER_ON_P100, v100, alone("p100", label));
            putSlower(traits, Trait.SLOWER_ON_K80, v100, alone("k80", label));
        }
        if (batch != null) {
            traits.put(Trait.BATCH, Math.log(Double.parseDouble(batch)) / Math.log(2));
        }
        traits.put(Trait.GPUS, 0.0);
        traits.put(Trait.SERVERS, 0.0);
        traits.put(Trait.GPUS_PER_SERVER, 0.0);
        String name = batch == null ? architecture : "%s (batch size %s)".formatted(architecture, batch);
        return new JobType(name, ArchitectureResources.canonical(architecture), traits)
                .with(PublishedArchitectures.resources(architecture));
    }

    private static void putSlower(Map<Trait, Double> traits, Trait trait, double v100, double other) {
        if (other > 0) {
            traits.put(trait, Math.log(v100 / other));
        }
    }

    private double alone(String worker, String label) {
        return root.path(worker).path(label).path(ALONE).asDouble();
    }
}
