package org.trainyard.experiments.watch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.experiments.io.RunDirectory;

/** The files of a run that {@code --record} wrote. */
final class Recording {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int[] NO_GPUS = {};

    private final RunDirectory directory;
    private final RecordedCluster cluster;
    private final List<RecordedEpisode> runs;

    /**
     * Opens a folder and counts the events of its runs.
     *
     * @throws InputException when nothing was recorded there
     */
    static Recording open(Path folder) {
        RunDirectory directory = RunDirectory.open(folder);
        if (!Files.isRegularFile(directory.events()) || !Files.isRegularFile(directory.cluster())) {
            throw InputException.at(
                    "watch",
                    folder,
                    "a folder with recorded events: run simulate or evaluate again with --record and another --out");
        }
        return new Recording(directory);
    }

    private Recording(RunDirectory directory) {
        this.directory = directory;
        cluster = new RecordedCluster(directory.cluster().toString(), tree(directory.cluster()));
        Map<String, RecordedEpisode> found = new LinkedHashMap<>();
        lines(directory.events(), line -> {
            String scheduler = line.path("scheduler").asText();
            int episode = line.path("episode").asInt(0);
            found.compute(
                    scheduler + "/" + episode,
                    (key, run) -> new RecordedEpisode(
                            scheduler,
                            episode,
                            run == null ? 1 : run.events() + 1,
                            line.path("time").asDouble()));
        });
        runs = List.copyOf(found.values());
    }

    private static JsonNode tree(Path file) {
        try {
            return JSON.readTree(file.toFile());
        } catch (IOException e) {
            throw new InputException("%s: cannot be read as JSON: expected what --record writes".formatted(file));
        }
    }

    /** Passes on every line of a gzipped file. */
    private static void lines(Path file, Consumer<JsonNode> line) {
        int number = 0;
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file), 1 << 16), StandardCharsets.UTF_8))) {
            for (String text = in.readLine(); text != null; text = in.readLine()) {
                number++;
                if (!text.isEmpty()) {
                    line.accept(JSON.readTree(text));
                }
            }
        } catch (JsonProcessingException e) {
            throw new InputException("%s:%d: is no JSON: expected what --record writes".formatted(file, number));
        } catch (IOException e) {
            throw new InputException("%s: breaks off after line %d (%s): expected a whole gzipped file"
                    .formatted(file, number, e.getMessage()));
        }
    }

    /** Name of the folder. */
    String name() {
        return String.valueOf(directory.root().toAbsolutePath().normalize().getFileName());
    }

    RecordedCluster cluster() {
        return cluster;
    }

    /** The runs, in the order in which they were made. */
    List<RecordedEpisode> runs() {
        return runs;
    }

    /** The events of a run. */
    Replay replay(RecordedEpisode run) {
        Replay replay = new Replay(cluster);
        lines(directory.events(), line -> {
            if (run.has(line.path("scheduler").asText(), line.path("episode").asInt(0))) {
                replay.add(
                        line.path("time").asDouble(),
                        EventKind.valueOf(line.path("event").asText()),
                        line.path("job").asText(""),
                        gpus(line));
            }
        });
        return replay;
    }

    private int[] gpus(JsonNode line) {
        if (line.has("server")) {
            return cluster.gpusOf(line.path("server").asInt());
        }
        if (line.has("gpu")) {
            return new int[] {line.path("gpu").asInt()};
        }
        JsonNode gpus = line.path("gpus");
        int[] read = gpus.size() == 0 ? NO_GPUS : new int[gpus.size()];
        for (int i = 0; i < read.length; i++) {
            read[i] = gpus.get(i).asInt();
        }
        return read;
    }

    /** The decisions of a run; none when they were not recorded. */
    DecisionPages decisions(RecordedEpisode run) {
        DecisionPages pages = new DecisionPages();
        if (Files.isRegularFile(directory.decisions())) {
            lines(directory.decisions(), line -> {
                if (run.has(
                        line.path("scheduler").asText(), line.path("episode").asInt())) {
                    pages.add(new DecisionPages.Line(line.path("time").asDouble(), line.toString()));
                }
            });
        }
        pages.close();
        return pages;
    }

    /** GPUs that the jobs of a run ask for, by name; empty without jobs.csv. */
    Map<String, Integer> gpusAsked(RecordedEpisode run) {
        Map<String, Integer> asked = new HashMap<>();
        if (!Files.isRegularFile(directory.jobs())) {
            return asked;
        }
        try (CsvReader<NamedCsvRecord> csv = CsvReader.builder().ofNamedCsvRecord(directory.jobs())) {
            for (NamedCsvRecord row : csv) {
                if (run.has(row.getField("scheduler"), Integer.parseInt(row.getField("episode")))) {
                    asked.put(row.getField("job"), Integer.parseInt(row.getField("gpus")));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read %s: %s".formatted(directory.jobs(), e), e);
        }
        return asked;
    }
}
