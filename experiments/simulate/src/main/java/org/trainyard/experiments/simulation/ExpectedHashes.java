package org.trainyard.experiments.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.Sha256;

/** The event-log hashes that a repeated simulation must have, by scheduler. */
public final class ExpectedHashes {
    private final String source;
    private final Map<String, String> byScheduler;

    private ExpectedHashes(String source, Map<String, String> byScheduler) {
        this.source = source;
        this.byScheduler = byScheduler;
    }

    /**
     * Reads the expected hashes of these schedulers.
     *
     * @param given the hash of one scheduler, as printed by {@code simulate} or written to {@code summary.json}, or a
     *     {@code summary.json} with all schedulers
     */
    public static ExpectedHashes parse(String option, String given, List<String> schedulers) {
        String hash = given.toLowerCase(Locale.ROOT);
        if (Sha256.isWritten(hash)) {
            if (schedulers.size() > 1) {
                throw InputException.at(
                        option, given, Counted.say("a summary.json, for there are %d schedulers", schedulers.size()));
            }
            return new ExpectedHashes(option, Map.of(schedulers.get(0), hash));
        }
        if (given.matches("[0-9a-fA-F]+")) {
            throw InputException.at(option, given, "a SHA-256 of 64 hexadecimal digits or a summary.json");
        }
        Path file = InputFiles.readable(InputFiles.path(given));
        Map<String, String> found = summary(file);
        for (String scheduler : schedulers) {
            if (!found.containsKey(scheduler)) {
                throw new InputException("%s: has no event_log_sha256 of '%s': expected one for each scheduler"
                        .formatted(file, scheduler));
            }
        }
        return new ExpectedHashes(given, found);
    }

    private static Map<String, String> summary(Path file) {
        JsonNode root;
        try {
            root = new ObjectMapper().readTree(file.toFile());
        } catch (JsonProcessingException e) {
            throw new InputException("%s: is not valid JSON: expected a summary.json".formatted(file));
        } catch (IOException e) {
            throw new InputException(
                    "%s: cannot be read (%s): expected a summary.json".formatted(file, e.getMessage()));
        }
        Map<String, String> found = new HashMap<>();
        for (JsonNode scheduler : root.path("schedulers")) {
            String hash = scheduler.path("event_log_sha256").asText("");
            if (Sha256.isWritten(hash)) {
                found.put(scheduler.path("name").asText(""), hash);
            }
        }
        return found;
    }

    /** One line that names the schedulers whose hashes differ, or null when none does. */
    public @Nullable String difference(List<Simulation.LogHash> found) {
        List<String> differing = new ArrayList<>();
        for (Simulation.LogHash hash : found) {
            String expected = byScheduler.get(hash.scheduler());
            if (!hash.sha256().equals(expected)) {
                differing.add("%s has %s, expected %s".formatted(hash.scheduler(), hash.sha256(), expected));
            }
        }
        return differing.isEmpty()
                ? null
                : "event logs differ from those of %s: %s".formatted(source, String.join("; ", differing));
    }

    /** Verdict on a repetition without a {@link #difference}. */
    public String verified(List<Simulation.LogHash> found) {
        return found.size() == 1
                ? "verified: the event log of %s is that of %s, byte for byte"
                        .formatted(found.get(0).scheduler(), source)
                : Counted.say(
                        "verified: the event logs of %d schedulers are those of %s, byte for byte",
                        found.size(), source);
    }
}
