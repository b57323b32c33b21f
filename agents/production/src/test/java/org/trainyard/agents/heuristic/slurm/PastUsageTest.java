package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/** Usage of runs before a simulation, of users on a server with eight GPUs. */
class PastUsageTest {
    private static final Topology SERVER = Objects.requireNonNull(Topologies.parse("1x8"));

    private static SlurmFiles files(String halfLife) {
        return new SlurmFiles(
                "slurm.conf",
                List.of(
                        "PriorityType=priority/multifactor",
                        "PriorityWeightFairshare=1000",
                        "PriorityDecayHalfLife=" + halfLife),
                null,
                List.of("Name|UsageFactor", "normal|", "half|0.5"),
                List.of("Account|User|Share", "root||1", "a||1", "a|ann|1", "a|bob|1"),
                null);
    }

    private static JobSpec job(int gpus, String user, String qos) {
        return TimedJobs.list()
                .job(gpus, 0, 100)
                .by(user, null)
                .saying(terms -> terms.account("a").qos(qos))
                .workload()
                .job(0);
    }

    private static PastUsage.Run run(JobSpec job, long start, long end) {
        return new PastUsage.Run(job, start * TimedJobs.SECOND, end * TimedJobs.SECOND);
    }

    /**
     * At 300 s: Ann had 4 GPUs from 100 to 200 s, and has 2 since 250 s; Bob had 8 from 0 to 10 s by half. With a
     * half-life of 693 s a second keeps 0.999 of what was used before it.
     */
    @ParameterizedTest
    @CsvSource({"0, 1", "00:11:33, 0.999"})
    void usage_is_what_runs_held_for_their_time_decayed_until_now(String halfLife, double kept) {
        SlurmFiles files = files(halfLife);
        PastUsage usage = new PastUsage(
                files,
                SERVER,
                List.of(
                        run(job(4, "ann", "normal"), 100, 200),
                        run(job(2, "ann", "normal"), 250, 300),
                        run(job(8, "bob", "half"), 0, 10)),
                300 * TimedJobs.SECOND);
        SlurmCluster cluster = files.on(SERVER);

        usage.addTo(cluster, 400);

        double later = Math.pow(kept, 100);
        double ann = 4 * integral(kept, 100, 200) + 2 * integral(kept, 0, 50);
        double bob = 8 * 0.5 * integral(kept, 290, 300);
        assertThat(cluster.association("a", "ann").usage()).isCloseTo(ann * later, within(1e-6));
        assertThat(cluster.association("a", "bob").usage()).isCloseTo(bob * later, within(1e-6));
        assertThat(cluster.root().usage()).isCloseTo((ann + bob) * later, within(1e-6));
        assertThat(usage.countedUntil(250)).isEqualTo(300);
        assertThat(usage.countedUntil(350)).isEqualTo(350);
    }

    /** What is left of one unit a second between two ages, by small steps. */
    private static double integral(double kept, int youngest, int oldest) {
        int steps = 1000;
        double sum = 0;
        for (int step = 0; step < steps * (oldest - youngest); step++) {
            sum += Math.pow(kept, youngest + (step + 0.5) / steps) / steps;
        }
        return sum;
    }

    /** Ann asks first; if she has used the cluster before, Bob's job comes first. */
    @Test
    void those_who_used_the_cluster_before_a_simulation_come_later() {
        TimedJobs jobs = TimedJobs.list()
                .job(8, 0, 100)
                .by("zed", null)
                .job(8, 1, 100)
                .by("ann", null)
                .saying(terms -> terms.account("a"))
                .job(8, 2, 100)
                .by("bob", null)
                .saying(terms -> terms.account("a"));
        SlurmScheduler slurm = new SlurmScheduler(files("7-0"), SERVER);
        PastUsage usage = slurm.usage(List.of(run(job(8, "ann", "normal"), -1000, 0)), 0);

        assertThat(TimedJobs.endSeconds(jobs.run(SERVER, slurm, 0))).containsExactly(100L, 200L, 300L);
        assertThat(TimedJobs.endSeconds(jobs.run(SERVER, slurm.after(usage), 0)))
                .containsExactly(100L, 300L, 200L);
    }
}
