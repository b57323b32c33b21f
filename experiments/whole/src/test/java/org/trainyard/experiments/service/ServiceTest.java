package org.trainyard.experiments.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.topology.Placement;
import org.trainyard.experiments.service.http.ServerSettings;
import org.trainyard.experiments.service.target.ServedScheduler;

/** What the service accepts, answers and refuses, and who decides when its scheduler does not. */
class ServiceTest {
    private static final String TOPOLOGY = RunningService.TINY;
    private static final String EVENTS = "/v1/clusters/tiny/events";
    private static final long BUDGET = 60_000_000_000L;

    private static RunningService service(ServedScheduler served) {
        return service(served, BUDGET);
    }

    private static RunningService service(ServedScheduler served, long budgetNanos) {
        RunningService service = new RunningService(RunningService.serving(served, budgetNanos));
        RunningService.Answer registered = service.post("/v1/clusters/tiny", TOPOLOGY);
        assertThat(registered.status()).as(registered.text()).isEqualTo(201);
        return service;
    }

    private static String events(String... events) {
        return "{\"events\": [%s]}".formatted(String.join(",", events));
    }

    private static String arrival(int sequence, int gpus) {
        return "{\"sequence\": %d, \"time_nanos\": %d, \"type\": \"arrival\", \"job\": \"j%d\", \"gpus\": %d}"
                .formatted(sequence, sequence, sequence, gpus);
    }

    private static String place(long now) {
        return "{\"cluster\": \"tiny\", \"now_nanos\": %d}".formatted(now);
    }

    private static JsonNode ask(RunningService service, long now) {
        RunningService.Answer answer = service.post("/v1/placements", place(now));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json();
    }

    @Test
    void events_are_idempotent_and_a_gap_or_other_content_is_a_conflict() {
        try (RunningService service = service(RunningService.heuristic("sjf"))) {
            String both = events(arrival(1, 1), arrival(2, 2));

            assertThat(service.post(EVENTS, both).json().get("accepted").intValue())
                    .isEqualTo(2);
            JsonNode again = service.post(EVENTS, both).json();
            assertThat(again.get("accepted").intValue()).isZero();
            assertThat(again.get("repeated").intValue()).isEqualTo(2);

            RunningService.Answer other = service.post(EVENTS, events(arrival(2, 3)));
            assertThat(other.status()).isEqualTo(409);
            assertThat(other.json().at("/error/expected").asText()).contains("event 2 had before");

            RunningService.Answer gap = service.post(EVENTS, events(arrival(5, 1)));
            assertThat(gap.status()).isEqualTo(409);
            assertThat(gap.json().at("/error/place").asText()).isEqualTo("events[0].sequence");
            assertThat(gap.json().at("/error/expected").asText()).startsWith("3:");
            assertThat(gap.json().get("sequence").longValue()).isEqualTo(2);
        }
    }

    @Test
    void events_before_a_refused_one_stay_accepted() {
        try (RunningService service = service(RunningService.heuristic("sjf"))) {
            RunningService.Answer refused = service.post(EVENTS, events(arrival(1, 1), arrival(2, 99)));

            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.json().at("/error/place").asText()).isEqualTo("events[1].gpus");
            assertThat(refused.json().get("sequence").longValue()).isEqualTo(1);
            assertThat(service.get("/v1/clusters/tiny").json().get("waiting")).hasSize(1);
        }
    }

    @Test
    void an_answer_changes_nothing_and_to_ask_again_gives_the_same() {
        try (RunningService service = service(RunningService.heuristic("random"))) {
            service.post(EVENTS, events(arrival(1, 4), arrival(2, 4), arrival(3, 4)));
            JsonNode before = service.get("/v1/clusters/tiny").json();
            JsonNode first = ask(service, 10);

            assertThat(first.get("decisions")).hasSize(2);
            assertThat(first.get("held").intValue()).isEqualTo(1);
            assertThat(first.at("/hold/0/job").asText()).startsWith("j");
            assertThat(ask(service, 10)).isEqualTo(first);
            JsonNode after = service.get("/v1/clusters/tiny").json();
            for (String field : List.of("waiting", "running", "free_gpus", "event_log", "sequence")) {
                assertThat(after.get(field)).as(field).isEqualTo(before.get(field));
            }
            // Nothing was carried out, so the same jobs are proposed later.
            assertThat(ask(service, 20).get("decisions")).hasSize(2);
        }
    }

    @Test
    void the_fallback_answers_when_the_scheduler_is_late_and_the_service_goes_on() {
        CountDownLatch gate = new CountDownLatch(1);
        ServedScheduler slow = new ServedScheduler(
                "slow",
                (topology, listener) -> view -> {
                    try {
                        gate.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return Decision.WAIT;
                },
                demand -> true);
        try (RunningService service = service(slow, 50_000_000)) {
            service.post(EVENTS, events(arrival(1, 4)));
            // The scheduler cannot go on before this has answered.
            JsonNode late = ask(service, 10);

            assertThat(late.get("decided_by").asText()).isEqualTo("fallback");
            assertThat(late.get("scheduler").asText()).isEqualTo("sjf");
            assertThat(late.get("reason").asText()).isEqualTo("deadline");
            assertThat(late.get("decisions")).hasSize(1);
            assertThat(service.get("/metrics").text())
                    .contains("trainyard_answers_total{decided_by=\"fallback\",reason=\"deadline\"} 1.0");
            String next = arrival(2, 4).replace("\"time_nanos\": 2", "\"time_nanos\": 11");
            assertThat(service.post(EVENTS, events(next)).status()).isEqualTo(200);
            assertThat(ask(service, 12).get("reason").asText()).isEqualTo("deadline");
            gate.countDown();
        }
    }

    @Test
    void the_fallback_answers_when_the_scheduler_fails_or_proposes_what_is_impossible() {
        ServedScheduler failing = new ServedScheduler(
                "failing",
                (topology, listener) -> view -> {
                    throw new IllegalStateException("a fault of the test");
                },
                demand -> true);
        ServedScheduler cheating = new ServedScheduler(
                "cheating",
                (topology, listener) -> view -> new Decision.Start(0, Placement.of(topology, 0)),
                demand -> true);
        for (ServedScheduler one : List.of(failing, cheating)) {
            try (RunningService service = service(one)) {
                service.post(EVENTS, events(arrival(1, 4)));
                for (long now = 10; now < 13; now++) {
                    JsonNode answer = ask(service, now);
                    assertThat(answer.get("decided_by").asText()).isEqualTo("fallback");
                    assertThat(answer.get("reason").asText()).isEqualTo("failed");
                    assertThat(answer.get("decisions")).hasSize(1);
                }
                assertThat(service.get("/readyz").status()).isEqualTo(200);
            }
        }
    }

    @Test
    void agents_that_bid_say_why() {
        try (RunningService service = new RunningService(RunningService.serving(
                RunningService.ROOT.resolve("checkpoints/default").toString()))) {
            service.post("/v1/clusters/tiny", TOPOLOGY);
            service.post(EVENTS, events(arrival(1, 2), arrival(2, 4)));
            JsonNode answer = ask(service, 10);

            assertThat(answer.get("decided_by").asText()).isEqualTo("policy");
            JsonNode candidates = answer.at("/why/0/candidates");
            List<Double> scores = new ArrayList<>();
            candidates.forEach(one -> scores.add(one.get("score").doubleValue()));
            assertThat(scores)
                    .isSortedAccordingTo((a, b) -> Double.compare(b, a))
                    .hasSizeGreaterThan(1);
            List<JsonNode> chosen = new ArrayList<>();
            candidates.forEach(one -> {
                if (one.get("chosen").booleanValue()) {
                    chosen.add(one);
                }
            });
            assertThat(chosen).hasSize(1);
            assertThat(chosen.get(0).get("legal").booleanValue()).isTrue();
            assertThat(chosen.get(0).get("job").asText())
                    .isEqualTo(answer.at("/decisions/0/job").asText());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/placements | {\"cluster\": \"other\", \"now_nanos\": 1} | 404 | cluster",
                "/v1/placements | {\"cluster\": \"tiny\"} | 400 | now_nanos",
                "/v1/placements | {\"cluster\": \"tiny\", \"now_nanos\": 1.5} | 400 | now_nanos",
                "/v1/placements | {\"cluster\": \"tiny\", \"now_nanos\": NaN} | 400 | body",
                "/v1/placements | {\"cluster\": \"tiny\", \"now_nanos\": 1, \"version\": 2} | 400 | version",
                "/v1/placements | {\"cluster\": \"tiny\", \"now_nanos\": 1, \"now\": 2} | 400 | now",
                "/v1/placements | {\"cluster\": \"tiny\", \"now_nanos\": 1 | 400 | body",
                "/v1/placements | [] | 400 | body",
                "/v1/clusters/UPPER | {} | 400 | cluster",
                "/v1/clusters/x | {\"type\": \"Lingjun\"} | 400 | body",
                "/v1/clusters/x | nonsense | 400 | body",
                "/v1/clusters/tiny/events | {\"events\": [7]} | 400 | events[0]",
                "/v1/clusters/tiny/events | {\"events\": [{\"sequence\": 1}]} | 400 | events[0].time_nanos",
                "/v1/clusters/tiny/events | {\"events\": [{\"sequence\": 1, \"time_nanos\": 1, \"type\": \"x\"}]} |"
                        + " 400 | events[0].type",
                "/v1/clusters/tiny/events | {\"events\": [{\"sequence\": 1, \"time_nanos\": 1, \"type\": \"ended\","
                        + " \"job\": \"j\"}]} | 422 | events[0].job",
                "/v1/clusters/tiny/events | {\"events\": [{\"sequence\": 1, \"time_nanos\": 1, \"type\":"
                        + " \"node_down\", \"server\": \"s\"}]} | 422 | events[0].server",
                "/v1/clusters/tiny/events | {\"events\": [{\"sequence\": 1, \"time_nanos\": 1, \"type\": \"arrival\","
                        + " \"job\": \"j\", \"gpus\": 1, \"predicted_run_seconds\": 1e999}]} | 400 |"
                        + " events[0].predicted_run_seconds",
                "/v1/nothing | {} | 404 | path",
            })
    void a_bad_request_gets_one_clear_error(String path, String body, int status, String place) {
        try (RunningService service = service(RunningService.heuristic("sjf"))) {
            RunningService.Answer refused = service.post(path, body);

            assertThat(refused.status()).as(refused.text()).isEqualTo(status);
            assertThat(refused.json().at("/error/place").asText()).startsWith(place);
            assertThat(refused.json().at("/error/expected").asText()).isNotBlank();
            assertThat(service.get("/v1/clusters/tiny").json().get("sequence").intValue())
                    .isZero();
        }
    }

    @Test
    void other_content_types_methods_and_sizes_are_refused() {
        try (RunningService service = service(RunningService.heuristic("sjf"))) {
            assertThat(service.post("/v1/placements", "text/plain", "{}").status())
                    .isEqualTo(415);
            assertThat(service.send(service.request("/v1/placements").DELETE()).status())
                    .isEqualTo(405);
            assertThat(service.post("/v1/placements", " ".repeat(2 << 20)).status())
                    .isEqualTo(413);
            assertThat(service.post("/v1/clusters/wide", TOPOLOGY.replace("\"k\": 2", "\"k\": 40"))
                            .status())
                    .isEqualTo(413);
            assertThat(service.post("/v1/clusters/tiny", TOPOLOGY).status()).isEqualTo(200);
            assertThat(service.post("/v1/clusters/tiny", TOPOLOGY.replace("tiny", "other"))
                            .status())
                    .isEqualTo(409);
        }
    }

    @Test
    void requests_beyond_the_rate_are_refused() {
        ServerSettings slow = new ServerSettings("127.0.0.1", 0, null, null, 1 << 20, 5);
        try (RunningService service =
                new RunningService(RunningService.serving(RunningService.heuristic("sjf"), BUDGET), slow, null)) {
            List<Integer> statuses = IntStream.range(0, 30)
                    .mapToObj(i -> service.get("/v1/clusters").status())
                    .toList();
            assertThat(statuses).contains(200, 429).doesNotContain(500);
            assertThat(service.get("/healthz").status()).isEqualTo(200);
        }
    }

    @Test
    void without_the_token_only_probes_are_answered() {
        ServerSettings guarded = new ServerSettings("127.0.0.1", 0, "a-token-of-the-test", null, 1 << 20, 1e6);
        try (RunningService service =
                new RunningService(RunningService.serving(RunningService.heuristic("sjf"), BUDGET), guarded, null)) {
            assertThat(service.send(service.request("/v1/clusters").GET()).status())
                    .isEqualTo(401);
            assertThat(service.send(service.request("/metrics").GET()).status()).isEqualTo(401);
            assertThat(service.send(service.request("/v1/clusters")
                                    .header("Authorization", "Bearer a-token-of-the-tesT")
                                    .GET())
                            .status())
                    .isEqualTo(401);
            assertThat(service.send(service.request("/healthz").GET()).status()).isEqualTo(200);
            assertThat(service.send(service.request("/readyz").GET()).status()).isEqualTo(200);
            RunningService.Answer known = service.send(service.request("/v1/clusters")
                    .header("Authorization", "Bearer a-token-of-the-test")
                    .GET());
            assertThat(known.status()).as(known.text()).isEqualTo(200);
        }
    }

    @Test
    void a_model_outside_the_catalogue_is_the_neutral_one_and_is_counted_as_is_a_missing_one() {
        try (RunningService service = service(RunningService.heuristic("sjf"))) {
            RunningService.Answer answer = service.post(EVENTS, events("""
                {"sequence": 1, "time_nanos": 1, "type": "arrival", "job": "a", "gpus": 2, "model": "none such"}""", """
                {"sequence": 2, "time_nanos": 1, "type": "arrival", "job": "b", "gpus": 2, "model": "neutral"}""", """
                {"sequence": 3, "time_nanos": 1, "type": "arrival", "job": "c", "gpus": 2}"""));

            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            assertThat(service.get("/metrics").text()).contains("trainyard_unknown_models{cluster=\"tiny\"} 2.0");
            JsonNode decisions = ask(service, 10).get("decisions");
            assertThat(decisions.at("/0/predicted_run_seconds")).isEqualTo(decisions.at("/1/predicted_run_seconds"));
        }
    }

    @Test
    void an_address_that_others_reach_needs_a_token_and_tls() {
        assertThatThrownBy(() -> new ServerSettings("0.0.0.0", 0, "a-token-of-the-test", null, 1 << 20, 1e6))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("--tls-keystore");
        assertThatThrownBy(() -> new ServerSettings("0.0.0.0", 0, null, null, 1 << 20, 1e6))
                .isInstanceOf(InputException.class);
    }

    @Test
    void every_route_is_in_the_document_and_every_answer_has_the_fields_of_its_schema() {
        try (RunningService service = service(RunningService.heuristic("sjf"))) {
            service.post(EVENTS, events(arrival(1, 4), arrival(2, 4), arrival(3, 4)));
            JsonNode document = service.get("/openapi.json").json();

            assertThat(document.get("paths").fieldNames())
                    .toIterable()
                    .contains("/v1/placements", "/v1/clusters/{id}/events", "/healthz", "/metrics");
            requireSchema(document, "PlacementAnswer", ask(service, 10));
            requireSchema(document, "ProposedDecision", ask(service, 10).at("/decisions/0"));
            requireSchema(document, "HeldJob", ask(service, 10).at("/hold/0"));
            requireSchema(
                    document, "ClusterView", service.get("/v1/clusters/tiny").json());
            requireSchema(
                    document, "Registration", service.get("/v1/clusters").json().get(0));
            requireSchema(
                    document,
                    "EventReceipt",
                    service.post(EVENTS, events(arrival(1, 4))).json());
            requireSchema(document, "ErrorAnswer", service.post(EVENTS, "{}").json());
        }
    }

    private static void requireSchema(JsonNode document, String name, JsonNode value) {
        JsonNode properties = document.at("/components/schemas/%s/properties".formatted(name));
        List<String> fields = new ArrayList<>();
        value.fieldNames().forEachRemaining(fields::add);
        List<String> described = new ArrayList<>();
        properties.fieldNames().forEachRemaining(described::add);
        assertThat(fields).as(name).isNotEmpty().containsExactlyInAnyOrderElementsOf(described);
        for (String field : fields) {
            JsonNode schema = properties.get(field);
            assertThat(isOf(
                            schema.has("anyOf") ? schema.at("/anyOf/0") : schema,
                            value.get(field),
                            schema.has("anyOf")))
                    .as("%s.%s", name, field)
                    .isTrue();
        }
    }

    private static boolean isOf(JsonNode schema, JsonNode value, boolean isNullable) {
        if (value.isNull()) {
            return isNullable;
        }
        return switch (schema.path("type").asText("object")) {
            case "string" -> value.isTextual();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            case "array" -> value.isArray();
            default -> value.isObject();
        };
    }

    @Test
    void a_cancelled_job_and_a_failed_server_are_seen_by_the_scheduler() {
        try (RunningService service = service(RunningService.heuristic("fifo"))) {
            service.post(EVENTS, events(arrival(1, 4), arrival(2, 4), arrival(3, 4)));
            RunningService.Answer changed = service.post(
                    EVENTS,
                    events(
                            "{\"sequence\": 4, \"time_nanos\": 4, \"type\": \"cancelled\", \"job\": \"j1\"}",
                            "{\"sequence\": 5, \"time_nanos\": 5, \"type\": \"node_down\", \"server\": \"server 0\"}"));
            assertThat(changed.status()).as(changed.text()).isEqualTo(200);
            JsonNode decisions = ask(service, 10).get("decisions");

            assertThat(decisions).hasSize(1);
            assertThat(decisions.at("/0/job").asText()).isEqualTo("j2");
            assertThat(decisions.at("/0/placement/0/server").asText()).isEqualTo("server 1");
            assertThat(decisions.at("/0/placement/0/gpus")).hasSize(4);
        }
    }

    @Test
    void a_job_that_would_start_at_once_is_told_so_and_a_question_changes_nothing() {
        try (RunningService service = service(RunningService.heuristic("sjf"))) {
            service.post(EVENTS, events(arrival(1, 1)));
            JsonNode before = service.get("/v1/clusters/tiny").json();
            RunningService.Answer answer =
                    service.post("/v1/clusters/tiny/when", "{\"gpus\": 1, \"limit_seconds\": 60}");

            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            assertThat(answer.json().get("wait_s").get("p50").isNumber()).isTrue();
            assertThat(answer.json().get("cluster").get("waiting").intValue()).isEqualTo(1);
            assertThat(answer.json().get("reasons")).isNotEmpty();
            assertThat(service.get("/v1/clusters/tiny").json()).isEqualTo(before);
            assertThat(service.post("/v1/clusters/tiny/when", "{\"gpus\": 0}").status())
                    .isEqualTo(400);
            assertThat(service.post("/v1/clusters/none/when", "{\"gpus\": 1}").status())
                    .isEqualTo(404);
        }
    }
}
