package org.trainyard.experiments.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.workload.TraceJob;

class ShadowSpanTest {
    private static ComparedJob job(String id, int gpus, double real, double shadow) {
        TraceJob job = new TraceJob(id, 5_000_000_000L, gpus, 1, null, "ann", null, null);
        return new ComparedJob(job, 5 + real, 5 + shadow, real, shadow, false);
    }

    /** Starts 60 s apart are equal, and 61 s apart earlier or later. */
    @Test
    void jobs_are_counted_by_their_starts_and_delays_are_ranked() {
        List<ComparedJob> jobs =
                List.of(job("a", 1, 100, 160), job("b", 2, 500, 439), job("d", 4, 10, 71), job("c", 8, 0, 3600));
        ShadowSpan span = ShadowSpan.of("Day 1", jobs, 60, 1, false);

        assertThat(span.jobs()).isEqualTo(4);
        assertThat(span.starts()).isEqualTo(new ShadowSpan.Starts(1, 1, 2));
        assertThat(span.past().mean()).isEqualTo(152.5);
        assertThat(span.shadow().mean()).isEqualTo(1067.5);
        assertThat(span.difference().mean()).isEqualTo(-915);
        assertThat(span.gpuHours()).isCloseTo((-60 + 2 * 61 - 4 * 61 - 8 * 3600) / 3600.0, within(1e-9));
        assertThat(span.delayed().jobs()).isEqualTo(2);
        assertThat(span.delayed().meanS()).isEqualTo(1830.5);
        assertThat(span.delayed().worst())
                .containsExactly(
                        new ShadowSpan.Late("c", 8, 3600, "job c, 8 GPUs, ann"),
                        new ShadowSpan.Late("d", 4, 61, "job d, 4 GPUs, ann"));
        assertThat(span.answer("easy").console())
                .contains(
                        "Day 1: 4 jobs; 1 start as they did, 1 earlier, 2 later.",
                        "Waits: 2 min 33 s on average as it was, 17 min 48 s under easy; 15 min 15 s lost (",
                        "; 8.1 GPU-hours of waiting lost.",
                        "Delayed: 2 jobs would have waited longer, by 30 min 31 s on average; the worst are job c, 8 GPUs, ann by"
                                + " 1 h; job d, 4 GPUs, ann by 1 min 1 s.");
    }

    /** A loss is told in any case, a gain only where it is promised. */
    @Test
    void a_gain_that_is_not_promised_is_not_told() {
        List<ComparedJob> better = List.of(job("a", 1, 500, 100), job("b", 1, 600, 100));
        List<ComparedJob> worse = List.of(job("a", 1, 100, 500), job("b", 1, 100, 600));

        assertThat(ShadowSpan.of("x", better, 60, 1, false).saved()).isNull();
        assertThat(ShadowSpan.of("x", better, 60, 1, false).savedGpuHours()).isNull();
        assertThat(ShadowSpan.of("x", better, 60, 1, true).savedGpuHours()).isEqualTo(900 / 3600.0);
        assertThat(ShadowSpan.of("x", worse, 60, 1, false).savedGpuHours()).isEqualTo(-0.25);
        assertThat(ShadowSpan.of("x", better, 60, 1, true).answer("easy").console())
                .contains("7 min 30 s saved (", "0.3 GPU-hours of waiting saved.")
                .doesNotContain("Delayed");
    }
}
