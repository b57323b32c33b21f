package org.trainyard.agents.heuristic.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/**
 * Decides about random cases as Kueue 0.17.0 itself does, cycle by cycle: who gets which flavors and nodes, and who is
 * evicted why. {@code src/test/go/kueue} drew the cases and asked Kueue; {@code -Dkueue.answers=FILE} takes others.
 */
class KueueAnswersTest {
    private static final String OTHERS = System.getProperty("kueue.answers", "");

    private final List<String> differences = new ArrayList<>();
    private int cases;
    private int cycles;
    private int admissions;
    private int evictions;
    private int replacements;
    private int placed;

    @Test
    void every_cycle_admits_and_evicts_as_kueue_does() throws IOException {
        compare(OTHERS.isEmpty() ? "answers.jsonl.gz" : OTHERS);

        assertThat(cases).isGreaterThanOrEqualTo(200);
        assertThat(placed).isGreaterThanOrEqualTo(40);
        assertThat(cycles).isGreaterThanOrEqualTo(2_000);
        assertThat(admissions).isGreaterThanOrEqualTo(1_000);
        assertThat(evictions).isGreaterThanOrEqualTo(150);
    }

    /** Kueue 0.19.2, with its controllers of LocalQueues and workloads. */
    @Test
    void every_cycle_goes_by_the_usage_of_local_queues_as_kueue_does() throws IOException {
        compare("usage.jsonl.gz");

        assertThat(cases).isGreaterThanOrEqualTo(20);
        assertThat(cycles).isGreaterThanOrEqualTo(400);
        assertThat(admissions).isGreaterThanOrEqualTo(190);
        assertThat(evictions).isGreaterThanOrEqualTo(15);
    }

    /** Kueue 0.19.2, with its slices of jobs and its controller of workloads. */
    @Test
    void every_cycle_admits_and_replaces_slices_of_elastic_jobs_as_kueue_does() throws IOException {
        compare("slices.jsonl.gz");

        assertThat(cases).isEqualTo(97);
        assertThat(cycles).isEqualTo(1_592);
        assertThat(admissions).isEqualTo(933);
        assertThat(evictions).isEqualTo(108);
        assertThat(replacements).isEqualTo(99);
    }

    private void compare(String name) throws IOException {
        ObjectMapper json = new ObjectMapper();
        try (BufferedReader lines = answers(name)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode given = json.readTree(line);
                AnsweredCase answered = new AnsweredCase(given);
                String difference = answered.difference();
                if (difference != null) {
                    differences.add(difference);
                }
                cases++;
                placed += given.has("nodes") ? 1 : 0;
                for (JsonNode ofStep : given.path("cycles")) {
                    cycles += ofStep.size();
                    for (JsonNode cycle : ofStep) {
                        admissions += cycle.path("admitted").size();
                        evictions += cycle.path("evicted").size();
                        replacements += cycle.path("replaced").size();
                    }
                }
            }
        }

        assertThat(differences)
                .as("%d of %d cases with %d cycles differ", differences.size(), cases, cycles)
                .isEmpty();
    }

    private static BufferedReader answers(String name) throws IOException {
        InputStream stream = name.endsWith(".gz")
                ? new GZIPInputStream(Objects.requireNonNull(KueueAnswersTest.class.getResourceAsStream(name)))
                : Files.newInputStream(Path.of(name));
        return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }
}
