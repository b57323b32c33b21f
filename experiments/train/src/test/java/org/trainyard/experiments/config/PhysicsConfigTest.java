package org.trainyard.experiments.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.Outage;
import org.trainyard.env.simulation.Outages;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

class PhysicsConfigTest {
    private static final String ALL = """
            interference: {type: Analytic, socket_weight: 0.6, pcie_weight: 1.0, nic_weight: 0.0, gpu_weight: 1.0}
            contention: {type: SjfBco, a: 0.062, xi: 1.0}
            stragglers: 1.0
            restart: {type: BySize, start_seconds: 15.0, most_seconds: 250.0, megabytes_per_second: 100.0}
            outages: {type: Recorded, file: OUTAGES, checkpoint_minutes: 30.0}
            quotas: [{virtual_cluster: red, gpus: 8}, {virtual_cluster: blue, gpus: 16}]
            """;

    @TempDir
    private Path dir;

    private final Topology small = Topologies.small();

    @Test
    void a_file_of_physics_names_a_config_that_has_the_section_it_promises() throws IOException {
        Path root = Path.of(System.getProperty("trainyard.root", ".."));
        Pattern promise = Pattern.compile("section `physics` of (\\S+)");
        try (Stream<Path> files = Files.list(root.resolve("experiments/physics"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".yaml")).toList())
                    .isNotEmpty()
                    .allSatisfy(file -> {
                        Matcher named = promise.matcher(Files.readString(file));
                        assertThat(named.find()).isTrue();
                        assertThat(Files.readAllLines(root.resolve(named.group(1))))
                                .anyMatch(line -> line.startsWith("physics:"));
                    });
        }
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(dir.resolve(name), text);
    }

    private PhysicsConfig read(String text) throws IOException {
        Path outages = file("outages.csv", "server,gpu,from_s,until_s\n1,,10,20.5\n2,3,1.000000001,\n");
        return PhysicsConfig.read(file("physics.yaml", text.replace("OUTAGES", outages.toString())));
    }

    @Test
    void a_preempted_job_loses_what_the_file_says() throws IOException {
        assertThat(read(ALL).options(small, 1).preemption().savedEveryNanos()).isZero();
        assertThat(read(ALL + "preemption: {type: Checkpoints, minutes: 30.0}")
                        .options(small, 1)
                        .preemption()
                        .savedEveryNanos())
                .isEqualTo(1_800_000_000_000L);
        PhysicsConfig lost = read(ALL + "preemption: {type: Lost}");
        assertThat(lost.options(small, 1).preemption().savedEveryNanos()).isEqualTo(PreemptionRules.SAVES_NOTHING);
        assertThat(lost.preemptionInWords()).endsWith("by model size, a preempted job loses all its work");
    }

    @Test
    void rules_of_preemption_reach_the_simulator_and_are_said() throws IOException {
        PhysicsConfig limited = read(
                ALL + "preemption: {type: Checkpointed, limit: 2, least_run_minutes: 10.0, requeue_seconds: 120.0}");
        PhysicsConfig forbidden = read(ALL + "preemption: {type: Forbidden}");

        assertThat(limited.options(small, 1).preemption())
                .isEqualTo(new PreemptionRules(0, 600_000_000_000L, 120_000_000_000L, 2));
        assertThat(limited.preemptionInWords())
                .endsWith(
                        "it has run 10.0 min or more, a job is preempted 2 times at most, it waits again after 120.0 s");
        assertThat(forbidden.options(small, 1).preemption().allowsAny()).isFalse();
        assertThat(forbidden.preemptionInWords()).endsWith("no preemption");
        assertThatThrownBy(() -> read(ALL + "preemption: {type: Lost, limit: 0}"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("limit");
    }

    @Test
    void everything_the_file_says_reaches_the_simulator() throws IOException {
        Simulator.Options options = read(ALL).options(small, 1);

        assertThat(options.restart()).isEqualTo(RestartCost.BySize.MEASURED);
        assertThat(options.checkpointNanos()).isEqualTo(1_800_000_000_000L);
        assertThat(options.quotas().gpus())
                .containsEntry("red", 8)
                .containsEntry("blue", 16)
                .hasSize(2);
        int gpu = small.servers() + small.firstGpu(2) + 3;
        assertThat(options.outages().next(small, 1, 0, 0)).isEqualTo(new Outage(10_000_000_000L, 20_500_000_000L));
        assertThat(options.outages().next(small, 1, 1, 0)).isNull();
        assertThat(options.outages().next(small, gpu, 0, 0)).isEqualTo(new Outage(1_000_000_001L, Long.MAX_VALUE));
        assertThat(read(ALL.replaceAll(
                                "outages: .*",
                                "outages: {type: Exponential, server_hours: 9.0, gpu_hours: 0.0, repair_hours: 2.0, checkpoint_minutes: 0.0}"))
                        .options(small, 1)
                        .outages())
                .isInstanceOf(Outages.Exponential.class);
    }

    @Test
    void what_cannot_be_true_is_refused_in_one_line() throws IOException {
        refused(
                ALL.replace("nic_weight: 0.0", "nic_weight: 0.8"),
                "interference",
                "nic_weight 0 rather than 0.8",
                "contention counts");
        refused(ALL.replace("virtual_cluster: blue", "virtual_cluster: red"), "quotas", "each virtual cluster once");
        refused(ALL.replace("most_seconds: 250.0", "most_seconds: 1.0"), "restart.most_seconds", "at least 15");
        refused(ALL.replace("gpus: 8", "gpus: -8"), "quotas[0].gpus", "-8");
        refused(ALL.replace("stragglers: 1.0", "stragglers: .nan"), "stragglers");
    }

    private void refused(String text, String... fragments) throws IOException {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(InputException.class)
                .hasMessageContainingAll(fragments)
                .hasMessageNotContaining("\n");
    }

    @Test
    void a_log_of_outages_that_cannot_be_is_refused_with_its_line() throws IOException {
        refusedLog("server,gpu,from_s\n1,,5\n", "server,gpu,from_s,until_s");
        refusedLog("server,gpu,from_s,until_s\n8,,5,6\n", "o.csv:2, server", "'8'", "0 to 7");
        refusedLog("server,gpu,from_s,until_s\n1,4,5,6\n", "o.csv:2, gpu", "'4'", "0 to 3");
        refusedLog("server,gpu,from_s,until_s\n1,,5,6\n1,,NaN,6\n", "o.csv:3, from_s", "'NaN'");
        refusedLog("server,gpu,from_s,until_s\n1,,7,6\n", "o.csv:2, until_s", "later");
        refusedLog("server,gpu,from_s,until_s\n1,,1,6\n1,,5,9\n", "o.csv", "overlap");
    }

    private void refusedLog(String text, String... fragments) throws IOException {
        Path log = file("o.csv", text);
        assertThatThrownBy(() -> OutageLog.read(log, small))
                .isInstanceOf(InputException.class)
                .hasMessageContainingAll(fragments)
                .hasMessageNotContaining("\n");
    }
}
