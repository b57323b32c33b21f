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
import org.trainyard.env.Labelled;
import org.trainyard.interference.data.Domain;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.measured.SourceFile;
import org.trainyard.interference.model.PairModel;
import org.trainyard.interference.model.gaussianprocess.GaussianProcessModel;
import org.trainyard.interference.model.pressure.MeasuredPressure;
import org.trainyard.interference.validation.Intervals;

/** A fitted predictor as the file {@code model.json} of a folder, sealed with the SHA-256 of its content. */
public final class FittedFiles {
    /** The file that makes a folder such a predictor. */
    public static final String MODEL = "model.json";

    private static final String FORMAT = "trainyard-measured-interference";
    private static final int VERSION = 4;
    private static final String SHIPPED = "measured-model.json";
    /** Refuses fields that are missing, unknown or null where they must not be. */
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
            @Nullable GaussianProcessModel process) {}

    private record Ends(Domain domain, Intervals intervals) {}

    private FittedFiles() {}

    /** The bytes of {@code model.json}. */
    public static byte[] of(FittedInterference fitted) {
        List<Part> parts = new ArrayList<>();
        for (Scope scope : fitted.scopes()) {
            parts.add(part(scope, fitted.model(scope)));
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
            return sealed(SourceFile.sha256(json), new String(json, StandardCharsets.UTF_8));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a model that cannot be written as JSON", e);
        }
    }

    private static Part part(Scope scope, PairModel model) {
        if (model instanceof MeasuredPressure pressure) {
            return new Part(scope, pressure, null);
        }
        if (model instanceof GaussianProcessModel process) {
            return new Part(scope, null, process);
        }
        throw new IllegalArgumentException("a model of an unknown kind (%s)".formatted(model.getClass()));
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
            return fitted(file.toString(), Files.readAllBytes(file));
        } catch (IOException e) {
            throw InputException.at(place, folder, "a folder that 'fit interference --data' wrote");
        }
    }

    /** The predictor fitted to the published measurements that ships with the project. */
    public static FittedInterference shipped() {
        return fitted(SHIPPED, resource(SHIPPED));
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

    /** Content of a sealed file, when its checksum holds. */
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

    private static FittedInterference fitted(String place, byte[] bytes) {
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
        ModelKind kind = Labelled.named(place + ", kind", ModelKind.class, content.kind());
        Map<Scope, PairModel> models = new EnumMap<>(Scope.class);
        for (Part part : content.models()) {
            models.put(part.scope(), model(place, part));
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

    private static PairModel model(String place, Part part) {
        if (part.pressure() != null) {
            return part.pressure();
        }
        if (part.process() != null) {
            return part.process();
        }
        throw new InputException("%s: is damaged: expected a model for scope %s"
                .formatted(place, part.scope().label()));
    }
}
