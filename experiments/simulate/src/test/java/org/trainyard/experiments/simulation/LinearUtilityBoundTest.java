package org.trainyard.experiments.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.synchronisation.ParameterServer;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.utility.ConcaveFamily;
import org.trainyard.env.workload.utility.JobUtility;

class LinearUtilityBoundTest {
    /** Jobs as if all had been rejected: a bound does not depend on what was done. */
    private static final class Batch {
        private final List<RunResult.RejectedJob> jobs = new ArrayList<>();

        Batch job(TrainingPlan plan, Demand demand, @Nullable JobUtility utility, double idealSeconds) {
            JobSpec job = new JobSpec(
                            jobs.size(),
                            "job" + jobs.size(),
                            0,
                            demand,
                            ModelCatalog.standard().neutral(),
                            plan,
                            1)
                    .attaching(JobUtility.class, utility);
            jobs.add(new RunResult.RejectedJob(job, idealSeconds));
            return this;
        }

        Batch job(int gpus, JobUtility utility, double idealSeconds) {
            return job(TrainingPlan.RingAllReduce.INSTANCE, Demand.ofGpus(gpus), utility, idealSeconds);
        }

        @Nullable Double bound(int gpus) {
            return new LinearUtilityBound().of(new RunResult(List.of(), jobs, gpus, 0, 0, 0, "hash"));
        }
    }

    private static JobUtility.Sigmoid by(double horizonSeconds) {
        return new JobUtility.Sigmoid(2, 0, 0, horizonSeconds);
    }

    @Test
    void gpu_time_until_the_horizon_bounds_what_can_be_completed() {
        assertThat(new Batch().job(1, by(10), 5).job(1, by(10), 5).bound(1)).isCloseTo(2, within(1e-9));
        assertThat(new Batch().job(1, by(6), 5).job(1, by(6), 5).bound(1)).isCloseTo(1.2, within(1e-9));
        assertThat(new Batch().job(1, by(6), 5).job(1, by(6), 5).bound(2)).isCloseTo(2, within(1e-9));
        assertThat(new Batch().job(1, by(6), 7).bound(2))
                .as("too long by itself")
                .isCloseTo(0, within(1e-9));
    }

    @Test
    void a_job_with_parameter_servers_is_as_fast_as_all_its_workers_on_one_server() {
        ParameterServer plan = new ParameterServer(1, 10, 1, 1, 1e12, 1e3);
        Demand demand = Demand.ofGpus(2).elastic(1, 10);
        // 10 s for an iteration on one worker: 20 s of GPU time are 2 s on ten.
        JobUtility falling = new JobUtility.Sigmoid(100, 1, 2, 1000);
        assertThat(Objects.requireNonNull(
                        new Batch().job(plan, demand, falling, 2).bound(10)))
                .isBetween(49.9, 50.1);
        assertThat(new Batch().job(plan, demand, by(1.9), 2).bound(10)).isCloseTo(0, within(1e-9));
    }

    @Test
    void where_the_fastest_run_is_not_known_there_is_no_bound() {
        JobUtility concave = new JobUtility.Concave(ConcaveFamily.ROOT, 1, 1, 10);
        Demand elastic = Demand.ofGpus(1).elastic(1, 4);
        assertThat(new Batch().job(1, concave, 5).bound(1)).isNull();
        assertThat(new Batch().job(1, by(Double.POSITIVE_INFINITY), 5).bound(1)).isNull();
        assertThat(new Batch()
                        .job(TrainingPlan.RingAllReduce.INSTANCE, elastic, by(10), 5)
                        .bound(4))
                .isNull();
        assertThat(new Batch()
                        .job(1, by(10), 5)
                        .job(TrainingPlan.RingAllReduce.INSTANCE, elastic, null, 5)
                        .bound(4))
                .isNotNull();
    }

    /** One GPU, no preemption: the best of all orders, in which a job may also be left out. */
    @Test
    void no_order_of_jobs_on_one_gpu_beats_it() {
        RandomGenerator random = RandomStreams.stream(1, "orders");
        for (int instance = 0; instance < 30; instance++) {
            Batch batch = new Batch();
            JobUtility.Sigmoid[] utilities = new JobUtility.Sigmoid[5];
            double[] seconds = random.doubles(5, 1, 20).toArray();
            for (int job = 0; job < 5; job++) {
                utilities[job] = new JobUtility.Sigmoid(
                        random.nextDouble(1, 100), random.nextDouble(0, 1), random.nextDouble(1, 30), 40);
                batch.job(1, utilities[job], seconds[job]);
            }
            double bound = Objects.requireNonNull(batch.bound(1));
            double best = best(utilities, seconds, 0, 0);
            assertThat(bound).as("instance %d", instance).isBetween(best - 1e-9, 3 * best);
        }
    }

    private static double best(JobUtility.Sigmoid[] utilities, double[] seconds, int used, double now) {
        double best = 0;
        for (int job = 0; job < seconds.length; job++) {
            if ((used & (1 << job)) == 0) {
                double end = now + seconds[job];
                best = Math.max(best, utilities[job].ofDelay(end) + best(utilities, seconds, used | (1 << job), end));
            }
        }
        return best;
    }
}
