package org.trainyard.interference.profiling;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;

/** Fitted pressure models as small JSON files: what was fitted, on how much, and how wrong it is. */
public final class PressureFile {
    private static final String FORMAT = "trainyard-pressure-model";
    private static final int VERSION = 1;
    private static final String SHIPPED = "pressure-model.json";
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .build();

    /** The file as it is; {@code fitted} holds coefficients, errors, number of samples and seed. */
    private record Content(String format, int version, PressureFit.Fitted fitted) {}

    private PressureFile() {}

    /** Writes a model; the file is either the old one or the whole new one. */
    public static void save(PressureFit.Fitted fitted, Path file) {
        try {
            String json =
                    JSON.writerWithDefaultPrettyPrinter().writeValueAsString(new Content(FORMAT, VERSION, fitted));
            Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
            try (FileChannel channel = FileChannel.open(
                    temporary,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING)) {
                ByteBuffer bytes = ByteBuffer.wrap((json + "\n").getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the interference model to (%s)".formatted(file), e);
        }
    }

    /**
     * Reads a model.
     *
     * @throws InputException when the file is missing, damaged or something else
     */
    public static PressureFit.Fitted load(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return read(in, file.toString());
        } catch (JsonProcessingException e) {
            throw damaged(file.toString(), e);
        } catch (IOException e) {
            throw InputException.at("interference model", file, "a file that can be read");
        }
    }

    /** The model that ships with the project. */
    public static PressureFit.Fitted shipped() {
        try (InputStream in = PressureFile.class.getResourceAsStream(SHIPPED)) {
            if (in == null) {
                throw new IllegalStateException("the shipped model (%s) is not in the jar".formatted(SHIPPED));
            }
            return read(in, SHIPPED);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PressureFit.Fitted read(InputStream in, String name) throws IOException {
        @Nullable Content content = JSON.readValue(in, Content.class);
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
