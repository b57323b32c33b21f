package org.trainyard.agents.heuristic.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.reference.KnownAnswerFiles.ExactTimes;
import org.trainyard.agents.heuristic.reference.KnownAnswerFiles.Times;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** The presets give, job by job, what the simulators they replay gave. */
class KnownAnswersTest {
    private static Topology cluster(String shorthand) {
        return Objects.requireNonNull(Topologies.parse(shorthand));
    }

    private static Map<String, Times> times(RunResult result) {
        Map<String, Times> times = new TreeMap<>();
        for (JobOutcome job : result.jobs()) {
            times.put(
                    job.job().name(),
                    new Times(TimedJobs.wholeSeconds(job.firstStartNanos()), TimedJobs.wholeSeconds(job.endNanos())));
        }
        return times;
    }

    private static Map<String, Integer> preemptions(RunResult result) {
        Map<String, Integer> preemptions = new TreeMap<>();
        result.jobs().forEach(job -> preemptions.put(job.job().name(), job.preemptions()));
        return preemptions;
    }

    private static long sumOfJctSeconds(RunResult result) {
        return result.jobs().stream()
                .mapToLong(job -> TimedJobs.wholeSeconds(job.jctNanos()))
                .sum();
    }

    @ParameterizedTest
    @CsvSource({
        "tiresias-fifo, 100 150 400 420 430 430, 1790",
        "helios-fifo, 100 150 400 420 430 430, 1790",
        "tiresias-fjf, 100 150 400 420 160 430, 1520",
        "helios-sjf, 100 180 430 130 110 110, 920",
        "tiresias-srtf, 180 90 440 50 60 60, 740",
        "tiresias-srsf, 180 70 440 90 50 50, 740",
        "tiresias-sjf, 430 60 330 450 50 340, 1520",
        "tiresias-dlas, 100 150 400 420 160 430, 1520",
        "helios-srtf, 274 153 564 92 51 51, 1045"
    })
    void presets_end_the_six_jobs_of_the_table_when_it_says(String preset, String ends, long sum) {
        RunResult result = TimedJobs.tiny().replay(cluster("1x8"), preset);

        assertThat(TimedJobs.endSeconds(result))
                .isEqualTo(List.of(ends.split(" ")).stream().map(Long::valueOf).toList());
        assertThat(sumOfJctSeconds(result)).isEqualTo(sum);
    }

    @ParameterizedTest
    @CsvSource({"fifo, 384122.19", "sjf, 54010.33", "srtf, 40856.94"})
    void helios_presets_equal_the_helios_simulator_on_itp_cluster06(String policy, double mean) {
        RunResult result = KnownAnswerFiles.elasticFlow("elasticflow_itp/cluster06.csv.gz")
                .replay(cluster("12x8"), "helios-" + policy);

        assertThat(times(result))
                .hasSize(2396)
                .isEqualTo(KnownAnswerFiles.times(
                        "known_answers/slab_simulator/itp_cluster06_%s_consolidate.csv.gz".formatted(policy), "uuid"));
        assertThat(preemptions(result))
                .isEqualTo(KnownAnswerFiles.counts(
                        "known_answers/slab_simulator/itp_cluster06_%s_consolidate.csv.gz".formatted(policy),
                        "uuid",
                        "ckpt_times"));
        assertThat(result.meanJctSeconds()).isCloseTo(mean, within(0.005));
    }

    @ParameterizedTest
    @CsvSource({"fifo, 9667.02", "sjf, 9667.02", "srtf, 9665.52"})
    void helios_presets_equal_the_helios_simulator_on_a_virtual_cluster_of_venus(String policy, double mean) {
        RunResult result = KnownAnswerFiles.helios("helios/helios_venus_2vc_sept.csv.gz", "vcvlY")
                .replay(cluster("2x8"), "helios-" + policy);

        assertThat(times(result))
                .hasSize(415)
                .isEqualTo(KnownAnswerFiles.times(
                        "known_answers/slab_simulator/venus_vcvlY_%s_consolidate.csv.gz".formatted(policy), "job_id"));
        assertThat(preemptions(result))
                .isEqualTo(KnownAnswerFiles.counts(
                        "known_answers/slab_simulator/venus_vcvlY_%s_consolidate.csv.gz".formatted(policy),
                        "job_id",
                        "ckpt_times"));
        assertThat(result.meanJctSeconds()).isCloseTo(mean, within(0.005));
    }

    @ParameterizedTest
    @CsvSource({
        "fifo, fifo, 200.817",
        "fjf, fjf, 190.683",
        "sjf, sjf, 198.200",
        "srtf, shortest, 192.117",
        "srsf, shortest-gpu, 195.900",
        "dlas, dlas-gpu, 190.683"
    })
    void tiresias_presets_equal_the_tiresias_simulator_on_its_60_jobs(String preset, String policy, double mean) {
        RunResult result =
                KnownAnswerFiles.tiresias("tiresias/60_job.csv", 1).replay(cluster("4x4"), "tiresias-" + preset);

        assertThat(times(result))
                .hasSize(60)
                .isEqualTo(KnownAnswerFiles.times(
                        "known_answers/tiresias_simulator/60job_n4g4_%s_count.csv.gz".formatted(policy), "job_id"));
        assertThat(result.meanJctSeconds()).isCloseTo(mean, within(0.0005));
    }

    @ParameterizedTest
    @CsvSource({
        "fifo, 983237679, 0",
        "fjf, 476263935, 0",
        "sjf, 404840966, 126",
        "srtf, 178675415, 1037",
        "srsf, 171302273, 749",
        "dlas, 310366631, 1303"
    })
    void tiresias_presets_equal_the_tiresias_simulator_on_muri_trace_3(String preset, long sum, int preemptions) {
        RunResult result = KnownAnswerFiles.tiresias("known_answers/tiresias_simulator/muri_trace3_sec.csv.gz", 1)
                .replay(cluster("8x8"), "tiresias-" + preset);

        assertThat(result.jobs()).hasSize(992);
        assertThat(sumOfJctSeconds(result)).isEqualTo(sum);
        assertThat(result.jobs().stream().mapToInt(JobOutcome::preemptions).sum())
                .isEqualTo(preemptions);
        assertThat(result.makespanSeconds()).isEqualTo(8_171_961);
    }

    /** A rate that is no power of two makes every division inexact; ties of whole seconds must survive it. */
    @Test
    void the_answers_do_not_depend_on_the_unit_of_work() {
        RunResult result = KnownAnswerFiles.tiresias("known_answers/tiresias_simulator/muri_trace3_sec.csv.gz", 3.7182)
                .replay(cluster("8x8"), "tiresias-srtf");

        double sum = result.meanJctSeconds() * result.jobs().size();
        assertThat(sum).isCloseTo(178_675_415, within(1e-3));
    }

    @ParameterizedTest
    @CsvSource({
        "trace1, srtf, shortest, 1377148.986",
        "trace1, srsf, shortest-gpu, 975401.097",
        "trace3, srtf, shortest, 190377.377",
        "trace3, srsf, shortest-gpu, 183965.978",
        "trace1, tiresias, dlas-gpu, 3261561.768",
        "trace3, tiresias, dlas-gpu, 340306.277"
    })
    void muri_presets_equal_the_muri_simulator_to_a_microsecond(
            String trace, String preset, String policy, double mean) {
        RunResult result = KnownAnswerFiles.muri("muri/%s.csv.gz".formatted(trace))
                .replay(cluster("8x8"), "muri-" + preset, "muri");
        Map<String, ExactTimes> known = KnownAnswerFiles.exactTimes(
                "known_answers/muri_simulator_overhead0/%s_%s.csv.gz".formatted(trace, policy));

        assertThat(result.jobs()).hasSameSizeAs(known.entrySet());
        for (JobOutcome job : result.jobs()) {
            ExactTimes times = Objects.requireNonNull(known.get(job.job().name()));
            assertThat(job.firstStartNanos() / 1e9).as(job.job().name()).isCloseTo(times.start(), within(1e-6));
            assertThat(job.endNanos() / 1e9).as(job.job().name()).isCloseTo(times.end(), within(1e-6));
        }
        assertThat(result.meanJctSeconds()).isCloseTo(mean, within(0.0005));
    }
}
