package org.trainyard.agents.heuristic.kueue.configuration;

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
import java.util.stream.Stream;
import org.trainyard.env.InputException;

/** Reads the objects of Kueue from a YAML file, or from all YAML files of a folder, each with any number of documents. */
public final class KueueFiles {
    private static final int DEEPEST = 100;
    private static final ObjectMapper YAML = new ObjectMapper(YAMLFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
            .build());

    private KueueFiles() {}

    /** @throws InputException when there is no ClusterQueue in what is there */
    public static KueueObjects read(String path) {
        ObjectReader reader = new ObjectReader();
        for (Path file : files(Path.of(path))) {
            String text;
            try {
                text = Files.readString(file);
            } catch (IOException | UncheckedIOException bad) {
                throw InputException.at("scheduler kueue", file, "a readable text");
            }
            documents(file.toString(), text, reader);
        }
        return checked(path, reader.objects());
    }

    /** Reads a text. */
    public static KueueObjects parse(String source, String text) {
        ObjectReader reader = new ObjectReader();
        documents(source, text, reader);
        return checked(source, reader.objects());
    }

    private static List<Path> files(Path path) {
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
        throw InputException.at("scheduler kueue", path, "a YAML file or a folder of such");
    }

    private static void documents(String source, String text, ObjectReader reader) {
        int number = 0;
        try (MappingIterator<JsonNode> documents =
                YAML.readerFor(JsonNode.class).readValues(text)) {
            while (documents.hasNextValue()) {
                JsonNode document = documents.nextValue();
                number++;
                if (document != null && !document.isNull() && !document.isMissingNode() && !document.isEmpty()) {
                    reader.take(new Fields(
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

    private static KueueObjects checked(String source, KueueObjects objects) {
        if (objects.queues().isEmpty()) {
            throw InputException.at(source, "", "at least one ClusterQueue of Kueue");
        }
        return objects;
    }
}
