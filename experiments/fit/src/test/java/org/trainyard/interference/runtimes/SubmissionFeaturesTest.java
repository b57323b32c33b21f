package org.trainyard.interference.runtimes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.interference.runtime.RunHistory;

class SubmissionFeaturesTest {
    private final RunHistory history = new RunHistory();

    private static JobSpec job(String name, Demand demand, @Nullable String user, @Nullable String group) {
        long submit = (3 * 24 + 5) * 3_600_000_000_000L;
        return RuntimeLog.job(0, new TraceJob(name, submit, demand, 1, "bert", user, group, "vc"));
    }

    private double feature(JobSpec job, String name) {
        return SubmissionFeatures.row(job, history)[SubmissionFeatures.NAMES.indexOf(name)];
    }

    @Test
    void they_say_what_is_known_at_submission() {
        JobSpec job =
                job("j", Demand.ofGpus(8).withGpuMilli(500).withHost(4000, 1024).onOneServer(), "ann", "nightly");
        assertThat(feature(job, "gpus_log2")).isCloseTo(3, within(1e-6));
        assertThat(feature(job, "gpu_milli")).isEqualTo(500);
        assertThat(feature(job, "cpu_log")).isCloseTo(Math.log(4001), within(1e-5));
        assertThat(feature(job, "memory_log")).isCloseTo(Math.log(1025), within(1e-5));
        assertThat(feature(job, "one_server")).isEqualTo(1);
        assertThat(feature(job, "hour")).isEqualTo(5);
        assertThat(feature(job, "weekday")).isEqualTo(3);
        assertThat(List.of(feature(job, "user"), feature(job, "model"), feature(job, "virtual_cluster")))
                .allSatisfy(hash -> assertThat(hash).isBetween(0.0, 1.0));
    }

    @Test
    void runs_of_one_name_share_a_hash_and_unknown_names_have_none() {
        JobSpec first = job("train-bert-17", Demand.ofGpus(1), null, null);
        JobSpec second = job("train-bert-18", Demand.ofGpus(1), null, null);
        JobSpec other = job("train-gpt-18", Demand.ofGpus(1), null, null);
        assertThat(feature(first, "name")).isEqualTo(feature(second, "name")).isNotEqualTo(feature(other, "name"));
        assertThat(feature(first, "user")).isEqualTo(-1);
        assertThat(feature(first, "group")).isEqualTo(-1);
    }

    @Test
    void they_count_and_average_the_finished_runs_of_group_and_user() {
        JobSpec run = job("j", Demand.ofGpus(1), "ann", "nightly");
        for (double seconds : new double[] {10, 1000, 20}) {
            history.add(run, seconds);
        }
        assertThat(feature(run, "group_runs")).isCloseTo(Math.log(4), within(1e-6));
        assertThat(feature(run, "group_mean")).isCloseTo(Math.log(200_000) / 3, within(1e-5));
        assertThat(feature(run, "group_median")).isCloseTo(Math.log(20), within(1e-5));
        assertThat(feature(run, "group_last")).isCloseTo(Math.log(20), within(1e-5));
        assertThat(feature(run, "user_runs")).isEqualTo(feature(run, "group_runs"));
    }

    @Test
    void an_unseen_group_falls_back_on_its_user_and_an_unseen_user_on_all() {
        for (int i = 0; i < 50; i++) {
            history.add(job("a", Demand.ofGpus(1), "ann", "nightly"), 100);
            history.add(job("b", Demand.ofGpus(1), "bob", "weekly"), 10_000);
        }
        JobSpec newGroup = job("c", Demand.ofGpus(1), "ann", "unseen");
        JobSpec newUser = job("c", Demand.ofGpus(1), "cid", "unseen");
        double ann = Math.exp(feature(newGroup, "group_mean"));
        double all = Math.exp(feature(newUser, "group_mean"));
        assertThat(ann).isBetween(100.0, 125.0).isEqualTo(Math.exp(feature(newGroup, "estimate")));
        assertThat(all).isBetween(990.0, 1020.0).isEqualTo(Math.exp(feature(newUser, "user_last")));
        assertThat(feature(newGroup, "group_runs")).isZero();
    }

    @Test
    void a_job_without_gpus_has_a_row_too() {
        JobSpec host = job("h", Demand.ofGpus(1).withHost(1000, 10), "ann", null);
        JobSpec none = job("h", new Demand(0, 0, 0, 1000, 1000, 10, false, List.of()), "ann", null);
        history.add(none, 5);
        assertThat(feature(none, "gpus_log2")).isLessThan(feature(host, "gpus_log2"));
        assertThat(SubmissionFeatures.row(none, history)).doesNotContain(Float.NaN);
    }
}
