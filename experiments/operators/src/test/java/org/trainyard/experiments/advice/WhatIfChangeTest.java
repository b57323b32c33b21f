package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.MaintenanceWindow;
import org.trainyard.env.simulation.Outage;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.config.topology.Clusters;

/** Changes in words, and what they make of jobs, clusters and configurations. */
class WhatIfChangeTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Topology TWO = Objects.requireNonNull(Topologies.parse("2x8:A100"));

    private static WhatIf change(String text) {
        return WhatIf.parse("--what-if", text);
    }

    @Test
    void each_change_is_in_its_field() {
        WhatIf all = change(" racks=+2,servers=+4 of H100 , arrivals=1.3, quota bio=8, quota chem=0, limit=90min,"
                + " limit h100=1-12:00:00, share bio=60, window=120h..128h, bf_window=2880, sched_interval=7,"
                + " priority age=2000, priority fairshare=4000000000, priority jobsize=1, priority partition=2,"
                + " priority qos=3");

        assertThat(all.racks()).isEqualTo(2);
        assertThat(all.servers()).isEqualTo(4);
        assertThat(all.serversOf()).isEqualTo("H100");
        assertThat(all.arrivals()).isEqualTo(1.3);
        assertThat(all.quotas().toString()).isEqualTo("{bio=8, chem=0}");
        assertThat(all.limits().toString()).isEqualTo("{=5400000000000, h100=129600000000000}");
        assertThat(all.shares().toString()).isEqualTo("{bio=60}");
        assertThat(all.window()).isEqualTo("120h..128h");
        assertThat(all.gpus()).isNull();
        assertThat(all.lines())
                .containsExactly(
                        "SchedulerParameters=...,bf_window=2880,sched_interval=7",
                        "PriorityWeightAge=2000",
                        "PriorityWeightFairshare=4000000000",
                        "PriorityWeightJobSize=1",
                        "PriorityWeightPartition=2",
                        "PriorityWeightQOS=3");
        assertThat(all.configures()).isTrue();
        assertThat(all.weighs()).isTrue();
        assertThat(all.text()).startsWith("racks=+2").endsWith("qos=3");
        assertThat(Objects.requireNonNull(change("gpus=H100").gpus()).name()).isEqualTo("H100");
        assertThat(change("share bio=1").configures()).isTrue();
        assertThat(change("share bio=1").lines()).isEmpty();
        assertThat(change("bf_window=1").configures()).isTrue();
        assertThat(change("bf_window=1").weighs()).isFalse();
        assertThat(change("racks=1, arrivals=2, limit=1h").configures()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"30s, 30", "90min, 5400", "1.5h, 5400", "2d, 172800", "01:30:00, 5400", "10:00, 600"})
    void a_limit_is_a_span_of_time(String span, long seconds) {
        assertThat(change("limit=" + span).limits().get("")).isEqualTo(seconds * SECOND);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "racks=+1000",
                "servers=1",
                "servers=+10000",
                "arrivals=0.01",
                "arrivals=100",
                "quota a=1000000",
                "share a=0",
                "priority age=0"
            })
    void the_ends_of_a_span_of_numbers_belong_to_it(String text) {
        assertThat(change(text).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "racks=1001",
                "servers=0",
                "servers=10001",
                "arrivals=0.009",
                "arrivals=101",
                "quota a=-1",
                "priority age=4000000001",
                "limit=30",
                "limit=9999999-00:00:00",
                "racks=+2 of H100",
                "luck=3",
                "racks=many"
            })
    void what_is_beyond_them_or_no_change_is_refused(String text) {
        assertThatThrownBy(() -> change(text)).isInstanceOf(InputException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "2x8:A100, racks=+1, 2x2x8:A100",
        "2x8:A100, servers=+2, 4x8:A100",
        "2x8:A100, gpus=H100, 2x8:H100",
        "2x8, gpus=H100, 2x8:H100",
        "3x2x8, racks=+1, 4x2x8",
        "1x2x8, gpus=H100, 2x8:H100",
        "2x8:A100, 'racks=+2, servers=+1, gpus=H100', 3x3x8:H100"
    })
    void a_cluster_in_shorthand_is_changed_there(String description, String text, String changed) {
        List<String> asked = new ArrayList<>();
        WhatIf.Changed cluster = change(text).cluster("--what-if", description, TWO, one -> {
            asked.add(one);
            return Objects.requireNonNull(Topologies.parse(one));
        });

        assertThat(cluster.description()).isEqualTo(changed);
        assertThat(asked).containsExactly(changed);
        assertThat(cluster.after()).as("the last server of today").isEqualTo(1);
    }

    /** Two racks of four servers with P100s, then two racks of two servers with A100s. */
    @ParameterizedTest
    @CsvSource({"P100, 7, 4 6 2 2", "nvidia-a100, 11, 4 4 2 4"})
    void servers_of_a_type_stand_behind_the_last_of_it(String type, int after, String racks) {
        Topology now = Clusters.resolve("--cluster", "small-generations");
        WhatIf.Changed changed =
                change("servers=+2 of " + type).cluster("--what-if", "small-generations", now, one -> now);

        Topology then = changed.topology();
        List<String> sizes = new ArrayList<>();
        for (int rack = 0; rack < then.racks(); rack++) {
            sizes.add(Integer.toString(then.serversIn(rack)));
        }
        assertThat(changed.after()).isEqualTo(after);
        assertThat(String.join(" ", sizes)).isEqualTo(racks);
        assertThat(then.servers()).isEqualTo(14);
        for (int server = 0; server < 14; server++) {
            int was = server <= after ? server : Math.max(after, server - 2);
            assertThat(then.server(server)).isEqualTo(now.server(was));
            assertThat(then.nic(server)).isEqualTo(now.nic(was));
        }
        assertThat(then.serverName(13)).isEqualTo("server 13");
        assertThat(changed.description())
                .isEqualTo("small-generations +2 of %s".formatted(type.equals("P100") ? "P100" : "A100"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "servers=+1|servers=+1 of one of A100, P100",
                "servers=+1 of V100|a type of GPU that the cluster has: A100, P100",
                "racks=+1|servers=+N of TYPE alone",
                "servers=+1 of A100, gpus=H100|servers=+N of TYPE alone"
            })
    void a_cluster_of_its_own_has_servers_added_alone(String text, String says) {
        Topology now = Clusters.resolve("--cluster", "small-generations");
        assertThatThrownBy(() -> change(text).cluster("--what-if", "small-generations", now, one -> now))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(says);
    }

    @Test
    void a_cluster_stays_the_same_without_a_change_of_it() {
        WhatIf.Changed same = change("arrivals=2").cluster("--what-if", "2x8:A100", TWO, one -> {
            throw new AssertionError(one);
        });
        assertThat(same).isEqualTo(new WhatIf.Changed("2x8:A100", TWO, 1));
        assertThat(change("servers=+1")
                        .cluster("--what-if", "1x2x8:A100", TWO, one -> TWO)
                        .description())
                .isEqualTo("1x2x8:A100 +1 of A100");
    }

    private static TraceJob job(String partition, long seconds, long limitSeconds) {
        return new TraceJob(
                        "j",
                        100 * SECOND,
                        Demand.ofGpus(4).onTypes(List.of("A100")),
                        seconds * SECOND,
                        null,
                        "u",
                        null,
                        "vc")
                .on(SubmissionTerms.NONE
                        .but()
                        .partition(partition)
                        .account(partition.equals("none") ? null : "acc")
                        .limitNanos(limitSeconds * SECOND)
                        .build())
                .ran(new LoggedRun(200 * SECOND, (200 + seconds) * SECOND));
    }

    /** Its run time and limit, in seconds, and whether it keeps its past. */
    @ParameterizedTest
    @CsvSource({
        "limit=1h, p, 3600, 7200, 3600 3600 true",
        "limit=1h, p, 3601, 7200, 3600 3600 false",
        "limit=1h, p, 60, 0, 60 3600 true",
        "limit=1h, p, 60, 1800, 60 1800 true",
        "limit=1h, p, 60, 3600, 60 3600 true",
        "limit q=1h, p, 7200, 7200, 7200 7200 true",
        "limit p=1h, p, 7200, 7200, 3600 3600 false",
        "'limit=1h, limit p=2h', p, 7201, 9000, 7200 7200 false",
        "arrivals=2, p, 60, 90, 60 90 false",
        "racks=+1, p, 60, 90, 60 90 true"
    })
    void jobs_end_at_a_limit(String text, String partition, long seconds, long limit, String made) {
        TraceJob job =
                change(text).jobs(List.of(job(partition, seconds, limit)), 1).get(0);

        assertThat("%d %d %s"
                        .formatted(job.durationNanos() / SECOND, job.terms().limitNanos() / SECOND, job.past() != null))
                .isEqualTo(made);
        assertThat(job.submitNanos()).isEqualTo((text.startsWith("arrivals") ? 50 : 100) * SECOND);
        assertThat(job.virtualCluster()).isEqualTo("vc");
    }

    /** GPUs three times as fast as the V100 in place of some twice as fast; accounts become tenants for a quota. */
    @Test
    void jobs_run_faster_on_other_gpus_and_a_quota_is_by_account() {
        TraceJob faster = change("gpus=X=3").jobs(List.of(job("p", 60, 0)), 2).get(0);
        assertThat(faster.durationNanos()).isEqualTo(40 * SECOND);
        assertThat(faster.demand()).isEqualTo(Demand.ofGpus(4));

        List<TraceJob> bound = change("quota acc=3").jobs(List.of(job("p", 60, 70), job("none", 60, 70)), 1);
        assertThat(bound).extracting(TraceJob::virtualCluster).containsExactly("acc", "vc");
        assertThat(bound.get(0).durationNanos()).isEqualTo(60 * SECOND);
        assertThat(bound.get(0).user()).isEqualTo("u");
        assertThat(bound.get(0).terms().limitNanos()).isEqualTo(70 * SECOND);
    }

    /** Of 4 GPUs for 2 h and for 4 h, a limit of an hour takes 4 and 12 GPU-hours. */
    @Test
    void what_a_limit_cuts_is_said_in_gpu_hours() {
        List<TraceJob> jobs = List.of(job("p", 7200, 0), job("p", 14_400, 0), job("p", 3600, 0), job("q", 7200, 0));
        assertThat(change("limit p=1h").cut(jobs))
                .isEqualTo(
                        "limit p=1h: longer limits are cut to it; 2 jobs of the log run longer and end there, without 16.0"
                                + " GPU-hours of their work.");
        assertThat(change("arrivals=2").cut(jobs)).isNull();
    }

    @Test
    void a_window_closes_all_servers_between_its_ends() {
        assertThat(change("window=2h..150min").windows("--what-if", TWO, 0))
                .containsExactly(new MaintenanceWindow(new Outage(7200 * SECOND, 9000 * SECOND), List.of(0, 1)));
        // 2026-01-31 06:00 UTC is 1,769,839,200 s after 1970.
        assertThat(change("window=2026-01-31T06:00..2026-01-31T14:00")
                        .windows("--what-if", TWO, 1_769_839_000L * SECOND))
                .containsExactly(new MaintenanceWindow(new Outage(200 * SECOND, 29_000 * SECOND), List.of(0, 1)));
        assertThat(change("racks=+1").windows("--what-if", TWO, 0)).isEmpty();
        assertThatThrownBy(() ->
                        change("window=2026-01-31T06:00..2026-01-31T14:00").windows("--what-if", TWO, 0))
                .hasMessageContaining("the log has no dates");
        assertThatThrownBy(() -> change("window=2h").windows("--what-if", TWO, 0))
                .hasMessageContaining("begin and end");
    }

    private static void check(String text, SlurmFiles files, String scheduler) {
        change(text)
                .check(
                        "--what-if",
                        "2x8:A100",
                        TWO,
                        one -> Objects.requireNonNull(Topologies.parse(one)),
                        List.of(job("p", 60, 70), job("q", 60, 70)),
                        files,
                        scheduler,
                        0);
    }

    @Test
    void what_cannot_be_tried_is_refused_before_anything_runs() {
        check("bf_window=1", SlurmFiles.DEFAULT, null);
        check("bf_window=1", null, "slurm");
        check("limit q=1h", null, null);
        check("limit=1h", null, null);
        assertThatThrownBy(() -> check("bf_window=1", null, null))
                .hasMessageContaining("no slurm.conf lies beside the log");
        assertThatThrownBy(() -> check("bf_window=1", SlurmFiles.DEFAULT, "fifo"))
                .hasMessageContaining("fifo is not Slurm");
        assertThatThrownBy(() -> check("share bio=60", SlurmFiles.DEFAULT, null))
                .hasMessageContaining("assoc.txt");
        assertThatThrownBy(() -> check("share bio=60", null, "slurm")).hasMessageContaining("assoc.txt");
        assertThatThrownBy(() -> check("limit r=1h", null, null)).hasMessageContaining("a partition of the log: p, q");
        assertThatThrownBy(() -> check("window=2h..1h", null, null)).hasMessageContaining("an end after the begin");
    }
}
