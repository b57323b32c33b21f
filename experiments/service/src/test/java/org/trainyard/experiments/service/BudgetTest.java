package org.trainyard.experiments.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.experiments.service.live.ServiceClock;
import org.trainyard.experiments.service.target.ServedScheduler;

/**
 * The budget bounds the answer, whatever the scheduler does, and nobody thinks about questions that nobody waits for.
 */
class BudgetTest {
    private static final long MILLIS = 1_000_000;
    private static final long BUDGET = 50 * MILLIS;

    /** What the service waits for before it finds that the time is up; null for the end of the question. */
    private volatile CountDownLatch timeIsUp = new CountDownLatch(0);

    private volatile boolean isPatient;
    private final AtomicLong nanos = new AtomicLong();
    private final List<Long> thoughtAbout = new ArrayList<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger schedulers = new AtomicInteger();

    private final ServiceClock clock = new ServiceClock() {
        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public long wallMillis() {
            return 0;
        }

        @Override
        public void await(CompletableFuture<?> end, long budget) throws InterruptedException {
            if (isPatient) {
                end.exceptionally(failure -> null).join();
            } else {
                timeIsUp.await();
            }
        }
    };

    /** Starts each waiting job on one GPU. */
    private class OneByOne implements Scheduler {
        OneByOne() {
            schedulers.incrementAndGet();
        }

        @Override
        public Decision decide(SimView view) {
            int job = view.firstWaiting();
            return job == SimView.NONE
                    ? Decision.WAIT
                    : new Decision.Start(job, Placement.of(view.topology(), view.runningCount()));
        }

        @Override
        public boolean isBetweenPlans() {
            return true;
        }
    }

    private RunningService service(ServedScheduler.Maker maker, String topology) {
        RunningService service =
                new RunningService(RunningService.serving(new ServedScheduler("tested", maker, demand -> true), BUDGET)
                        .with(clock));
        assertThat(service.post("/v1/clusters/tiny", topology).status()).isEqualTo(201);
        return service;
    }

    private static String arrivals(int jobs) {
        List<String> events = new ArrayList<>();
        for (int job = 1; job <= jobs; job++) {
            events.add("{\"sequence\": %d, \"time_nanos\": 1, \"type\": \"arrival\", \"job\": \"j%d\", \"gpus\": 1}"
                    .formatted(job, job));
        }
        return "{\"events\": [%s]}".formatted(String.join(",", events));
    }

    private static void feed(RunningService service, String events) {
        RunningService.Answer receipt = service.post("/v1/clusters/tiny/events", events);
        assertThat(receipt.status()).as(receipt.text()).isEqualTo(200);
    }

    private static JsonNode ask(RunningService service, long now) {
        return service.post("/v1/placements", "{\"cluster\": \"tiny\", \"now_nanos\": %d}".formatted(now))
                .json();
    }

    private static void carryOut(RunningService service, JsonNode answer, int sequence) {
        List<String> events = new ArrayList<>();
        for (JsonNode decision : answer.get("decisions")) {
            events.add("{\"sequence\": %d, \"time_nanos\": %d, \"type\": \"started\", \"job\": %s, \"placement\": %s}"
                    .formatted(
                            sequence + events.size() + 1,
                            answer.get("now_nanos").longValue(),
                            decision.get("job"),
                            decision.get("placement")));
        }
        feed(service, "{\"events\": [%s]}".formatted(String.join(",", events)));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void a_question_for_which_nobody_waits_is_not_thought_about() {
        ServedScheduler.Maker busy = (topology, listener) -> new OneByOne() {
            @Override
            public Decision decide(SimView view) {
                thoughtAbout.add(view.nowNanos());
                begun.countDown();
                BudgetTest.await(gate);
                return Decision.WAIT;
            }
        };
        try (RunningService service = service(busy, RunningService.TINY)) {
            feed(service, arrivals(1));
            timeIsUp = begun;
            for (long now = 10; now < 20; now++) {
                JsonNode late = ask(service, now);
                assertThat(late.get("decided_by").asText()).isEqualTo("fallback");
                assertThat(late.get("reason").asText()).isEqualTo("deadline");
                assertThat(late.get("decisions")).hasSize(1);
            }
            feed(service, arrivals(2));
            assertThat(service.get("/metrics").text())
                    .contains("trainyard_answers_total{decided_by=\"fallback\",reason=\"deadline\"} 10.0")
                    .contains("trainyard_scheduler_backlog{cluster=\"tiny\"} 1.0");
            isPatient = true;
            gate.countDown();

            assertThat(ask(service, 30).get("decided_by").asText()).isEqualTo("policy");
            assertThat(thoughtAbout).containsExactly(10L, 30L);
            assertThat(schedulers).hasValue(1);
        }
    }

    @Test
    void the_decisions_that_are_ready_when_time_is_up_are_the_answer() {
        ServedScheduler.Maker stuck = (topology, listener) -> new OneByOne() {
            @Override
            public Decision decide(SimView view) {
                if (view.runningCount() == 2) {
                    begun.countDown();
                    BudgetTest.await(gate);
                }
                return super.decide(view);
            }
        };
        try (RunningService service = service(stuck, RunningService.TINY)) {
            feed(service, arrivals(4));
            timeIsUp = begun;
            JsonNode part = ask(service, 10);

            assertThat(part.get("decided_by").asText()).isEqualTo("policy");
            assertThat(part.get("complete").booleanValue()).isFalse();
            assertThat(part.get("decisions")).hasSize(2);
            assertThat(part.get("held").intValue()).isEqualTo(2);
            assertThat(part.get("wake_nanos").longValue()).isEqualTo(11);

            isPatient = true;
            gate.countDown();
            carryOut(service, part, 4);
            // The decision about which it thought when time was up, and then what follows.
            JsonNode late = ask(service, 10);
            assertThat(late.get("complete").booleanValue()).isFalse();
            assertThat(late.get("decisions")).hasSize(1);
            carryOut(service, late, 6);
            JsonNode rest = ask(service, 10);
            assertThat(rest.get("complete").booleanValue()).isTrue();
            assertThat(rest.get("decisions")).hasSize(1);
            assertThat(schedulers).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_late_answer_is_given_to_the_next_question_unless_something_has_happened(boolean happens) {
        ServedScheduler.Maker slow = (topology, listener) -> new OneByOne() {
            @Override
            public Decision decide(SimView view) {
                thoughtAbout.add(view.nowNanos());
                begun.countDown();
                BudgetTest.await(gate);
                return super.decide(view);
            }
        };
        try (RunningService service = service(slow, RunningService.TINY)) {
            feed(service, arrivals(1));
            timeIsUp = begun;
            assertThat(ask(service, 10).get("decided_by").asText()).isEqualTo("fallback");
            isPatient = true;
            gate.countDown();
            if (happens) {
                feed(service, arrivals(2));
            }

            JsonNode answer = ask(service, 20);
            assertThat(answer.get("decided_by").asText()).isEqualTo("policy");
            assertThat(answer.get("decisions")).hasSize(happens ? 2 : 1);
            assertThat(thoughtAbout).hasSize(happens ? 4 : 1);
            assertThat(schedulers).hasValue(happens ? 2 : 1);
        }
    }

    @Test
    void a_scheduler_that_ends_in_time_goes_on_from_there() {
        isPatient = true;
        ServedScheduler.Maker slow = (topology, listener) -> new OneByOne() {
            @Override
            public Decision decide(SimView view) {
                nanos.addAndGet(10 * MILLIS);
                return super.decide(view);
            }
        };
        try (RunningService service = service(slow, RunningService.TINY)) {
            feed(service, arrivals(7));
            JsonNode first = ask(service, 10);
            assertThat(first.get("decisions")).hasSize(3);
            assertThat(first.get("complete").booleanValue()).isFalse();
            carryOut(service, first, 7);
            JsonNode second = ask(service, 10);
            assertThat(second.get("decisions")).hasSize(3);
            carryOut(service, second, 10);
            JsonNode third = ask(service, 20);
            assertThat(third.get("decisions")).hasSize(1);
            assertThat(third.get("complete").booleanValue()).isTrue();
            assertThat(schedulers).hasValue(1);
            assertThat(service.get("/metrics").text())
                    .contains("trainyard_answers_total{decided_by=\"policy\",reason=\"incomplete\"} 2.0");
        }
    }

    @Test
    void the_work_of_the_fallback_is_bounded() {
        ServedScheduler.Maker failing = (topology, listener) -> view -> {
            throw new IllegalStateException("a fault of the test");
        };
        isPatient = true;
        String wide = RunningService.TINY.replace("\"gpus\": 4", "\"gpus\": 64");
        try (RunningService service = service(failing, wide)) {
            feed(service, arrivals(120));
            JsonNode first = ask(service, 10);
            assertThat(first.get("decided_by").asText()).isEqualTo("fallback");
            assertThat(first.get("decisions")).hasSize(100);
            assertThat(first.get("complete").booleanValue()).isFalse();
            carryOut(service, first, 120);
            JsonNode second = ask(service, 11);
            assertThat(second.get("decisions")).hasSize(20);
            assertThat(second.get("complete").booleanValue()).isTrue();
        }
    }

    @Test
    void a_service_whose_scheduler_misses_answers_in_a_row_says_so() {
        ServedScheduler.Maker failing = (topology, listener) -> view -> {
            if (view.nowNanos() < 100) {
                throw new IllegalStateException("a fault of the test");
            }
            return Decision.WAIT;
        };
        isPatient = true;
        try (RunningService service = service(failing, RunningService.TINY)) {
            feed(service, arrivals(1));
            for (long now = 10; now < 30; now++) {
                assertThat(service.get("/readyz").json().get("status").asText()).isEqualTo("ready");
                ask(service, now);
            }
            RunningService.Answer degraded = service.get("/readyz");
            assertThat(degraded.status()).isEqualTo(200);
            assertThat(degraded.json().get("status").asText())
                    .startsWith("degraded")
                    .endsWith("on tiny");

            ask(service, 100);
            assertThat(service.get("/readyz").json().get("status").asText()).isEqualTo("ready");
        }
    }
}
