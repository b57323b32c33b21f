package org.trainyard.experiments.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.EventSink;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.TraceGenerator;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.PhysicsConfig;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.service.live.ServiceSettings;
import org.trainyard.interference.runtime.HistoryRuntimePredictor;

/**
 * A simulation that plays the cluster of a service: what it is told to do is what the same scheduler does in an
 * evaluation.
 */
class HttpReplayTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CLUSTER = "/v1/clusters/small";
    private static final int JOBS = 60;
    private static final long SEED = 1;

    private final Topology topology = Clusters.resolve("small");
    private final ExperimentConfig config =
            ConfigReader.read(RunningService.ROOT.resolve("checkpoints/default/config.yaml"), List.of());
    private final PhysicsConfig physics =
            PhysicsConfig.read(RunningService.ROOT.resolve("experiments/physics/failing.yaml"));
    private final Workload workload = workload();
    private final Map<String, Integer> ids = new HashMap<>();
    private long sequence;
    private int failures;
    private int preemptions;
    private int predictions;

    private Workload workload() {
        TraceGenerator generator = new TraceGenerator(config.workload().generator(), JOBS, ModelCatalog.standard());
        return new WorkloadBuilder(
                        topology,
                        ModelCatalog.standard(),
                        new WorkloadBuilder.Options(
                                WorkloadBuilder.Models.MIX, RandomStreams.derive(SEED, "models"), true, true))
                .build(generator.generate(7, topology.gpus()), physics.truth(topology, SEED))
                .workload();
    }

    private Simulator simulator(@Nullable EventSink sink) {
        return new World(
                        topology,
                        physics.truth(topology, SEED),
                        physics.options(topology, SEED).withEvents(sink))
                .telling(told -> new HistoryRuntimePredictor())
                .simulator(workload);
    }

    @ParameterizedTest
    @CsvSource({"checkpoints/default, true", "patient, true", "sjf, false", "srtf, true"})
    void the_event_log_is_that_of_the_evaluation(String target, boolean isPreemptive) throws Exception {
        String file = target.startsWith("checkpoints")
                ? RunningService.ROOT.resolve(target).toString()
                : target;
        ServiceSettings plain = RunningService.serving(file);
        ServiceSettings settings = new ServiceSettings(
                plain.served(),
                plain.fallback(),
                plain.belief(),
                physics,
                plain.runtime(),
                SEED,
                plain.budgetNanos(),
                plain.limits().with(plain.limits().servers(), Long.MAX_VALUE));
        String evaluated = simulator(null)
                .run(plain.served().maker().scheduler(topology, null))
                .eventLogSha256();

        try (RunningService service = new RunningService(settings)) {
            String described = Files.readString(RunningService.ROOT.resolve("experiments/clusters/small.yaml"));
            assertThat(service.post(CLUSTER, "application/yaml", described).status())
                    .isEqualTo(201);
            Simulator played = play(service, target.replaceFirst(".*/", ""));

            assertThat(played.eventLog().sha256()).isEqualTo(evaluated);
            assertThat(service.get(CLUSTER).json().get("event_log").asText()).isEqualTo(evaluated);
            assertThat(service.get("/metrics").text())
                    .contains("trainyard_renewals{cluster=\"small\"} 0.0")
                    .doesNotContain("decided_by=\"fallback\"");
        }
        assertThat(predictions).isGreaterThan(JOBS / 2);
        assertThat(failures).isPositive();
        assertThat(preemptions > 0).isEqualTo(isPreemptive);
    }

    private Simulator play(RunningService service, String scheduler) {
        List<ObjectNode> unreported = new ArrayList<>();
        Simulator simulator = simulator((time, kind, job, argument, placement) -> {
            ObjectNode event = event(time, kind, job, argument);
            if (event != null) {
                unreported.add(event);
            }
        });
        while (simulator.advance()) {
            report(service, unreported);
            long now = simulator.view().nowNanos();
            JsonNode answer = service.post(
                            "/v1/placements", "{\"cluster\": \"small\", \"now_nanos\": %d}".formatted(now))
                    .json();
            assertThat(answer.path("decided_by").asText()).as("%s", answer).isEqualTo("policy");
            assertThat(answer.get("scheduler").asText()).isEqualTo(scheduler);
            for (JsonNode decision : answer.get("decisions")) {
                carryOut(simulator, decision, now, unreported);
            }
            JsonNode wake = answer.get("wake_nanos");
            simulator.apply(wake.isNull() ? Decision.WAIT : Decision.waitUntil(wake.longValue()));
        }
        report(service, unreported);
        return simulator;
    }

    private void report(RunningService service, List<ObjectNode> events) {
        if (!events.isEmpty()) {
            ObjectNode body = JSON.createObjectNode();
            body.set("events", JSON.createArrayNode().addAll(events));
            RunningService.Answer receipt = service.post(CLUSTER + "/events", body.toString());
            assertThat(receipt.status()).as(receipt.text()).isEqualTo(200);
            assertThat(receipt.json().get("sequence").longValue()).isEqualTo(sequence);
            events.clear();
        }
    }

    private ObjectNode event(long time, String type) {
        return JSON.createObjectNode()
                .put("sequence", ++sequence)
                .put("time_nanos", time)
                .put("type", type);
    }

    /**
     * What the cluster reports by itself; decisions are reported when they are carried out, and kills follow from
     * failures.
     */
    private @Nullable ObjectNode event(long time, EventKind kind, int job, int argument) {
        return switch (kind) {
            case ARRIVE -> {
                JobSpec spec = workload.job(job);
                ids.put(spec.name(), job);
                yield event(time, "arrival")
                        .put("job", spec.name())
                        .put("gpus", spec.gpus())
                        .put("model", spec.model().name())
                        .put("user", spec.user())
                        .put("group", spec.group())
                        .put("virtual_cluster", spec.virtualCluster());
            }
            case FINISH ->
                event(time, "ended")
                        .put("job", workload.job(job).name())
                        .put("iterations", workload.trueIterations(job));
            case DOWN, UP -> {
                failures++;
                ObjectNode outage = event(time, kind == EventKind.DOWN ? "node_down" : "node_up");
                int server = job >= 0 ? job : topology.serverOf(argument);
                outage.put("server", topology.serverName(server));
                yield job >= 0 ? outage : outage.put("gpu", argument - topology.firstGpu(server));
            }
            default -> null;
        };
    }

    private void carryOut(Simulator simulator, JsonNode decision, long now, List<ObjectNode> unreported) {
        String name = decision.get("job").asText();
        int job = Objects.requireNonNull(ids.get(name));
        switch (decision.get("kind").asText()) {
            case "start" -> {
                simulator.start(job, placement(decision.get("placement")));
                unreported.add(event(now, "started").put("job", name).set("placement", decision.get("placement")));
                if (!decision.get("predicted_run_seconds").isNull()) {
                    predictions++;
                    assertThat(decision.get("predicted_run_seconds").doubleValue())
                            .isPositive();
                    assertThat(decision.get("predicted_slowdown").doubleValue()).isGreaterThanOrEqualTo(1);
                }
            }
            case "preempt" -> {
                preemptions++;
                simulator.preempt(job);
                unreported.add(event(now, "preempted").put("job", name));
            }
            case "forward" -> {
                simulator.forward(job, decision.get("domain").intValue());
                unreported.add(event(now, "forwarded")
                        .put("job", name)
                        .put("domain", decision.get("domain").intValue()));
            }
            default -> throw new AssertionError(decision);
        }
    }

    private Placement placement(JsonNode servers) {
        List<Integer> gpus = new ArrayList<>();
        for (JsonNode server : servers) {
            int index = index(server.get("server").asText());
            ((ArrayNode) server.get("gpus")).forEach(gpu -> gpus.add(topology.firstGpu(index) + gpu.intValue()));
        }
        return Placement.of(topology, gpus.stream().mapToInt(Integer::intValue).toArray());
    }

    private int index(String name) {
        for (int server = 0; server < topology.servers(); server++) {
            if (topology.serverName(server).equals(name)) {
                return server;
            }
        }
        throw new AssertionError(name);
    }
}
