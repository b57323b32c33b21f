package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.blocks.BlockBootstrap;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.simulation.LoggedCluster;
import org.trainyard.experiments.timeline.RunTimeline;

/** Advice on a log of twelve periods, in each of which three jobs of all four GPUs run one after the other. */
class AdviceOfPeriodsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Topology FOUR = Topologies.parse("1x4");

    private static TraceJob job(String name, long submit, long start, long seconds) {
        return new TraceJob(name, submit * SECOND, 4, seconds * SECOND, null, "u", null, null)
                .ran(new LoggedRun(start * SECOND, (start + seconds) * SECOND));
    }

    private static List<TraceJob> log() {
        List<TraceJob> jobs = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            long at = 4000L * i;
            jobs.add(job("a" + i, at, at, 1000));
            jobs.add(job("b" + i, at + 10, at + 1000, 1000));
            jobs.add(job("c" + i, at + 20, at + 2000, 10));
        }
        return jobs;
    }

    /** The answer that two tests ask. */
    private static final class Answered {
        static final AdviceQuestion QUESTION = question(
                Stream.concat(
                                log().stream(),
                                Stream.of(new TraceJob("wide", 44_021 * SECOND, 8, SECOND, null, "u", null, null)))
                        .toList(),
                60);
        static final Advice ADVICE = Advice.of(QUESTION);
    }

    private static AdviceQuestion question(List<TraceJob> jobs, double limitSeconds) {
        return new AdviceQuestion(
                LogReplays.world(FOUR, 1),
                jobs,
                List.of(new LeftOut("has no end", 2, 0)),
                true,
                RankingMetric.MEAN_WAIT,
                null,
                new LogReplays.Limits(null, limitSeconds, 30),
                null,
                null,
                null,
                new LoggedCluster(FOUR),
                ResourceManager.UNKNOWN);
    }

    /** FIFO waits 0, 990 and 1980 s in each period; a job of eight GPUs fits nowhere, and two could not be read. */
    @Test
    void a_log_of_fifo_is_answered() {
        Advice advice = Answered.ADVICE;
        Reproduction found = Objects.requireNonNull(advice.reproduction());
        RankedScheduler fifo = Objects.requireNonNull(advice.bestConfigurable());

        assertThat(advice.jobs()).isEqualTo(36);
        assertThat(advice.days()).isCloseTo(44_020 / 86_400.0, within(1e-12));
        assertThat(advice.gpuHours()).isCloseTo(12 * 2010 * 4 / 3600.0, within(1e-9));
        assertThat(advice.leftOut()).extracting(LeftOut::jobs).containsExactlyInAnyOrder(2L, 1L);
        assertThat(found.past().waits().mean()).isEqualTo(990);
        assertThat(found.nearest().name()).isEqualTo("fifo");
        assertThat(found.startsWithinMinute()).isEqualTo(1);
        assertThat(found.alike()).contains("fifo-backfill", "easy", "srtf");
        assertThat(advice.hasWholePast()).isTrue();
        assertThat(advice.today()).isSameAs(found.nearest());
        assertThat(fifo.name()).isEqualTo("fifo");
        assertThat(fifo.value()).isEqualTo(990);
        assertThat(Objects.requireNonNull(advice.bestWithoutPreemption()).name())
                .isEqualTo("fifo");
        assertThat(advice.best().value()).isLessThan(990);
        assertThat(advice.ranking()).extracting(RankedScheduler::value).isSorted();
        assertThat(Objects.requireNonNull(advice.saved(fifo))).isEqualTo(new BlockBootstrap.Bounds(0, 0));
        assertThat(advice.gains(advice.best())).isTrue();
        assertThat(advice.isToKeep()).isTrue();
        assertThat(Objects.requireNonNull(advice.held()).past().share()).isZero();
        assertThat(advice.held().unexplained()).isZero();
        assertThat(advice.pays().now()).isNotNull();
        assertThat(advice.pays().payers()).extracting(Payer::by).contains("gpus", "user");
        assertThat(advice.restarts()).extracting(RestartAnswer::seconds).containsExactly(30.0, 300.0, 900.0);
        assertThat(advice.restarts().get(0).value()).isEqualTo(advice.best().value());
        assertThat(advice.notes())
                .containsExactly(
                        "The jobs of the log were submitted within 12 h 14 min; weeks say more of peaks and of rare wide jobs.");
        assertThat(advice.limits()).isEqualTo(LoggedCluster.Limits.NONE);
        assertThat(advice.unequal()).isEmpty();
    }

    /**
     * The past, FIFO, which is the nearest and what a manager runs, and the best of all; waits of the jobs of four
     * GPUs.
     */
    @Test
    void the_past_the_nearest_and_the_best_are_drawn_once_each() throws Exception {
        Advice advice = Answered.ADVICE;

        LogTimelines drawn = LogTimelines.of(Answered.QUESTION, advice);
        String best = advice.best().name();

        assertThat(drawn.runs()).extracting(RunTimeline::scheduler).containsExactly("as it was", "fifo", best);
        assertThat(drawn.notes())
                .containsExactly(
                        "The past is drawn from its starts and ends, without figures by rack; simulate --scheduler"
                                + " past has these.");
        assertThat(drawn.waits()).hasSize(1);
        assertThat(drawn.waits().get(0).jobs()).isEqualTo(36);
        assertThat(drawn.waits().get(0).waits().keySet()).containsExactly("as it was", "fifo", best);
        assertThat(Objects.requireNonNull(drawn.waits().get(0).waits().get("fifo"))
                        .mean())
                .isEqualTo(990);
        Matcher data = Pattern.compile("(?s)<script type=\"application/json\" id=\"data\">(.*?)</script>")
                .matcher(AdviceReport.html("periods", advice, drawn));
        assertThat(data.find()).isTrue();
        JsonNode page = JsonText.read(data.group(1));
        assertThat(page.get("title").asText()).isEqualTo("periods");
        assertThat(page.get("notes")).hasSize(2);
        assertThat(page.findValue("mean").asDouble()).isEqualTo(990);
    }

    @Test
    void a_log_none_of_whose_jobs_fits_is_refused() {
        TraceJob wide = new TraceJob("wide", 0, 8, SECOND, null, "u", null, null);

        assertThatThrownBy(() -> Advice.of(question(List.of(wide), 60)))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith(
                        "--cluster: '%s' is not valid: expected a cluster on which jobs of the log fit; here "
                                .formatted(FOUR.name()))
                .hasMessageContaining("2 jobs has no end")
                .hasMessageContaining("1 job");
    }

    @Test
    void a_limit_in_which_no_replay_ends_is_refused() {
        assertThatThrownBy(() -> Advice.of(question(log(), 1e-9)))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("--limit: '")
                .hasMessageContaining("expected more minutes: no replay ended; under ");
    }

    /** From thirty jobs on, or where all have one. */
    @ParameterizedTest
    @CsvSource({"36, 30, 30", "36, 29, 0", "29, 29, 29", "29, 28, 0", "36, 0, 0"})
    void a_past_of_few_jobs_is_not_compared(int jobs, int dated, int places) {
        List<TraceJob> log = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            log.add(i < dated ? log().get(i) : log().get(i).ran(null));
        }

        assertThat(Advice.dated(log)).hasSize(places);
    }
}
