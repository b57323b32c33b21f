package org.trainyard.experiments.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.gym.decentralised.DecentralisedAgents;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.frozen.Fingerprint;
import org.trainyard.experiments.frozen.FrozenText;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.service.live.ServiceSettings;
import org.trainyard.experiments.service.target.ServedScheduler;

/** A long dialogue with equal times, repeats, conflicts and outages gets the same answers as ever. */
class FrozenDialogueTest {
    private static final String CLUSTER = "/v1/clusters/small";
    private static final List<String> RECEIPT = List.of("accepted", "repeated", "sequence");
    private static final List<String> ANSWER = List.of("sequence", "decided_by", "reason", "held", "wake_nanos");
    private static final List<String> VIEW = List.of("sequence", "free_gpus", "down_gpus", "arrived", "waiting");
    /** Fields that are long, of which the file has a fingerprint. */
    private static final List<String> LONG = List.of("decisions", "hold", "why", "running", "event_log");
    /** No loaded machine keeps the scheduler from its answer. */
    private static final long BUDGET_NANOS = 300_000_000_000L;

    private static final long SECOND = 1_000_000_000L;

    private final List<String> lines = new ArrayList<>();
    private final List<ObjectNode> sent = new ArrayList<>();
    private final Map<String, String> running = new LinkedHashMap<>();
    private int forwards;

    private static ServiceSettings withTime(ServiceSettings one) {
        return serving(one.served(), one);
    }

    private static ServiceSettings serving(ServedScheduler served, ServiceSettings one) {
        return new ServiceSettings(
                served,
                one.fallback(),
                one.belief(),
                one.physics(),
                one.runtime(),
                one.seed(),
                BUDGET_NANOS,
                one.limits());
    }

    private static Fingerprint print(JsonNode value) {
        return new Fingerprint().add(value.toString());
    }

    private void note(String what, RunningService.Answer answer, List<String> fields) {
        StringBuilder line = new StringBuilder().append(answer.status());
        if (answer.status() >= 400) {
            line.append(" at ").append(answer.json().at("/error/place").asText());
        } else {
            fields.forEach(field -> line.append(' ')
                    .append(field)
                    .append('=')
                    .append(answer.json().get(field)));
            LONG.stream()
                    .filter(field -> answer.json().has(field))
                    .forEach(field -> line.append(
                            " %s=%s".formatted(field, print(answer.json().get(field)))));
            answer.json()
                    .path("decisions")
                    .forEach(decision -> line.append(" %s %s %s"
                            .formatted(
                                    decision.get("kind").asText(),
                                    decision.get("job").asText(),
                                    decision.at("/placement/0/server").asText())));
        }
        lines.add(FrozenText.line("%d %s".formatted(lines.size() + 1, what), line));
    }

    private ObjectNode event(long seconds, String type) {
        ObjectNode event = JsonNodeFactory.instance
                .objectNode()
                .put("sequence", sent.size() + 1)
                .put("time_nanos", seconds * SECOND)
                .put("type", type);
        sent.add(event);
        return event;
    }

    private ObjectNode ofJob(long seconds, String type, String job) {
        return event(seconds, type).put("job", job);
    }

    private ObjectNode arrival(long seconds, int gpus, String model) {
        return event(seconds, "arrival")
                .put("job", "j" + sent.size())
                .put("gpus", gpus)
                .put("model", model)
                .put("user", "u" + sent.size() % 3)
                .put("group", "g" + gpus);
    }

    private void report(RunningService service, String what, ObjectNode... events) {
        note(what, service.post(CLUSTER + "/events", "{\"events\": %s}".formatted(List.of(events))), RECEIPT);
    }

    private JsonNode ask(RunningService service, String what, long seconds) {
        RunningService.Answer answer = service.post(
                "/v1/placements", "{\"cluster\": \"small\", \"now_nanos\": %d}".formatted(seconds * SECOND));
        note(what, answer, ANSWER);
        return answer.json();
    }

    /** Reports that all decisions are carried out. */
    private void follow(RunningService service, JsonNode answer, long seconds) {
        List<ObjectNode> done = new ArrayList<>();
        for (JsonNode decision : answer.get("decisions")) {
            String job = decision.get("job").asText();
            if (decision.get("kind").asText().equals("start")) {
                done.add(ofJob(seconds, "started", job).set("placement", decision.get("placement")));
                running.put(job, job);
            } else if (decision.get("kind").asText().equals("forward")) {
                done.add(ofJob(seconds, "forwarded", job)
                        .put("domain", decision.get("domain").asInt()));
                forwards++;
            } else {
                done.add(ofJob(seconds, "preempted", job));
                running.remove(job);
            }
        }
        if (!done.isEmpty()) {
            report(service, "carried out", done.toArray(ObjectNode[]::new));
        }
    }

    private void askAndFollow(RunningService service, String what, long seconds) {
        JsonNode answer = ask(service, what, seconds);
        assertThat(answer.path("decided_by").asText()).as("%s", answer).isEqualTo("policy");
        follow(service, answer, seconds);
    }

    private String oldest() {
        String job = running.keySet().iterator().next();
        running.remove(job);
        return job;
    }

    private void registerAndFill(RunningService service) throws Exception {
        String described = Files.readString(RunningService.ROOT.resolve("experiments/clusters/small.yaml"));
        for (String what : List.of("register", "register again")) {
            note(what, service.post(CLUSTER, "application/yaml", described), List.of());
        }
        note("ask an empty cluster", service.get(CLUSTER), VIEW);
        report(service, "three at once", arrival(0, 4, "bert"), arrival(0, 8, "vgg16"), arrival(0, 2, "lstm"));
        ask(service, "ask", 0);
        ask(service, "ask the same", 0);
        report(service, "one more at the same time", arrival(0, 1, "resnet50"));
        JsonNode answer = ask(service, "ask at the same time", 0);
        ask(service, "ask the same again", 0);
        follow(service, answer, 0);
        ask(service, "ask after all were carried out", 0);
    }

    private void conflicts(RunningService service) {
        report(service, "repeat", sent.get(0), sent.get(1));
        report(service, "repeat with other content", sent.get(0).deepCopy().put("gpus", 3));
        report(
                service,
                "leave a gap",
                sent.get(0).deepCopy().put("sequence", 1000).put("job", "later"));
        ObjectNode past =
                sent.get(0).deepCopy().put("sequence", sent.size() + 1).put("job", "past");
        report(service, "too many GPUs", past.deepCopy().put("gpus", 1000));
        report(service, "a job that is there", past.deepCopy().put("job", "j1"));
    }

    private void queues(RunningService service) {
        String[] models = {"bert", "resnet50", "dlrm", "lstm", "vgg16"};
        int[] gpus = {1, 8, 2, 16, 4, 1, 12, 3};
        for (int i = 0; i < 40; i++) {
            long second = 60L * (i / 2 + 1);
            report(service, "arrival " + i, arrival(second, gpus[i % gpus.length], models[i % models.length]));
            if (i % 3 != 1) {
                askAndFollow(service, "place " + i, second);
            }
            if (i % 5 == 4) {
                report(service, "an end " + i, ofJob(second, "ended", oldest()).put("iterations", 1000 + i));
            }
        }
        note("look", service.get(CLUSTER), VIEW);
    }

    private void changes(RunningService service) {
        String first = oldest();
        report(service, "progress", ofJob(1300, "progress", first).put("iterations", 500));
        report(service, "a server fails", event(1310, "node_down").put("server", "server 2"));
        report(service, "it fails again", event(1310, "node_down").put("server", "server 2"));
        sent.remove(sent.size() - 1);
        note("look at what the failure has left", service.get(CLUSTER), VIEW);
        running.clear();
        service.get(CLUSTER)
                .json()
                .get("running")
                .forEach(one -> running.put(one.get("job").asText(), ""));
        askAndFollow(service, "place without it", 1310);
        report(service, "requeue", ofJob(1320, "requeued", oldest()));
        report(service, "preempt", ofJob(1320, "preempted", oldest()));
        String waiting = service.get(CLUSTER).json().get("waiting").get(0).asText();
        report(service, "cancel", ofJob(1320, "cancelled", waiting));
        askAndFollow(service, "place after changes", 1320);
        report(service, "the server is back", event(1330, "node_up").put("server", "server 2"));
        askAndFollow(service, "place on it", 1330);
        ask(service, "ask in the past", 1200);
        for (int i = 0; i < 6 && !running.isEmpty(); i++) {
            report(service, "end " + i, ofJob(1400 + 100L * i, "ended", oldest()));
            askAndFollow(service, "place after end " + i, 1400 + 100L * i);
        }
    }

    @ParameterizedTest
    @CsvSource({"checkpoints/default, default", "tiresias-gittins, tiresias-gittins"})
    void the_answers_are_those_of_ever(String target, String name) throws Exception {
        String opened =
                target.contains("/") ? RunningService.ROOT.resolve(target).toString() : target;
        assertThat(answers(RunningService.serving(opened))).hasSizeGreaterThan(64);
        FrozenText.assertFrozen("dialogue-" + name, lines);
    }

    @ParameterizedTest
    @CsvSource({"Shared", "Home"})
    void agents_that_bid_on_threads_answer_as_on_one(String jobs, @TempDir Path folder) throws Exception {
        ExperimentConfig config = ConfigReader.read(
                RunningService.ROOT.resolve("checkpoints/default/config.yaml"),
                List.of(
                        "environment.domains=4",
                        "environment.view={own: servers, others: summary, staleness_minutes: 1}",
                        "environment.jobs=" + jobs));
        BidNetwork rule = InitialBids.patient(8, 5, RandomStreams.stream(1, "dialogue"));
        BidPolicy policy = new BidPolicy(rule, new AuctionSettings(RemainingTime.GITTINS_BY_WORK, 6, 8, 2, true, true));
        policy.save(folder.resolve("policy.bin"));
        Files.writeString(folder.resolve("config.yaml"), ConfigWriter.yaml(config));
        ServiceSettings onThreads = RunningService.serving(folder.toString());
        int[] widest = {0};
        DecentralisedAgents.Workers one = (count, work) -> {
            widest[0] = Math.max(widest[0], count);
            DecentralisedAgents.Workers.SEQUENTIAL.each(count, work);
        };
        ServedScheduler onOne = new ServedScheduler(
                onThreads.served().name(),
                (topology, listener) -> policy.scheduler(
                        new Deployment(
                                        config.environment().seen(topology),
                                        Experiment.domains(config, topology),
                                        config.environment().preemption(),
                                        onThreads.belief())
                                .apart(config.environment().apart(), one),
                        listener),
                onThreads.served().serves());

        List<String> expected = new FrozenDialogueTest().answers(serving(onOne, onThreads));

        assertThat(widest[0]).isGreaterThan(1);
        assertThat(answers(onThreads)).isEqualTo(expected);
        assertThat(forwards > 0).isEqualTo(jobs.equals("Home"));
    }

    private List<String> answers(ServiceSettings settings) throws Exception {
        try (RunningService service = new RunningService(withTime(settings))) {
            registerAndFill(service);
            conflicts(service);
            queues(service);
            assertThat(sent).hasSizeGreaterThan(64);
            report(service, "repeat the first of many", sent.get(0), sent.get(2));
            changes(service);
            conflicts(service);
            note("the end", service.get(CLUSTER), VIEW);
        }
        return lines;
    }
}
