package org.trainyard.experiments.truth;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;

/** Every what-if of the whole cluster, beside its own simulator in which the change is made by hand. */
@Tag("thorough")
class OperatorsWhatIfTruthTest {
    private static final int SHIFTS = 4;
    /** 2026-01-15T12:00:00. */
    private static final long THURSDAY = 1_768_478_400L;

    private static final String NOW = "as it is, simulated";

    @TempDir
    private Path folder;

    private static Map<String, OperatorsSettings> changes(OperatorsSettings now) {
        List<OperatorsSettings.Window> windows = new ArrayList<>(now.windows());
        windows.add(1, new OperatorsSettings.Window(THURSDAY, THURSDAY + 8 * 3600));
        Map<String, OperatorsSettings> changes = new LinkedHashMap<>();
        changes.put(NOW, now);
        changes.put("servers=+4 of h100", now.servers(16, 12));
        changes.put("limit=24h", now.cut(24 * 3600));
        changes.put("window=2026-01-15T12:00..2026-01-15T20:00", now.maintained(windows));
        changes.put("share bio=60", now.shared(Map.of("vision", 40, "nlp", 30, "bio", 60, "robots", 10)));
        return changes;
    }

    /** Mean waits of some jobs by partition, account and in all, of each run with submissions shifted by seconds. */
    private static Map<String, double[]> waits(OperatorsSettings settings, Set<Integer> of) {
        Map<String, double[]> waits = new TreeMap<>();
        for (int shift = 0; shift < SHIFTS; shift++) {
            Map<String, List<Long>> each = new TreeMap<>();
            for (TrueJob job : SlurmTruth.run(settings, new OperatorsJobs(settings).shifted(shift))) {
                if (of.contains(job.number) && job.start != TrueJob.NEVER) {
                    Stream.of("all", job.partition, job.account)
                            .forEach(group -> each.computeIfAbsent(group, any -> new ArrayList<>())
                                    .add(job.start - job.submit));
                }
            }
            for (Map.Entry<String, List<Long>> one : each.entrySet()) {
                waits.computeIfAbsent(one.getKey(), any -> new double[SHIFTS])[shift] = one.getValue().stream()
                        .mapToLong(wait -> wait)
                        .average()
                        .orElseThrow();
            }
        }
        return waits;
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static Map<String, JsonNode> intervals(JsonNode row) {
        Map<String, JsonNode> intervals = new TreeMap<>();
        intervals.put("all", row.at("/saved_s/interval"));
        row.get("by_partition").forEach(one -> intervals.put(one.get("name").asText(), one.at("/saved_s/interval")));
        row.get("by_account").forEach(one -> intervals.put(one.get("name").asText(), one.at("/saved_s/interval")));
        return intervals;
    }

    private JsonNode rows(OperatorsCluster cluster, Set<String> changes) throws IOException {
        Path log = cluster.write(folder);
        List<String> words = new ArrayList<>(
                Shell.words("advise %s --cluster %s --json --partial", log, folder.resolve("cluster.yaml")));
        changes.stream()
                .filter(change -> !change.equals(NOW))
                .forEach(change -> words.addAll(List.of("--what-if", change)));
        Shell shell = Shell.run(words);
        assertThat(shell.code()).as(shell.err()).isZero();
        return new ObjectMapper().readTree(shell.out()).get("what_if");
    }

    private static Set<Integer> ended(OperatorsCluster cluster) {
        return cluster.logged().stream()
                .filter(job -> job.isStarted(cluster.endSeconds()) && job.isEnded(cluster.endSeconds()))
                .map(job -> job.number)
                .collect(Collectors.toSet());
    }

    private static String kind(String group) {
        return switch (group) {
            case "all", "debug" -> group;
            case "gpu", "h100" -> "partition";
            default -> "account";
        };
    }

    /** Intervals that have the truth, and all, by kind of group and by change. */
    private Map<String, int[]> covered(long seed) throws IOException {
        OperatorsSettings settings = OperatorsSettings.ordinary().seeded(seed);
        OperatorsCluster cluster = OperatorsCluster.of(settings);
        Map<String, OperatorsSettings> changes = changes(settings);
        Map<String, double[]> now = waits(settings, ended(cluster));
        Map<String, int[]> covered = new TreeMap<>();
        for (JsonNode row : rows(cluster, changes.keySet())) {
            String change = row.get("change").asText();
            if (change.equals(NOW)) {
                continue;
            }
            Map<String, double[]> then = waits(changes.get(change), ended(cluster));
            intervals(row).forEach((group, interval) -> {
                double saved = mean(now.get(group)) - mean(then.get(group));
                boolean isIn = interval.get(0).asDouble() <= saved
                        && saved <= interval.get(1).asDouble();
                for (String of : List.of(kind(group), change)) {
                    int[] counts = covered.computeIfAbsent(of, any -> new int[2]);
                    counts[0] += isIn ? 1 : 0;
                    counts[1]++;
                }
            });
        }
        return covered;
    }

    /** The fewest of so many intervals of 95 % that have their truth, but for one chance in a hundred. */
    private static int fewest(int all) {
        double chance = Math.pow(0.95, all);
        double sum = chance;
        int misses = 0;
        while (sum < 0.99) {
            chance *= (all - misses) * 0.05 / ((misses + 1) * 0.95);
            sum += chance;
            misses++;
        }
        return all - misses;
    }

    /** Seeds that no interval was made for. */
    @Test
    void intervals_have_the_truth_as_often_as_they_say_for_each_kind_of_group_and_each_change() throws IOException {
        Map<String, int[]> all = new TreeMap<>();
        for (long seed = 21; seed <= 28; seed++) {
            covered(seed)
                    .forEach((of, counts) -> all.merge(of, counts, (a, b) -> new int[] {a[0] + b[0], a[1] + b[1]}));
        }

        assertThat(all).hasSize(8);
        assertThat(fewest(256)).isEqualTo(234);
        all.forEach((of, counts) ->
                assertThat(counts[0]).as("%s of %d", of, counts[1]).isGreaterThanOrEqualTo(fewest(counts[1])));
    }

    /** A few of the 427 jobs of the debug partition wait for a day or not, as seconds have it. */
    @Test
    void no_change_of_a_small_partition_is_clear_where_seconds_change_as_much() throws IOException {
        OperatorsSettings settings = OperatorsSettings.ordinary();
        OperatorsCluster cluster = OperatorsCluster.of(settings);

        Map<String, double[]> now = waits(settings, ended(cluster));
        assertThat(Arrays.stream(now.get("debug")).mapToLong(Math::round)).containsExactly(3970L, 4090L, 9150L, 9149L);
        for (JsonNode row : rows(cluster, changes(settings).keySet())) {
            if (!row.get("change").asText().equals(NOW)) {
                JsonNode debug = intervals(row).get("debug");
                assertThat(debug.get(0).asDouble())
                        .as(row.get("change").asText())
                        .isNegative();
                assertThat(debug.get(1).asDouble())
                        .as(row.get("change").asText())
                        .isPositive();
            }
        }
    }
}
