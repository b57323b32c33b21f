package org.trainyard.interference.fit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.interference.data.Domain;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.data.SourceFile;
import org.trainyard.interference.model.PairEncoder;
import org.trainyard.interference.model.PairModel;
import org.trainyard.interference.model.forest.ForestModel;
import org.trainyard.interference.model.gaussianprocess.GaussianProcessModel;
import org.trainyard.interference.model.pressure.MeasuredPressure;
import org.trainyard.interference.validation.Intervals;

/**
 * A fitted predictor as files of a folder: {@code model.json}, and two files of trees per scope where the model is
 * a forest.
 *
 * <p>{@code model.json} is sealed with the SHA-256 of its content.
 */
public final class FittedFiles {
    /** The file that makes a folder such a predictor. */
    public static final String MODEL = "model.json";

    private static final String FORMAT = "trainyard-measured-interference";
    private static final int VERSION = 3;
    private static final String SHIPPED = "measured-model.json";
    /** Refuses what is missing, unknown or null where it must not be. */
    static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .build();

    private record Content(
            String format,
            int version,
            String kind,
            long seed,
            List<SourceFile> sources,
            List<Part> models,
            List<Ends> known,
            List<Ends> unseen,
            List<JobType> types) {}

    /** The model of a scope: exactly one is not null. */
    private record Part(
            Scope scope,
            @Nullable MeasuredPressure pressure,
            @Nullable GaussianProcessModel process,
            @Nullable List<Trees> forest) {}

    private record Trees(PairEncoder encoder, String file, String sha256) {}

    private record Ends(Domain domain, Intervals intervals) {}

    private FittedFiles() {}

    /** The files by name; {@code model.json} comes last, so that a folder with it is complete. */
    public static Map<String, byte[]> of(FittedInterference fitted) {
        Map<String, byte[]> files = new LinkedHashMap<>();
        List<Part> parts = new ArrayList<>();
        for (Scope scope : fitted.scopes()) {
            parts.add(part(scope, fitted.model(scope), files));
        }
        Content content = new Content(
                FORMAT,
                VERSION,
                fitted.kind().name(),
                fitted.seed(),
                fitted.sources(),
                parts,
                ends(fitted.known()),
                ends(fitted.unseen()),
                new TreeMap<>(fitted.types()).values().stream().toList());
        try {
            byte[] json = JSON.writeValueAsBytes(content);
            files.put(MODEL, sealed(SourceFile.sha256(json), new String(json, StandardCharsets.UTF_8)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a model that cannot be written as JSON", e);
        }
        return files;
    }

    private static Part part(Scope scope, PairModel model, Map<String, byte[]> files) {
        if (model instanceof MeasuredPressure pressure) {
            return new Part(scope, pressure, null, null);
        }
        if (model instanceof GaussianProcessModel process) {
            return new Part(scope, null, process, null);
        }
        if (model instanceof ForestModel forest) {
            return new Part(scope, null, null, trees(scope, forest, files));
        }
        throw new IllegalArgumentException("a model of an unknown kind (%s)".formatted(model.getClass()));
    }

    private static List<Trees> trees(Scope scope, ForestModel forest, Map<String, byte[]> files) {
        List<Trees> trees = new ArrayList<>();
        for (int i = 0; i < forest.bytes().size(); i++) {
            String file = "forest-%s-%d.ubj".formatted(scope.label(), i);
            byte[] bytes = forest.bytes().get(i);
            files.put(file, bytes);
            trees.add(new Trees(forest.encoders().get(i), file, SourceFile.sha256(bytes)));
        }
        return trees;
    }

    private static List<Ends> ends(Map<Domain, Intervals> intervals) {
        return intervals.entrySet().stream()
                .map(entry -> new Ends(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** Whether a folder holds such a predictor. */
    public static boolean isOne(Path folder) {
        return Files.isRegularFile(folder.resolve(MODEL));
    }

    /**
     * Reads the predictor of a folder.
     *
     * @throws InputException when a file is missing, damaged or something else
     */
    public static FittedInterference read(Path folder) {
        return read("--model", folder);
    }

    /** {@link #read(Path)} of a folder that was named at a place. */
    static FittedInterference read(String place, Path folder) {
        Path file = folder.resolve(MODEL);
        try {
            return fitted(file.toString(), Files.readAllBytes(file), folder);
        } catch (IOException e) {
            throw InputException.at(place, folder, "a folder that 'fit interference --data' wrote");
        }
    }

    /** The predictor fitted to the published measurements that ships with the project. */
    public static FittedInterference shipped() {
        return fitted(SHIPPED, resource(SHIPPED), null);
    }

    private static byte[] resource(String name) {
        try (InputStream in = FittedFiles.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the shipped model (%s) is not in the jar".formatted(name));
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] sealed(String sha256, String json) {
        return "{\"sha256\":\"%s\",\n\"model\":%s}\n".formatted(sha256, json).getBytes(StandardCharsets.UTF_8);
    }

    /** What is in a sealed file, when its checksum holds. */
    private static byte[] opened(String place, byte[] bytes) {
        int empty = sealed("0".repeat(64), "").length;
        int tail = "}\n".length();
        if (bytes.length > empty) {
            byte[] json = Arrays.copyOfRange(bytes, empty - tail, bytes.length - tail);
            if (Arrays.equals(bytes, sealed(SourceFile.sha256(json), new String(json, StandardCharsets.UTF_8)))) {
                return json;
            }
        }
        throw new InputException(
                "%s: is damaged or not a fitted predictor: expected what 'fit interference --data' wrote"
                        .formatted(place));
    }

    private static FittedInterference fitted(String place, byte[] bytes, @Nullable Path folder) {
        Content content;
        try {
            content = JSON.readValue(opened(place, bytes), Content.class);
        } catch (IOException e) {
            throw new InputException("%s: is damaged or not a fitted predictor: expected what 'fit interference' wrote"
                    .formatted(place));
        }
        if (content == null || !FORMAT.equals(content.format()) || content.version() != VERSION) {
            throw new InputException("%s: expected format %s, version %d".formatted(place, FORMAT, VERSION));
        }
        ModelKind kind = ModelKind.named(place + ", kind", content.kind());
        Map<Scope, PairModel> models = new EnumMap<>(Scope.class);
        for (Part part : content.models()) {
            models.put(part.scope(), model(place, part, folder));
        }
        Map<String, JobType> types = new LinkedHashMap<>();
        content.types().forEach(type -> types.put(type.label(), type));
        return new FittedInterference(
                kind,
                content.seed(),
                models,
                intervals(content.known()),
                intervals(content.unseen()),
                types,
                content.sources());
    }

    private static Map<Domain, Intervals> intervals(List<Ends> ends) {
        Map<Domain, Intervals> intervals = new TreeMap<>();
        ends.forEach(end -> intervals.put(end.domain(), end.intervals()));
        return intervals;
    }

    private static PairModel model(String place, Part part, @Nullable Path folder) {
        if (part.pressure() != null) {
            return part.pressure();
        }
        if (part.process() != null) {
            return part.process();
        }
        if (part.forest() != null) {
            return forest(place, part.forest(), folder);
        }
        throw new InputException("%s: is damaged: expected a model for scope %s"
                .formatted(place, part.scope().label()));
    }

    private static ForestModel forest(String place, List<Trees> trees, @Nullable Path folder) {
        if (trees.size() != 2) {
            throw new InputException("%s: is damaged: expected two forests per scope".formatted(place));
        }
        return ForestModel.of(
                place,
                trees.stream().map(Trees::encoder).toList(),
                trees.stream().map(its -> bytes(place, its, folder)).toList());
    }

    private static byte[] bytes(String place, Trees trees, @Nullable Path folder) {
        if (folder == null
                || !Path.of(trees.file()).equals(Path.of(trees.file()).getFileName())) {
            throw new InputException(
                    "%s: names trees in '%s': expected a file beside it".formatted(place, trees.file()));
        }
        Path file = folder.resolve(trees.file());
        try {
            byte[] bytes = Files.readAllBytes(file);
            if (!SourceFile.sha256(bytes).equals(trees.sha256())) {
                throw new InputException("%s: is damaged: its checksum is not the one in %s".formatted(file, MODEL));
            }
            return bytes;
        } catch (IOException e) {
            throw new InputException("%s: cannot be read: expected the trees of the model".formatted(file));
        }
    }
}
