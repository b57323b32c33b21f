package org.trainyard.agents.heuristic.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.trainyard.env.InputException;

/** Reads objects from a YAML file, or from all YAML files of a folder, each with any number of documents. */
public final class YamlDocuments {
    private static final int DEEPEST = 100;
    private static final ObjectMapper YAML = new ObjectMapper(YAMLFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
            .build());

    private YamlDocuments() {}

    /**
     * Reads files.
     *
     * @param scheduler whose they are, for messages
     * @param reader takes each document
     */
    public static void read(String scheduler, String path, Consumer<Fields> reader) {
        for (Path file : files(scheduler, Path.of(path))) {
            String text;
            try {
                text = Files.readString(file);
            } catch (IOException | UncheckedIOException bad) {
                throw InputException.at(scheduler, file, "a readable text");
            }
            parse(file.toString(), text, reader);
        }
    }

    private static List<Path> files(String scheduler, Path path) {
        if (Files.isRegularFile(path)) {
            return List.of(path);
        }
        if (Files.isDirectory(path)) {
            try (Stream<Path> inside = Files.list(path)) {
                return inside.filter(file -> file.toString().matches(".*\\.ya?ml"))
                        .sorted()
                        .toList();
            } catch (IOException bad) {
                throw new UncheckedIOException(bad);
            }
        }
        throw InputException.at(scheduler, path, "a YAML file or a folder of such");
    }

    /** Reads a text. */
    public static void parse(String source, String text, Consumer<Fields> reader) {
        int number = 0;
        try (MappingIterator<JsonNode> documents =
                YAML.readerFor(JsonNode.class).readValues(text)) {
            while (documents.hasNextValue()) {
                JsonNode document = documents.nextValue();
                number++;
                if (document != null && !document.isNull() && !document.isMissingNode() && !document.isEmpty()) {
                    reader.accept(new Fields(
                            "%s, document %d (%s %s)"
                                    .formatted(
                                            source,
                                            number,
                                            document.path("kind").asText("?"),
                                            document.path("metadata")
                                                    .path("name")
                                                    .asText("")),
                            document));
                }
            }
        } catch (JsonProcessingException bad) {
            throw InputException.at(
                    source
                            + (bad.getLocation() == null
                                    ? ""
                                    : ":" + bad.getLocation().getLineNr()),
                    "document " + (number + 1),
                    "YAML: " + bad.getOriginalMessage().lines().findFirst().orElse(""));
        } catch (IOException bad) {
            throw new UncheckedIOException(bad);
        }
    }
}
