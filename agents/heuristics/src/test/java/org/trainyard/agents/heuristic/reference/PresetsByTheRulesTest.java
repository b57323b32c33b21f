package org.trainyard.agents.heuristic.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.trainyard.agents.ForSeeds;
import org.trainyard.agents.heuristic.reference.SmallTraces.Answer;
import org.trainyard.agents.heuristic.reference.SmallTraces.Job;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** On any trace the presets give, job by job, what plain programs of the published simulators' rules give. */
class PresetsByTheRulesTest {
    private static final long MICROSECOND = 1_000;

    private static Topology cluster(String shorthand) {
        return Objects.requireNonNull(Topologies.parse(shorthand));
    }

    private static List<Answer> seconds(List<Job> trace, String cluster, String preset) {
        return SmallTraces.answers(
                SmallTraces.toJobs(trace, TimedJobs.SECOND).replay(cluster(cluster), preset), TimedJobs.SECOND);
    }

    @ForSeeds
    void helios_srtf_is_what_it_would_be_second_by_second(long seed) {
        for (int longest : new int[] {60, 600}) {
            for (List<Job> trace : SmallTraces.of(seed + longest, longest)) {
                assertThat(seconds(trace, "3x8", "helios-srtf")).isEqualTo(HeliosTicks.srtf(3, trace));
            }
        }
    }

    @ForSeeds
    void tiresias_dlas_is_what_it_would_be_second_by_second(long seed) {
        for (List<Job> trace : SmallTraces.of(seed, 12_000)) {
            assertThat(seconds(trace, "6x4", "tiresias-dlas")).isEqualTo(DlasTicks.dlasGpu(24, trace));
        }
    }

    @ForSeeds
    void tiresias_sorting_presets_deal_the_cluster_out_anew_at_every_event(long seed) {
        for (String policy : List.of("srtf", "srsf", "sjf")) {
            for (List<Job> trace : SmallTraces.of(seed, 600)) {
                assertThat(seconds(trace, "6x4", "tiresias-" + policy))
                        .as(policy)
                        .isEqualTo(MuriEvents.run(1, 24, policy, trace));
            }
        }
    }

    /** Times in milliseconds, work 1.015 times as much, so the rules' program counts microseconds. */
    @ForSeeds
    void muri_presets_deal_the_servers_out_anew_at_every_event(long seed) {
        for (String policy : List.of("srtf", "srsf")) {
            for (List<Job> trace : SmallTraces.of(seed, 600)) {
                List<Job> stretched = trace.stream()
                        .map(job -> new Job(job.gpus(), job.submit() * 1000, job.duration() * 1015))
                        .toList();
                TimedJobs jobs = SmallTraces.toJobs(trace, 1000 * MICROSECOND);

                assertThat(SmallTraces.answers(jobs.replay(cluster("3x8"), "muri-" + policy, "muri"), MICROSECOND))
                        .as(policy)
                        .isEqualTo(MuriEvents.run(3, 8, policy, stretched));
            }
        }
    }

    /** Only Muri's own traces have iteration times to stretch; four GPUs on a server make more gangs wide. */
    @ForSeeds
    void muri_presets_take_the_durations_of_other_traces_as_they_are(long seed) {
        for (String policy : List.of("srtf", "srsf")) {
            for (List<Job> trace : SmallTraces.of(seed, 600)) {
                assertThat(seconds(trace, "6x4", "muri-" + policy))
                        .as(policy)
                        .isEqualTo(MuriEvents.run(6, 4, policy, trace));
            }
        }
    }
}
