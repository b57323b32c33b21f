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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.trace.batch.BatsimJson;
import org.trainyard.env.workload.trace.batch.CondorAds;
import org.trainyard.env.workload.trace.batch.PhillyJson;
import org.trainyard.env.workload.trace.kubernetes.PodRows;
import org.trainyard.env.workload.trace.log.TraceColumns;
import org.trainyard.env.workload.trace.slurm.SacctJson;

/**
 * Reads JSON: an array of jobs, an object with a list of them ({@code jobs}, {@code items}, {@code RECORDS} and the like), or one object after another. The keys of the first job tell the format;
 * jobs that are plain objects are rows of a table.
 */
final class JsonLog {
    private static final Set<String> LISTS =
            Set.of("jobs", "items", "records", "job_list", "data", "rows", "results", "pods");
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private final String file;
    private final TraceReader.Options options;
    private final @Nullable Consumer<TraceJob> stream;
    /** What stands beside the list of jobs. */
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
        waiting.forEach(job -> jobs.add(job, beside, 0));
        return jobs.finish();
    }

    /** Whether the first object of the JSON is a job of some log; one that is of another kind of log, and refused by its name, is. */
    boolean isLog(BufferedReader text) throws IOException {
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
            return format(job) != null
                    || TraceFormat.of(new TraceColumns(List.copyOf(flat(job).keySet()))) != null;
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
            jobs.add(job, beside, line);
        } else {
            Map<String, String> fields = flat(job);
            jobs.add(
                    table.names().stream()
                            .map(name -> fields.getOrDefault(name, ""))
                            .toList(),
                    line);
        }
    }

    /** Finds the format by the first job. */
    private TraceCollector begin(JsonNode job) {
        TraceFormat forced = options.columns() == null ? options.format() : TraceFormat.NAMED;
        TraceFormat format = forced == TraceFormat.NAMED ? null : format(job);
        if (format != null && (forced == null || forced == format)) {
            List<String> names = format == TraceFormat.SACCT || format == TraceFormat.SQUEUE
                    ? SacctJson.COLUMNS
                    : format == TraceFormat.KUBERNETES ? PodRows.COLUMNS : format.required();
            return new TraceCollector(file, options, format, new TraceColumns(names), stream);
        }
        TraceColumns found = new TraceColumns(List.copyOf(flat(job).keySet()));
        columns = found;
        TableHeader header = new TableHeader(file, found, options);
        return new TraceCollector(file, options, header.format(forced), found, stream);
    }

    private @Nullable TraceFormat format(JsonNode job) {
        if (SacctJson.isJob(job)) {
            return job.has("tres") ? TraceFormat.SACCT : TraceFormat.SQUEUE;
        } else if (PodRows.isPod(job)) {
            String kind = job.path("kind").asText("Pod");
            if (!kind.equals("Pod") && !kind.isEmpty()) {
                throw InputException.at(
                        file, "objects of kind " + BadLine.printable(kind), "pods: kubectl get pods -A -o json");
            }
            return TraceFormat.KUBERNETES;
        } else if (job.has("ClusterId")) {
            Map<String, String> keys = new LinkedHashMap<>();
            job.fieldNames().forEachRemaining(name -> keys.put(name, ""));
            return CondorAds.isJob(keys) ? TraceFormat.CONDOR : null;
        } else if (BatsimJson.isJob(job)) {
            return TraceFormat.BATSIM;
        } else if (PhillyJson.isJob(job)) {
            return TraceFormat.PHILLY_LOG;
        } else if (!job.isObject()) {
            throw InputException.at(file, BadLine.printable(job.toString()), "a list of jobs, each an object");
        } else if (job.has("pbs_version") || job.has("Jobs")) {
            throw InputException.at(
                    file,
                    "qstat's JSON",
                    "PBS' accounting log (server_priv/accounting), for qstat shows jobs that wait and run");
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
