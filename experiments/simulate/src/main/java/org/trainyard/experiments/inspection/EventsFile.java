package org.trainyard.experiments.inspection;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.EventLog;

/**
 * An event log as {@code --events} writes it. The log of each scheduler, in each episode of an evaluation, is hashed
 * anew from the lines: the figure is the {@code event_log_sha256} of its run when the file is complete.
 */
final class EventsFile {
    private static final int[] NONE = {};
    /** The fields that hold the argument of an event without GPUs. */
    private static final List<String> ARGUMENTS = List.of("domain", "layers", "cpu_milli", "memory_mib", "gpu");

    /** The events of one scheduler. */
    private static final class Run {
        private final Map<String, Integer> ids = new HashMap<>();
        private final Map<String, Long> byKind = new TreeMap<>();
        private final EventLog log = EventLog.ofFile();
        private BigDecimal last = BigDecimal.ZERO;

        void add(JsonNode line) {
            EventKind kind = EventKind.valueOf(line.path("event").asText());
            last = line.path("time").decimalValue();
            byKind.merge(kind.name(), 1L, Long::sum);
            JsonNode given = line.path("gpus");
            int[] gpus = given.isArray() ? new int[given.size()] : NONE;
            for (int i = 0; i < gpus.length; i++) {
                gpus[i] = given.get(i).asInt();
            }
            int argument = given.isArray() ? gpus.length : argument(line);
            log.replay(last.movePointRight(9).longValueExact(), kind, subject(kind, line), argument, gpus);
        }

        private static int argument(JsonNode line) {
            for (String field : ARGUMENTS) {
                if (line.has(field)) {
                    return line.path(field).asInt();
                }
            }
            return 0;
        }

        /** The job, which is numbered in the order of arrival, or the server. */
        private int subject(EventKind kind, JsonNode line) {
            if (!kind.isOfJob()) {
                return line.path("server").asInt(-1);
            }
            String job = line.path("job").asText();
            if (kind == EventKind.ARRIVE) {
                ids.put(job, ids.size());
            }
            Integer id = ids.get(job);
            if (id == null) {
                throw new IllegalArgumentException("job %s has no ARRIVE before".formatted(job));
            }
            return id;
        }

        Map<String, Object> facts() {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("jobs", ids.size());
            facts.put("events", log.count());
            facts.putAll(byKind);
            facts.put("last event, s", last.toPlainString());
            facts.put("event_log_sha256", log.sha256());
            return facts;
        }
    }

    private EventsFile() {}

    static Report report(Path file) {
        Map<String, Run> runs = new LinkedHashMap<>();
        ObjectMapper mapper = new ObjectMapper();
        long number = 0;
        try (InputStream in = Files.newInputStream(file);
                BufferedReader lines = new BufferedReader(new InputStreamReader(
                        file.toString().endsWith(".gz") ? new GZIPInputStream(in, 1 << 16) : in,
                        StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                JsonNode event = mapper.readTree(line);
                String episode = event.has("episode") ? ", episode " + event.path("episode") : "";
                runs.computeIfAbsent(event.path("scheduler").asText() + episode, key -> new Run())
                        .add(event);
            }
        } catch (JsonProcessingException | IllegalArgumentException | ArithmeticException e) {
            throw new InputException("%s:%d: is no event: expected a line that --events wrote".formatted(file, number));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read %s: %s".formatted(file, e.getMessage()), e);
        }
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("event log", file.toString());
        runs.forEach((scheduler, run) -> facts.put(scheduler, run.facts()));
        return new FactsReport(facts);
    }
}
