package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.experiments.metrics.RankingMetric;

/** Rankings, and what their schedulers need. */
class RankedSchedulerTest {
    /** The second and the fourth do as the first; the third preempts where the first does not. */
    @Test
    void schedulers_that_did_the_same_are_one_row() {
        List<RankedScheduler> ranking = RankedScheduler.of(
                List.of(
                        LogOutcomeTest.outcome("worst", 0, 90, 90),
                        LogOutcomeTest.outcome("first", 0, 10, 20),
                        LogOutcomeTest.outcome("second", 0, 10, 20),
                        LogOutcomeTest.outcome("third", 1, 10, 20),
                        LogOutcomeTest.outcome("fourth", 0, 10, 20)),
                RankingMetric.MEAN_WAIT,
                1);

        assertThat(ranking)
                .extracting(RankedScheduler::name)
                .containsExactly("first", "second", "third", "fourth", "worst");
        assertThat(ranking).extracting(RankedScheduler::value).containsExactly(15.0, 15.0, 15.0, 15.0, 90.0);
        assertThat(RankedScheduler.distinct(ranking))
                .extracting(RankedScheduler::name)
                .containsExactly("first", "third", "worst");
        assertThat(ranking.get(0).alike(ranking)).containsExactly("second", "fourth");
        assertThat(ranking.get(1).alike(ranking)).containsExactly("first", "fourth");
        assertThat(ranking.get(0).also(ranking)).isEqualTo("  = second and 1 more");
        assertThat(ranking.get(4).also(ranking)).isEmpty();
    }

    /** What each manager runs, and what it needs for it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fifo|SLURM|never preempts, needs no predictions, Slurm runs it|slurm.conf: SchedulerType=sched/builtin;"
                        + " slurm.conf: PriorityType=priority/basic",
                "fifo|KUBERNETES|never preempts, needs no predictions, Kubernetes runs it|Kueue, ClusterQueue:"
                        + " queueingStrategy: StrictFIFO",
                "easy|SLURM|never preempts, reads predicted run times or limits, Slurm runs it|slurm.conf:"
                        + " SchedulerType=sched/backfill; slurm.conf: PriorityType=priority/basic; slurm.conf:"
                        + " SchedulerParameters=bf_continue,bf_job_part_count_reserve=1",
                "easy|KUBERNETES|never preempts, reads predicted run times or limits, Trainyard decides (drive)|",
                "srtf|UNKNOWN|preempts running jobs, reads predicted run times or limits, Trainyard decides (serve)|",
                "learned|SLURM|preempts running jobs, reads predicted run times or limits, Trainyard decides (drive)|",
                "slurm (bf_interval=7, PriorityWeightAge=0)|SLURM|never preempts, reads predicted run times or limits, Slurm"
                        + " runs it|slurm.conf: add bf_interval=7 to SchedulerParameters; slurm.conf: PriorityWeightAge=0",
                "kueue:a/b.yaml|KUBERNETES|preempts running jobs, needs no predictions, Kubernetes runs it|Kueue: as in"
                        + " a/b.yaml",
                "volcano:c.yaml|KUBERNETES|preempts running jobs, needs no predictions, Kubernetes runs it|Volcano: as in c.yaml"
            })
    void traits_are_those_of_the_manager(
            String name, ResourceManager manager, String words, @Nullable String configuration) {
        SchedulerTraits traits = SchedulerTraits.of(name, false, manager);

        assertThat(traits.words(manager)).isEqualTo(words);
        assertThat(String.join("; ", traits.configuration())).isEqualTo(configuration == null ? "" : configuration);
        assertThat(traits.leavesJobsAlone()).isEqualTo(words.startsWith("never preempts"));
    }

    @Test
    void settings_that_preempted_need_preemption_and_resizers_resize() {
        assertThat(SchedulerTraits.of("slurm (x=1)", true, ResourceManager.SLURM)
                        .leavesJobsAlone())
                .isFalse();
        SchedulerTraits pollux = SchedulerTraits.of("pollux", false, ResourceManager.SLURM);
        assertThat(pollux.leavesJobsAlone()).isFalse();
        assertThat(pollux.words(ResourceManager.SLURM)).startsWith("resizes running jobs, which must allow it, ");
        assertThat(SchedulerTraits.isConfigured("easy")).isTrue();
        assertThat(SchedulerTraits.isConfigured("srtf")).isFalse();
    }
}
