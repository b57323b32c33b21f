package org.trainyard.interference.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;

class SubmissionFeaturesTest {
    private static final long SUBMIT = (3 * 24 + 5) * 3_600_000_000_000L;
    private final JobsSoFar others = new JobsSoFar();
    private int id;

    private JobSpec job(String name, Demand demand, @Nullable String user, @Nullable String group) {
        return job(name, demand, user, group, SUBMIT, 1);
    }

    private JobSpec job(
            String name, Demand demand, @Nullable String user, @Nullable String group, long submit, double rate) {
        Pressure none = new Pressure(0, 0, 0);
        ModelProfile model = new ModelProfile("bert", 1, 0, 0, none, none);
        return new JobSpec(id++, name, submit, demand, model, rate).by(user, group, "vc");
    }

    private JobSpec run(@Nullable String user, @Nullable String group, long submit, double rate) {
        return job("j", Demand.ofGpus(1), user, group, submit, rate);
    }

    private void finish(JobSpec job, double seconds) {
        others.arrive(job);
        others.finish(job, seconds);
    }

    private double feature(JobSpec job, String name) {
        return SubmissionFeatures.row(job, others)[SubmissionFeatures.NAMES.indexOf(name)];
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
        // 10, 1000 and 20 iterations; then the group runs on GPUs twice as fast.
        for (double seconds : new double[] {10, 1000, 20}) {
            finish(run("ann", "nightly", SUBMIT, 1), seconds);
        }
        JobSpec run = run("ann", "nightly", SUBMIT, 2);
        assertThat(feature(run, "group_runs")).isCloseTo(Math.log(4), within(1e-6));
        assertThat(feature(run, "group_mean")).isCloseTo(Math.log(200_000) / 3 - Math.log(2), within(1e-5));
        assertThat(feature(run, "group_median")).isCloseTo(Math.log(10), within(1e-5));
        assertThat(feature(run, "group_last")).isCloseTo(Math.log(10), within(1e-5));
        assertThat(feature(run, "rate")).isCloseTo(Math.log(2), within(1e-6));
        assertThat(feature(run, "user_runs")).isEqualTo(feature(run, "group_runs"));
        assertThat(feature(run, "user_median")).isCloseTo(Math.log(20), within(1e-5));
    }

    @Test
    void recent_means_move_by_a_twentieth_towards_each_finished_job() {
        finish(run("ann", null, SUBMIT, 1), 18);
        JobSpec next = run("bob", null, SUBMIT, 1);
        double all = Math.log(1800) + 0.05 * Math.log(0.01);
        assertThat(feature(next, "recent")).isCloseTo(all, within(1e-5));
        assertThat(feature(next, "tenant_recent")).isCloseTo(all + 0.05 * (Math.log(18) - all), within(1e-5));
    }

    @Test
    void they_know_how_many_jobs_of_group_and_user_are_not_over_and_since_when() {
        JobSpec first = run("ann", "nightly", SUBMIT, 1);
        others.arrive(first);
        others.arrive(run("ann", "nightly", SUBMIT + 60_000_000_000L, 1));
        others.arrive(run("bob", "weekly", SUBMIT, 1));
        JobSpec next = run("ann", "nightly", SUBMIT + 3_600_000_000_000L, 1);
        assertThat(feature(next, "open")).isCloseTo(Math.log(4), within(1e-6));
        assertThat(feature(next, "group_open")).isCloseTo(Math.log(3), within(1e-6));
        assertThat(feature(next, "group_age")).isCloseTo(Math.log(3601), within(1e-5));
        assertThat(feature(next, "user_age")).isCloseTo(Math.log(3541), within(1e-5));
        assertThat(Math.exp(feature(next, "expected"))).isCloseTo(3 * 3600, within(0.1));
        others.finish(first, 50);
        assertThat(feature(next, "group_open")).isCloseTo(Math.log(2), within(1e-6));
        assertThat(Math.exp(feature(next, "expected")))
                .as("a run of the group is over")
                .isBetween(50.0, 120.0);
    }

    @Test
    void an_unseen_group_falls_back_on_its_user_and_an_unseen_user_on_all() {
        for (int i = 0; i < 50; i++) {
            finish(run("ann", "nightly", SUBMIT, 1), 100);
            finish(run("bob", "weekly", SUBMIT, 1), 10_000);
        }
        JobSpec newGroup = run("ann", "unseen", SUBMIT, 1);
        JobSpec newUser = run("cid", "unseen", SUBMIT, 1);
        double ann = Math.exp(feature(newGroup, "group_mean"));
        double all = Math.exp(feature(newUser, "group_mean"));
        assertThat(ann).isBetween(100.0, 125.0).isEqualTo(Math.exp(feature(newGroup, "expected")));
        assertThat(all).isBetween(990.0, 1020.0).isEqualTo(Math.exp(feature(newUser, "user_last")));
        assertThat(feature(newGroup, "group_runs")).isZero();
    }

    @Test
    void a_job_without_gpus_has_a_row_too() {
        JobSpec host = job("h", Demand.ofGpus(1).withHost(1000, 10), "ann", null);
        JobSpec none = job("h", new Demand(0, 0, 0, 1000, 1000, 10, false, List.of()), "ann", null);
        finish(none, 5);
        assertThat(feature(none, "gpus_log2")).isLessThan(feature(host, "gpus_log2"));
        assertThat(SubmissionFeatures.row(none, others)).doesNotContain(Float.NaN);
    }
}
