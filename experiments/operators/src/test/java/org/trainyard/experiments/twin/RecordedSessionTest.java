package org.trainyard.experiments.twin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.trainyard.experiments.io.Answer;

/**
 * The first 260 s of a recording of a real Slurm, whose every decision is ours: a queue with backfill, QOS before which
 * others give way, an array, reservations, a node that drains and priorities that decay. Its accounting is of the end
 * of the recording, so that every run has its length.
 */
class RecordedSessionTest {
    private static final TwinFolder SESSION = session();
    private static final ControllerLog LOG = Objects.requireNonNull(SESSION.log());

    private static TwinFolder session() {
        try {
            return TwinFolder.read(
                    Path.of(Objects.requireNonNull(RecordedSessionTest.class.getResource("/recorded-session"))
                            .toURI()));
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String table(EqualShare... shares) {
        return new Answer().table(EqualShare.table(List.of(shares))).console().replaceAll(" +", " ");
    }

    @Test
    void every_cycle_decides_as_slurm_did() {
        PerCycle.Counts counts = PerCycle.of(SESSION, LOG);

        assertThat(table(counts.starts, counts.plansInTime, counts.plansOnNodes))
                .contains(
                        "starts (job and nodes) 101 101 100.0 %",
                        "planned starts within 1 s 424 424 100.0 %", "planned nodes 424 424 100.0 %");
        assertThat(counts.divergences).isEmpty();
        assertThat(counts.heldBack).isEmpty();
        assertThat(counts.cycles).isEqualTo(138);
    }

    @Test
    void every_priority_is_that_of_slurm() {
        PrioritySamples samples = PrioritySamples.of(SESSION, LOG);

        assertThat(table(samples.equal)).contains("priorities 155 155 100.0 %");
        assertThat(samples.divergences).isEmpty();
    }

    /**
     * With the cycles of the log, in the cycle before its line of the start; but job 110 a run of 19 ms before, because
     * jobs give way here when a cycle begins, and in the log 23 ms later.
     */
    @Test
    void every_job_starts_in_the_cycle_in_which_it_started() {
        Map<String, String> past = new TreeMap<>();
        long cycle = 0;
        for (LogEvent event : LOG.events()) {
            switch (event.kind()) {
                case MAIN, MAIN_FULL, BACKFILL -> cycle = event.millis();
                case START -> past.put(event.job(), "%d %s %s".formatted(cycle, event.number() == 1, event.names()));
                default -> {
                    // tells no start
                }
            }
        }

        past.computeIfPresent("110", (job, start) -> start.replace("16097 ", "16078 "));

        Map<String, String> twin = new TreeMap<>();
        new FreeRun(SESSION, new RecordedTimes(SESSION, List.of()), null, begun -> {})
                .run()
                .forEach((job, run) ->
                        twin.put(job, "%d %s %s".formatted(run.startMillis(), run.backfilled(), run.nodes())));

        assertThat(past).hasSize(97);
        assertThat(twin).isEqualTo(past);
    }

    /**
     * Of two phases of the loops, as these figures were when they were written down: the loops draw the same times
     * anew.
     */
    @Test
    void modelled_cycles_of_the_same_phases_are_the_same_to_the_millisecond() {
        FreeRuns.Figures figures = FreeRuns.modelled(SESSION, new RecordedTimes(SESSION, List.of()), 2);

        assertThat(figures.mean()).isEqualTo(30.47709051724138);
        assertThat(figures.waits().p95()).isEqualTo(128.5785);
        assertThat(figures.spread()).isEqualTo(0.3265065562128873);
        assertThat(figures.within5()).isEqualTo(0.6853448275862069);
        assertThat(figures.within30()).isEqualTo(0.7413793103448276);
        assertThat(figures.within60()).isEqualTo(0.7672413793103448);
        assertThat(figures.sameNodes()).isEqualTo(0.44396551724137934);
        assertThat(figures.missing()).isEqualTo(2);
    }
}
