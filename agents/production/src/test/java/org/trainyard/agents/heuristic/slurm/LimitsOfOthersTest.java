package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.HeldLimits;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * Limits and licences of Slurm as other schedulers meet them: which jobs may start beside those that hold something.
 */
class LimitsOfOthersTest {
    private static final Topology TWO = Objects.requireNonNull(Topologies.parse("2x4"));
    private static final SlurmFiles FILES = files(
            "AccountingStorageEnforce=limits,qos",
            "Licenses=lic:2",
            "NodeName=n[1-2] CPUs=8 Gres=gpu:4",
            "PartitionName=all Nodes=ALL Default=YES",
            "PartitionName=few Nodes=ALL QOS=one");

    private final TimedJobs jobs = TimedJobs.list();
    private final HeldLimits limits = new SlurmLimits(FILES, TWO);

    private static SlurmFiles files(String... conf) {
        return new SlurmFiles(
                "slurm.conf",
                List.of(conf),
                null,
                List.of("Name|MaxJobsPU|GrpTRES|MaxWall", "normal|||", "one||node=1|", "brief|1||00:30:00"),
                null,
                null);
    }

    private JobSpec job(int gpus, String user, String qos, String partition, @Nullable String licenses, long limit) {
        jobs.job(gpus, 0, 60)
                .by(user, null)
                .saying(terms -> terms.qos(qos).partition(partition).licenses(licenses))
                .limited(limit);
        return jobs.workload().job(jobs.workload().size() - 1);
    }

    private JobSpec of(String user, String qos) {
        return job(1, user, qos, "all", null, 60);
    }

    @Test
    void a_user_has_as_many_jobs_at_once_as_the_qos_says() {
        JobSpec first = of("ann", "brief");
        JobSpec second = of("ann", "brief");

        assertThat(limits.allows(first)).isTrue();
        limits.hold(first, 1);
        assertThat(limits.allows(second)).isFalse();
        assertThat(limits.allows(of("bob", "brief"))).isTrue();
        assertThat(limits.allows(of("ann", "normal"))).isTrue();
        limits.hold(first, -1);
        assertThat(limits.allows(second)).isTrue();
    }

    @Test
    void licences_are_short_while_others_hold_them() {
        JobSpec both = job(1, "ann", "normal", "all", "lic:2", 60);
        JobSpec one = job(1, "bob", "normal", "all", "lic", 60);
        limits.hold(one, 1);

        assertThat(limits.allows(both)).isFalse();
        limits.hold(one, -1);
        assertThat(limits.allows(both)).isTrue();
    }

    /** Half an hour in whole minutes, as Slurm counts them; a job without a limit has any. */
    @ParameterizedTest
    @CsvSource({"1800, true", "1859, true", "1860, false", "1861, false", "0, true"})
    void the_limit_of_a_job_is_not_longer_than_its_qos_allows(long limit, boolean allowed) {
        assertThat(limits.allows(job(1, "ann", "brief", "all", null, limit))).isEqualTo(allowed);
    }

    /**
     * The partition few has a node of work at once: the first job counts there, and the second, which may run in both,
     * elsewhere.
     */
    @Test
    void a_job_counts_for_the_first_partition_that_would_let_it_start() {
        JobSpec first = job(1, "ann", "normal", "few,all", null, 60);
        JobSpec second = job(1, "ann", "normal", "few,all", null, 60);
        JobSpec third = job(1, "bob", "normal", "few", null, 60);
        limits.hold(first, 1);
        limits.hold(second, 1);

        assertThat(limits.allows(third)).isFalse();
        limits.hold(second, -1);
        assertThat(limits.allows(third)).isFalse();
        limits.hold(first, -1);
        assertThat(limits.allows(third)).isTrue();
    }

    /** Jobs of a group are limited alike. */
    @Test
    void jobs_that_differ_in_user_qos_partition_nodes_or_licences_are_of_different_groups() {
        Object group = limits.group(of("ann", "brief"));

        assertThat(limits.group(of("ann", "brief"))).isEqualTo(group);
        assertThat(limits.group(of("bob", "brief"))).isNotEqualTo(group);
        assertThat(limits.group(of("ann", "normal"))).isNotEqualTo(group);
        assertThat(limits.group(job(1, "ann", "brief", "few", null, 60))).isNotEqualTo(group);
        assertThat(limits.group(job(8, "ann", "brief", "all", null, 60))).isNotEqualTo(group);
        assertThat(limits.group(job(1, "ann", "brief", "all", "lic", 60))).isNotEqualTo(group);
    }

    @ParameterizedTest
    @CsvSource({
        "AccountingStorageEnforce=limits, true",
        "Licenses=lic:2, true",
        "AccountingStorageEnforce=associations, false"
    })
    void files_limit_something_or_are_refused(String line, boolean limit) {
        SlurmFiles files = files("NodeName=n[1-2] Gres=gpu:4", line);

        assertThat(SlurmLimits.of(files, TWO) != null).isEqualTo(limit);
        if (limit) {
            assertThat(Objects.requireNonNull(SlurmLimits.of(files, TWO)).get().allows(of("ann", "normal")))
                    .isTrue();
        } else {
            assertThatThrownBy(() -> new SlurmLimits(files, TWO))
                    .isInstanceOf(InputException.class)
                    .hasMessage(
                            "slurm.conf: 'no limits' is not valid: expected AccountingStorageEnforce=limits, or Licenses");
        }
    }

    /** A file is read once, and each simulation has limits of its own. */
    @Test
    void a_simulation_begins_with_nothing_held(@TempDir Path folder) throws IOException {
        Path conf = Files.write(folder.resolve("slurm.conf"), List.of("Licenses=lic:1"));
        JobSpec job = job(1, "ann", "normal", "all", "lic", 60);
        Supplier<HeldLimits> each = new SlurmLimits.Provider().read(conf.toString(), TWO);
        HeldLimits first = each.get();

        first.hold(job, 1);

        assertThat(first.allows(job(1, "bob", "normal", "all", "lic", 60))).isFalse();
        assertThat(each.get().allows(job)).isTrue();
    }
}
