package org.trainyard.experiments.inspection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.env.InputException;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.metrics.Distribution;
import org.trainyard.gnn.CheckedFile;

/**
 * The files of a run, of a checkpoint and of an export: {@code summary.json jobs.csv report.html config.yaml}, event
 * logs, policies, states of trainers, and all other JSON and CSV tables that a command writes.
 */
public final class RunFiles {
    /** The table in Parquet that sweeps write; another may be a log. */
    private static final String TABLE = "results.parquet";

    private static final int TEXT = 80;
    private static final int MOST_LISTED = 8;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, String> BINARY_KINDS =
            Map.of("trainer.bin", "state of a trainer", "search.bin", "state of a search");
    private static final Pattern REPORT_DATA =
            Pattern.compile("<script type=\"application/json\" id=\"data\">(.*?)</script>", Pattern.DOTALL);

    private RunFiles() {}

    /** The report on a file that a command wrote; null for another file, such as a trace. */
    public static @Nullable Report report(Path file) {
        if (Files.isDirectory(file)) {
            Path summary = file.resolve("summary.json");
            Path answer = file.resolve("answer.json");
            Path figures = Files.isRegularFile(summary) ? summary : answer;
            return Files.isRegularFile(figures) && !isCheckpoint(file) ? json(figures) : null;
        }
        String name = String.valueOf(file.getFileName());
        if (name.equals("decisions.jsonl.gz") || name.equals(TABLE)) {
            return sized(name.endsWith(".parquet") ? "Parquet table" : "decisions for watch", file);
        } else if (name.endsWith(".jsonl") || name.endsWith(".jsonl.gz")) {
            return EventsFile.report(file);
        } else if (name.endsWith(".bin") || name.endsWith(".onnx") || name.endsWith(".safetensors")) {
            return binary(file);
        } else if (name.contains(".tfevents.")) {
            return sized("TensorBoard events", file);
        } else if (name.endsWith(".json")) {
            return json(file);
        } else if (name.endsWith(".html")) {
            return page(file);
        } else if (name.equals("answer.txt") || name.equals("question.txt")) {
            return sized("text of advise", file);
        } else if (name.equals("config.yaml")) {
            return text(file).startsWith("{") ? json(file) : config(file);
        }
        return name.endsWith(".csv") && isTable(file) ? table(file) : null;
    }

    private static boolean isCheckpoint(Path folder) {
        return Files.isRegularFile(folder.resolve("policy.bin"))
                || Files.isRegularFile(folder.resolve("checkpoints/best/policy.bin"));
    }

    private static Report sized(String kind, Path file) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put(kind, file.toString());
        facts.put("bytes", size(file));
        return new FactsReport(facts);
    }

    private static Report binary(Path file) {
        Map<String, Object> facts = new LinkedHashMap<>();
        if (CheckedFile.isOf(file, BidPolicy.KIND)) {
            facts.put("policy", file.toString());
            facts.putAll(BidPolicy.load(file).facts());
        } else {
            String kind = BINARY_KINDS.getOrDefault(String.valueOf(file.getFileName()), "binary file");
            facts.put(kind, file.toString());
        }
        facts.put("bytes", size(file));
        facts.put("sha256", CheckedFile.sha256(file));
        return new FactsReport(facts);
    }

    private static Report config(Path file) {
        ExperimentConfig config = ConfigReader.read(file, List.of());
        Map<String, Object> facts = facts(config);
        facts.put("schedulers", String.join(", ", config.schedulers()));
        return new FactsReport(facts);
    }

    /** The facts that name an experiment. */
    static Map<String, Object> facts(ExperimentConfig config) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("experiment", config.name());
        facts.put("seed", config.seed());
        facts.put("cluster", config.cluster());
        facts.put("trace", String.valueOf(config.workload().trace()));
        facts.put("jobs per episode", config.episodes().jobs());
        return facts;
    }

    /** Report on a JSON file; null for an empty object, and for output of kubectl, which is a trace. */
    private static @Nullable Report json(Path file) {
        JsonNode root;
        try {
            root = JSON.readTree(file.toFile());
        } catch (IOException e) {
            return null;
        }
        return !root.isObject() || root.isEmpty() || root.has("items") || root.has("apiVersion")
                ? null
                : new FactsReport(
                        root.path("schedulers").findValue("event_log_sha256") != null ? summary(root) : facts(root));
    }

    private static @Nullable Report page(Path file) {
        Matcher data = REPORT_DATA.matcher(text(file));
        if (!data.find()) {
            return null;
        }
        try {
            JsonNode root = JSON.readTree(data.group(1));
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("report", root.path("title").asText());
            if (root.path("summary").isObject()) {
                facts.putAll(summary(root.path("summary")));
            }
            return new FactsReport(facts);
        } catch (IOException e) {
            return null;
        }
    }

    private static Map<String, Object> summary(JsonNode root) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("seed", root.path("seed").asLong());
        for (JsonNode one : root.path("schedulers")) {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("jobs", one.path("jobs").asInt());
            duration(figures, "mean JCT", one.at("/jct_s/mean"));
            duration(figures, "mean wait", one.at("/wait_s/mean"));
            duration(figures, "p95 wait", one.at("/wait_s/p95"));
            figures.put("event_log_sha256", one.path("event_log_sha256").asText());
            facts.put(one.path("name").asText(), figures);
        }
        return facts;
    }

    private static void duration(Map<String, Object> figures, String name, JsonNode seconds) {
        if (seconds.isNumber()) {
            figures.put(name, Durations.human(seconds.asDouble()));
        }
    }

    /** Values by key; of a long array only the number of entries, of a long text the beginning. */
    private static Map<String, Object> facts(JsonNode object) {
        Map<String, Object> facts = new LinkedHashMap<>();
        object.properties().forEach(entry -> facts.put(entry.getKey(), fact(entry.getValue())));
        return facts;
    }

    private static Object fact(JsonNode value) {
        if (value.isObject()) {
            return facts(value);
        }
        if (value.isArray()) {
            boolean isShort = value.size() <= MOST_LISTED && value.toString().length() <= TEXT;
            return isShort ? value.toString() : "%,d entries".formatted(value.size());
        }
        String text = value.asText();
        return text.length() <= TEXT ? text : text.substring(0, TEXT) + "…";
    }

    private static boolean isTable(Path file) {
        try (CsvReader<NamedCsvRecord> rows = CsvReader.builder().ofNamedCsvRecord(file)) {
            for (NamedCsvRecord row : rows) {
                List<String> header = row.getHeader();
                return header.contains("scheduler") || header.contains("policy");
            }
            return false;
        } catch (CsvParseException | IllegalStateException | IllegalArgumentException e) {
            // Another kind of text, which the trace reader refuses with its place.
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    /** Rows by scheduler; of {@code jobs.csv} also the waits and JCTs. */
    private static Report table(Path file) {
        Map<String, List<double[]>> byScheduler = new LinkedHashMap<>();
        List<String> header = List.of();
        try (CsvReader<NamedCsvRecord> rows = CsvReader.builder().ofNamedCsvRecord(file)) {
            for (NamedCsvRecord row : rows) {
                header = row.getHeader();
                boolean isJob = header.contains("queueing_delay");
                byScheduler
                        .computeIfAbsent(
                                row.getField(header.contains("scheduler") ? "scheduler" : "policy"),
                                key -> new ArrayList<>())
                        .add(isJob ? times(row) : new double[0]);
            }
        } catch (CsvParseException | IllegalStateException | IllegalArgumentException | NoSuchElementException e) {
            throw InputException.at(file.toString(), "unreadable", "a table that a run wrote, with all its columns");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read %s: %s".formatted(file, e.getMessage()), e);
        }
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("columns", String.join(", ", header));
        byScheduler.forEach((scheduler, rows) -> facts.put(scheduler, rows(rows)));
        return new FactsReport(facts);
    }

    private static double[] times(NamedCsvRecord row) {
        return new double[] {
            Double.parseDouble(row.getField("queueing_delay")),
            Double.parseDouble(row.getField("end")) - Double.parseDouble(row.getField("submit"))
        };
    }

    private static Map<String, Object> rows(List<double[]> rows) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("rows", rows.size());
        if (rows.get(0).length > 0) {
            Distribution waits =
                    Distribution.of(rows.stream().mapToDouble(row -> row[0]).toArray());
            facts.put("mean wait", Durations.human(waits.mean()));
            facts.put("p95 wait", Durations.human(waits.p95()));
            facts.put(
                    "mean JCT",
                    Durations.human(Distribution.of(
                                    rows.stream().mapToDouble(row -> row[1]).toArray())
                            .mean()));
        }
        return facts;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read %s: %s".formatted(file, e.getMessage()), e);
        }
    }
}
