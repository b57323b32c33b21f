package org.trainyard.experiments.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.service.live.ServiceClock;

/** What a question may change, which is nothing, and how events and answers are told apart. */
class QuestionTimeTest {
    private static final String EVENTS = "/v1/clusters/tiny/events";
    private static final long BUDGET = 60_000_000_000L;

    private final AtomicLong wallMillis = new AtomicLong(1_000);
    private final AtomicLong nanos = new AtomicLong();
    private final ServiceClock clock = new ServiceClock() {
        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public long wallMillis() {
            return wallMillis.get();
        }

        @Override
        public void await(CompletableFuture<?> end, long nanos) {
            end.join();
        }
    };

    @TempDir
    private Path folder;

    private RunningService service = service(null);

    private RunningService service(@Nullable Path state) {
        return new RunningService(
                RunningService.serving(RunningService.heuristic("fifo"), BUDGET).with(clock),
                RunningService.ANY_PORT,
                state);
    }

    QuestionTimeTest() {
        service.post("/v1/clusters/tiny", RunningService.TINY);
    }

    private static String arrival(int sequence, long now) {
        return "{\"sequence\": %d, \"time_nanos\": %d, \"type\": \"arrival\", \"job\": \"j%d\", \"gpus\": 1}"
                .formatted(sequence, now, sequence);
    }

    private RunningService.Answer feed(String... events) {
        return service.post(EVENTS, "{\"events\": [%s]}".formatted(String.join(",", events)));
    }

    private JsonNode ask(long now) {
        return service.post("/v1/placements", "{\"cluster\": \"tiny\", \"now_nanos\": %d}".formatted(now))
                .json();
    }

    @Test
    void a_question_about_a_later_time_does_not_move_the_clock_of_the_cluster() {
        feed(arrival(1, 10));
        JsonNode before = service.get("/v1/clusters/tiny").json();

        assertThat(ask(500_000_000_000L).get("decisions")).hasSize(1);
        assertThat(service.get("/v1/clusters/tiny").json()).isEqualTo(before);
        assertThat(feed(arrival(2, 20)).status()).isEqualTo(200);
        assertThat(ask(30).get("decisions")).hasSize(2);
        assertThat(ask(30).get("decided_by").asText()).isEqualTo("policy");
        service.close();
    }

    @Test
    void a_time_that_is_further_ahead_than_real_time_can_explain_is_refused_after_a_restart_too() {
        service.close();
        service = service(folder);
        service.post("/v1/clusters/tiny", RunningService.TINY);
        long first = 1_700_000_000_000_000_000L;
        long second = 1_000_000_000L;
        assertThat(feed(arrival(1, first)).status()).isEqualTo(200);

        RunningService.Answer event = feed(arrival(2, first + 601 * second));
        assertThat(event.status()).isEqualTo(422);
        assertThat(event.json().at("/error/place").asText()).isEqualTo("events[0].time_nanos");
        assertThat(event.json().at("/error/expected").asText()).contains("--most-skew");
        assertThat(ask(Long.MAX_VALUE / 2).at("/error/place").asText()).isEqualTo("now_nanos");
        assertThat(ask(first + 599 * second).get("decisions")).hasSize(1);
        assertThat(feed(arrival(2, first + second)).status()).isEqualTo(200);
        service.close();

        wallMillis.addAndGet(10_000);
        service = service(folder);
        assertThat(feed(arrival(3, first + 613 * second)).status()).isEqualTo(422);
        assertThat(ask(first + 610 * second).get("decisions")).hasSize(2);
        assertThat(feed(arrival(3, first + 610 * second)).status()).isEqualTo(200);
        service.close();
    }

    @Test
    void a_job_that_arrives_at_the_time_of_an_answer_is_in_the_next_answer() {
        feed(arrival(1, 10));
        assertThat(ask(10).get("decisions")).hasSize(1);

        feed(arrival(2, 10));

        assertThat(ask(10).get("decisions")).hasSize(2);
        service.close();
    }

    @Test
    void the_content_of_each_of_a_hundred_events_is_remembered() {
        String[] all = IntStream.rangeClosed(1, 100)
                .mapToObj(number -> arrival(number, number))
                .toArray(String[]::new);
        feed(all);
        for (int number : List.of(1, 64, 65, 100)) {
            assertThat(feed(all[number - 1]).json().get("repeated").intValue())
                    .as("event %d", number)
                    .isEqualTo(1);
            assertThat(feed(arrival(number, 1000)).status())
                    .as("event %d", number)
                    .isEqualTo(409);
        }
        service.close();
    }

    @Test
    void a_clock_that_is_set_back_does_not_make_a_silent_cluster_deaf() {
        long second = 1_000_000_000L;
        assertThat(feed(arrival(1, second)).status()).isEqualTo(200);

        wallMillis.addAndGet(-3_600_000);
        nanos.addAndGet(1_000 * second);

        assertThat(feed(arrival(2, 1_001 * second)).status()).isEqualTo(200);
        assertThat(feed(arrival(3, 1_700 * second)).status()).isEqualTo(422);
        service.close();
    }
}
