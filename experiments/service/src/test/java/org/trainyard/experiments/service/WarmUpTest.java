package org.trainyard.experiments.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.trainyard.env.topology.Topologies;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.service.live.PlacementAnswer;
import org.trainyard.experiments.service.live.ServiceClock;
import org.trainyard.experiments.service.live.ServiceSettings;
import org.trainyard.experiments.service.live.WarmUp;

/** A service answers before it is ready, so that it answers in time afterwards. */
class WarmUpTest {
    /** A millisecond passes whenever somebody looks. */
    private static final class Ticking implements ServiceClock {
        private final AtomicLong nanos = new AtomicLong();

        @Override
        public long nanos() {
            return nanos.addAndGet(1_000_000);
        }

        @Override
        public long wallMillis() {
            return 0;
        }

        @Override
        public void await(CompletableFuture<?> end, long budget) {
            end.exceptionally(failure -> null).join();
        }
    }

    @Test
    void it_ends_after_two_seconds_by_the_clock_of_the_service() {
        Ticking clock = new Ticking();
        List<PlacementAnswer> answers = new ArrayList<>();

        int count = WarmUp.of(
                RunningService.serving(RunningService.heuristic("fifo"), 1).with(clock), Topologies.small(), answer -> {
                    answers.add(answer);
                    return JsonText.compact(answer);
                });

        assertThat(count).isBetween(20, 500);
        assertThat(clock.nanos()).isBetween(2_000_000_000L, 2_100_000_000L);
        assertThat(answers).hasSize(count).allMatch(answer -> answer.decidedBy().equals("policy"));
        assertThat(answers).anyMatch(answer -> !answer.decisions().isEmpty());
    }

    @Test
    void it_leaves_no_trace_in_what_is_served() {
        ServiceSettings settings = RunningService.serving(
                RunningService.ROOT.resolve("checkpoints/default").toString());
        List<String> before = dialogue(settings);

        assertThat(WarmUp.of(settings.with(new Ticking()), Topologies.small(), JsonText::compact))
                .isPositive();

        assertThat(dialogue(settings)).isEqualTo(before);
    }

    @Test
    void a_failure_ends_it_and_nothing_else() {
        assertThat(WarmUp.of(
                        RunningService.serving(RunningService.heuristic("fifo"), 1)
                                .with(new Ticking()),
                        Topologies.small(),
                        answer -> "{"))
                .isZero();
    }

    /** Twelve jobs on eight GPUs, one of which ends; what the service answers. */
    private static List<String> dialogue(ServiceSettings settings) {
        try (RunningService service = new RunningService(settings)) {
            service.post("/v1/clusters/tiny", RunningService.TINY);
            List<String> answers = new ArrayList<>();
            for (int job = 1; job <= 12; job++) {
                String event =
                        "{\"sequence\": %d, \"time_nanos\": %d, \"type\": \"arrival\", \"job\": \"j%d\", \"gpus\": %d}"
                                .formatted(job, job * 1_000_000_000L, job, 1 + job % 4);
                answers.add(service.post("/v1/clusters/tiny/events", "{\"events\": [%s]}".formatted(event))
                        .text());
                answers.add(service.post(
                                "/v1/placements",
                                "{\"cluster\": \"tiny\", \"now_nanos\": %d}".formatted(job * 1_000_000_000L))
                        .text());
            }
            return answers;
        }
    }
}
