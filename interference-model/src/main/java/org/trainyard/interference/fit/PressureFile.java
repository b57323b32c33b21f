package org.trainyard.interference.fit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;

/** Fitted pressure models as small JSON files: coefficients, number of samples, seed and errors. */
public final class PressureFile {
    private static final String FORMAT = "trainyard-pressure-model";
    private static final int VERSION = 1;
    private static final ObjectMapper JSON =
            FittedFiles.JSON.copy().enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES);

    /** The content of a file; {@code fitted} holds coefficients, errors, number of samples and seed. */
    private record Content(String format, int version, PressureFit.Fitted fitted) {}

    private PressureFile() {}

    /** A model as the text of its file. */
    public static String json(PressureFit.Fitted fitted) {
        try {
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(new Content(FORMAT, VERSION, fitted))
                    + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a model that cannot be written as JSON", e);
        }
    }

    /**
     * Reads a model.
     *
     * @throws InputException when the file is missing, damaged or of another format
     */
    public static PressureFit.Fitted load(Path file) {
        try {
            return read(Files.readAllBytes(file), file.toString());
        } catch (IOException e) {
            throw InputException.at("interference model", file, "a file that can be read");
        }
    }

    private static PressureFit.Fitted read(byte[] json, String name) {
        @Nullable Content content;
        try {
            content = JSON.readValue(new String(json, StandardCharsets.UTF_8), Content.class);
        } catch (JsonProcessingException e) {
            throw damaged(name, e);
        }
        if (content == null) {
            throw InputException.at(name, "null", "an interference model written by this program");
        }
        if (!FORMAT.equals(content.format())) {
            throw InputException.at(name + ", format", content.format(), FORMAT);
        }
        if (content.version() != VERSION) {
            throw InputException.at(name + ", version", content.version(), Integer.toString(VERSION));
        }
        return content.fitted();
    }

    private static InputException damaged(String file, JsonProcessingException e) {
        StringBuilder place = new StringBuilder(file);
        if (e instanceof JsonMappingException mapping) {
            mapping.getPath().forEach(step -> place.append(", ").append(step.getFieldName()));
        }
        String why = e.getOriginalMessage().lines().findFirst().orElse("no JSON");
        // What follows advises programmers, not users.
        why = why.split("; `Deserialization| \\(set Deserialization", -1)[0];
        return InputException.at(place.toString(), why, "an interference model written by this program");
    }
}
