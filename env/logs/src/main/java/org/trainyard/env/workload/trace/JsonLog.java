package org.trainyard.env.workload.trace;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.BadLine;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.LogFile;
import org.trainyard.env.workload.log.LogFormat;
import org.trainyard.env.workload.log.LogFormats;
import org.trainyard.env.workload.log.TableHeader;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceCollector;
import org.trainyard.env.workload.log.TraceColumns;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.trace.batch.BatsimJson;
import org.trainyard.env.workload.trace.kubernetes.PodRows;
import org.trainyard.env.workload.trace.log.JobRows;
import org.trainyard.env.workload.trace.log.LoggedFormat;
import org.trainyard.env.workload.trace.log.NamedFormat;
import org.trainyard.env.workload.trace.slurm.SacctJson;

/**
 * Reads JSON: an array of jobs, an object with a list of them ({@code jobs}, {@code items}, {@code RECORDS} and the
 * like), or one object after another. The keys of the first job tell the format; jobs that are plain objects are rows
 * of a table.
 */
public final class JsonLog {
    private static final Set<String> LISTS =
            Set.of("jobs", "items", "records", "job_list", "data", "rows", "results", "pods");
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private final String file;
    private final TraceReader.Options options;
    private final @Nullable Consumer<TraceJob> stream;
    /** The fields beside the list of jobs. */
    private final ObjectNode beside = JsonNodeFactory.instance.objectNode();
    /** Jobs that need what may stand behind their list. */
    private final List<JsonNode> waiting = new ArrayList<>();

    private @Nullable TraceCollector collector;
    private @Nullable TraceColumns columns;
    private long seen;

    JsonLog(String file, TraceReader.Options options, @Nullable Consumer<TraceJob> stream) {
        this.file = file;
        this.options = options;
        this.stream = stream;
    }

    /** Whether a file is JSON with the jobs of a log, and not any other JSON. */
    public static boolean isOne(Path path) {
        if (!Files.isRegularFile(path)) {
            return false;
        }
        try (LogFile file = LogFile.open(path, TraceReader.Options.DEFAULT)) {
            return !file.isParquet()
                    && file.first().isJson()
                    && new JsonLog(file.name(), TraceReader.Options.DEFAULT, null).isLog(file.text());
        } catch (IOException | InputException e) {
            return false;
        }
    }

    Trace read(BufferedReader text) throws IOException {
        try (JsonParser parser = JSON.createParser(text)) {
            JsonToken token = parser.nextToken();
            while (token != null) {
                if (token == JsonToken.START_ARRAY) {
                    list(parser);
                } else if (token == JsonToken.START_OBJECT) {
                    object(parser);
                } else {
                    throw InputException.at(file, BadLine.printable(parser.getText()), "an object or a list of JSON");
                }
                token = parser.nextToken();
            }
        }
        TraceCollector jobs = collector;
        if (jobs == null) {
            throw InputException.at(
                    file,
                    seen == 0 ? "JSON without a list of jobs" : "JSON with an empty list",
                    "jobs, as sacct --json, kubectl get pods -o json or condor_history -json print them");
        }
        waiting.forEach(job -> add(jobs, job, 0));
        return jobs.finish();
    }

    /**
     * Whether the first object of the JSON is a job of some log; one that is of another kind of log, and refused by its
     * name, is.
     */
    private boolean isLog(BufferedReader text) throws IOException {
        try (JsonParser parser = JSON.createParser(text)) {
            JsonToken token = parser.nextToken();
            if (token == JsonToken.START_OBJECT) {
                ObjectNode fields = JsonNodeFactory.instance.objectNode();
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    token = parser.nextToken();
                    if (token == JsonToken.START_ARRAY && LISTS.contains(name.toLowerCase(Locale.ROOT))) {
                        return parser.nextToken() == JsonToken.START_OBJECT && isOfLog(parser.readValueAsTree());
                    }
                    fields.set(name, parser.readValueAsTree());
                }
                return isOfLog(fields);
            }
            return token == JsonToken.START_ARRAY
                    && parser.nextToken() == JsonToken.START_OBJECT
                    && isOfLog(parser.readValueAsTree());
        }
    }

    private boolean isOfLog(JsonNode job) {
        try {
            Set<String> names = flat(job).keySet();
            return format(job) != null
                    || LogFormats.of(new TraceColumns(List.copyOf(names))) != null
                    || ForeignLog.hasTimes(names);
        } catch (InputException e) {
            return true;
        }
    }

    private void list(JsonParser parser) throws IOException {
        seen++;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            int line = parser.currentTokenLocation().getLineNr();
            take(parser.readValueAsTree(), line);
        }
    }

    /** An object with a list of jobs, or a job. */
    private void object(JsonParser parser) throws IOException {
        int line = parser.currentTokenLocation().getLineNr();
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        boolean listed = false;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            if (token == JsonToken.START_ARRAY && LISTS.contains(name.toLowerCase(Locale.ROOT)) && !isJob(fields)) {
                list(parser);
                listed = true;
            } else {
                fields.set(name, parser.readValueAsTree());
            }
        }
        if (listed) {
            fields.properties().forEach(field -> beside.set(field.getKey(), field.getValue()));
        } else if (!fields.isEmpty()) {
            take(fields, line);
        }
    }

    private static boolean isJob(JsonNode object) {
        return SacctJson.isJob(object) || (object.has("metadata") && object.has("spec")) || object.has("attempts");
    }

    private void take(JsonNode job, int line) {
        TraceCollector jobs = collector;
        if (jobs == null) {
            jobs = begin(job);
            collector = jobs;
        }
        TraceColumns table = columns;
        if (BatsimJson.isJob(job) && table == null) {
            waiting.add(job);
        } else if (table == null) {
            add(jobs, job, line);
        } else {
            Map<String, String> fields = flat(job);
            jobs.add(
                    table.names().stream()
                            .map(name -> fields.getOrDefault(name, ""))
                            .toList(),
                    line);
        }
    }

    private void add(TraceCollector jobs, JsonNode job, int line) {
        if (jobs.rows() instanceof JobRows rows) {
            jobs.read(line, () -> rows.add(job, beside, line));
        }
    }

    /** Finds the format by the first job. */
    private TraceCollector begin(JsonNode job) {
        LogFormat forced = options.format();
        LoggedFormat format = forced instanceof NamedFormat ? null : format(job);
        if (format != null && (forced == null || forced == format)) {
            return new TraceCollector(file, options, format, new TraceColumns(format.objectColumns()), stream);
        }
        TraceColumns found = new TraceColumns(List.copyOf(flat(job).keySet()));
        columns = found;
        return new TraceCollector(
                file, options, HeaderAdvice.format(TableHeader.of(file, found), forced), found, stream);
    }

    private @Nullable LoggedFormat format(JsonNode job) {
        if (PodRows.isPod(job)) {
            String kind = job.path("kind").asText("Pod");
            if (!kind.equals("Pod") && !kind.isEmpty()) {
                throw InputException.at(
                        file, "objects of kind " + BadLine.printable(kind), "pods: kubectl get pods -A -o json");
            }
        }
        LoggedFormat found = LogFormats.all().stream()
                .filter(LoggedFormat.class::isInstance)
                .map(LoggedFormat.class::cast)
                .filter(format -> format.isJob(job))
                .findFirst()
                .orElse(null);
        if (found != null) {
            return found;
        } else if (!job.isObject()) {
            throw InputException.at(file, BadLine.printable(job.toString()), "a list of jobs, each an object");
        } else if (!job.has("ClusterId") && (job.has("pbs_version") || job.has("Jobs"))) {
            throw InputException.at(
                    file,
                    "qstat's JSON",
                    "PBS' accounting log (server_priv/accounting), for qstat shows jobs that wait and run");
        }
        String foreign = ForeignLog.json(job);
        if (foreign != null) {
            throw InputException.at(
                    file, BadLine.printable(String.join(",", flat(job).keySet())), foreign);
        }
        return null;
    }

    /** The values of an object by lower-case keys, those of inner objects as {@code outer.inner}. */
    private static Map<String, String> flat(JsonNode object) {
        Map<String, String> fields = new LinkedHashMap<>();
        object.properties().forEach(field -> {
            if (field.getValue().isValueNode()) {
                put(fields, field.getKey(), field.getValue());
            } else {
                field.getValue().properties().forEach(inner -> {
                    if (inner.getValue().isValueNode()) {
                        put(fields, field.getKey() + "." + inner.getKey(), inner.getValue());
                    }
                });
            }
        });
        return fields;
    }

    private static void put(Map<String, String> fields, String name, JsonNode value) {
        String text = value.isNull() ? "" : value.asText();
        fields.putIfAbsent(name.strip().toLowerCase(Locale.ROOT), text);
    }
}
