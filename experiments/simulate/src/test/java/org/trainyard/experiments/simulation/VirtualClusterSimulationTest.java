package org.trainyard.experiments.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.experiments.Shell;

/** {@code simulate} on several virtual clusters at once. */
class VirtualClusterSimulationTest {
    private static final Path DATA =
            Path.of(System.getProperty("trainyard.root", "..")).resolve("../shared/data");
    private static final Path HELIOS = DATA.resolve("helios/helios_venus_2vc_sept.csv.gz");
    private static final Path PHILLY = DATA.resolve("philly/philly_pass.csv.gz");
    /** Nodes of eight GPUs of the virtual clusters in the experiment of Helios' simulator. */
    private static final Path NODES = DATA.resolve("philly/philly_vc_nodes.csv");

    @TempDir
    private Path folder;

    private Path write(String name, String... lines) throws IOException {
        return Files.write(folder.resolve(name), List.of(lines));
    }

    private Path trace() throws IOException {
        return write(
                "jobs.csv",
                "job,submit_s,gpus,duration_s,virtual_cluster",
                "a1,0,8,1000,a",
                "b1,0,8,5000,b",
                "a2,10,4,300,a",
                "b2,20,8,100,b",
                "a3,30,8,200,a");
    }

    private static Shell simulate(Path trace, String cluster, String... more) {
        return simulateUnder("helios-fifo", trace, cluster, more);
    }

    private static Shell simulateUnder(String scheduler, Path trace, String cluster, String... more) {
        String[] args = {"simulate", "--trace", trace.toString(), "--cluster", cluster, "--scheduler", scheduler};
        String[] all = Arrays.copyOf(args, args.length + more.length);
        System.arraycopy(more, 0, all, args.length, more.length);
        return Shell.run(all);
    }

    private static JsonNode scheduler(Shell shell) throws IOException {
        assertThat(shell.code()).as(shell.err()).isZero();
        return new ObjectMapper().readTree(shell.out()).get("schedulers").get(0);
    }

    @Test
    void every_virtual_cluster_runs_as_it_does_alone() throws IOException {
        Path table = write("clusters.csv", "virtual_cluster,cluster", "b,1x8", "a,2x8", "empty,1x8");

        JsonNode together = scheduler(simulate(trace(), table.toString(), "--json"));
        JsonNode a = scheduler(simulate(trace(), "2x8", "--virtual-cluster", "a", "--json"));
        JsonNode b = scheduler(simulate(trace(), "1x8", "--virtual-cluster", "b", "--json"));

        assertThat(together.get("jobs").asInt()).isEqualTo(5);
        assertThat(together.get("jct_s").get("mean").asDouble())
                .isCloseTo(
                        (3 * a.get("jct_s").get("mean").asDouble()
                                        + 2 * b.get("jct_s").get("mean").asDouble())
                                / 5,
                        within(1e-6));
        // By hand: b2 waits for b1.
        assertThat(b.get("jct_s").get("mean").asDouble()).isEqualTo((5_000 + 5_080) / 2.0);
        assertThat(simulate(trace(), table.toString()).out()).containsPattern("(?m)^b +8 +2 +5,040\\.0$");
    }

    @Test
    void a_job_of_no_row_is_one_clear_line() throws IOException {
        Path table = write("clusters.csv", "virtual_cluster,cluster", "a,2x8");
        Shell shell = simulate(trace(), table.toString());

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("'b' is not valid").contains("such as that of job b1");
    }

    @Test
    void a_cluster_that_there_is_not_is_named_with_its_line() throws IOException {
        Path table = write("clusters.csv", "virtual_cluster,cluster", "a,2x8", "b,nowhere");
        Shell shell = simulate(trace(), table.toString());

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("clusters.csv:3, cluster").contains("nowhere");
    }

    @Test
    void events_of_several_clusters_are_refused() throws IOException {
        Path table = write("clusters.csv", "virtual_cluster,cluster", "a,2x8", "b,1x8");
        Shell shell = simulate(
                trace(), table.toString(), "--events", folder.resolve("e.jsonl").toString());

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("one cluster with");
    }

    @Test
    void both_virtual_clusters_of_venus_give_the_known_answer_of_the_second() throws IOException {
        assumeTrue(Files.exists(HELIOS), () -> "skipped: the data pack has no " + HELIOS);
        Path table = write("clusters.csv", "virtual_cluster,cluster", "vcvGl,20x8", "vcvlY,2x8");

        Shell shell = simulate(HELIOS, table.toString());

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).containsPattern("(?m)^vcvlY +16 +415 +9,667\\.0$");
    }

    /** The first week of October 2017 of the eleven virtual clusters. */
    private Path weekOfPhilly(Set<String> virtualClusters) throws IOException {
        Path file = folder.resolve("philly.csv");
        try (BufferedReader rows =
                new BufferedReader(new InputStreamReader(new GZIPInputStream(Files.newInputStream(PHILLY)), UTF_8))) {
            String header = rows.readLine();
            Stream<String> week = rows.lines()
                    .filter(row -> row.compareTo("2017-10-01") >= 0 && row.compareTo("2017-10-08") < 0)
                    .filter(row -> virtualClusters.contains(row.substring(row.lastIndexOf(',') + 1)));
            return Files.write(file, Stream.concat(Stream.of(header), week).toList());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"helios-fifo", "helios-srtf"})
    void the_eleven_virtual_clusters_of_philly_have_in_one_run_the_event_logs_of_eleven_runs(String scheduler)
            throws Exception {
        assumeTrue(Files.exists(PHILLY) && Files.exists(NODES), () -> "skipped: the data pack has no " + PHILLY);
        Map<String, String> clusters = new LinkedHashMap<>();
        for (String row : Files.readAllLines(NODES).subList(1, 12)) {
            int comma = row.indexOf(',');
            clusters.put(row.substring(0, comma), row.substring(comma + 1).strip() + "x8");
        }
        Path trace = weekOfPhilly(clusters.keySet());
        List<String> table = new ArrayList<>(List.of("virtual_cluster,cluster"));
        clusters.forEach((name, cluster) -> table.add(name + "," + cluster));

        JsonNode together = scheduler(simulateUnder(
                scheduler,
                trace,
                write("clusters.csv", table.toArray(String[]::new)).toString(),
                "--json"));
        MessageDigest alone = MessageDigest.getInstance("SHA-256");
        for (Map.Entry<String, String> one : clusters.entrySet()) {
            JsonNode run = scheduler(
                    simulateUnder(scheduler, trace, one.getValue(), "--virtual-cluster", one.getKey(), "--json"));
            alone.update((run.get("event_log_sha256").asText() + "\n").getBytes(UTF_8));
        }

        assertThat(together.get("jobs").asInt()).isEqualTo(10_650);
        assertThat(together.get("event_log_sha256").asText())
                .isEqualTo(HexFormat.of().formatHex(alone.digest()));
    }
}
