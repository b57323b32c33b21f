package org.trainyard.agents.heuristic.sjfbco;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.trainyard.agents.ForSeeds;
import org.trainyard.agents.heuristic.scenario.PodCluster;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Outages;
import org.trainyard.env.simulation.Quotas;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.Workload;

/** SJF-BCO where demands are of all kinds, virtual clusters have quotas, and servers fail; audits are on. */
class SjfBcoMixedWorldTest {
    private static final Pressure NONE = new Pressure(0, 0, 0);
    private static final ModelProfile MODEL = new ModelProfile("model", 1, 0, 1, NONE, NONE);

    private static Demand demand(RandomGenerator random) {
        return switch (random.nextInt(6)) {
            case 0 -> PodCluster.part(100 + random.nextInt(800), 1);
            case 1 -> PodCluster.gpus(1 + random.nextInt(4), 2);
            case 2 -> PodCluster.host(3);
            default -> Demand.ofGpus(1 << random.nextInt(4));
        };
    }

    private static Workload workload(RandomGenerator random) {
        List<JobSpec> jobs = new ArrayList<>();
        double[] seconds = new double[60];
        long submit = 0;
        for (int job = 0; job < seconds.length; job++) {
            submit += random.nextInt(40) * 1_000_000_000L;
            TrainingPlan plan = TrainingPlan.RingAllReduce.INSTANCE;
            String tenant = random.nextBoolean() ? "small" : "free";
            jobs.add(new JobSpec(job, "job" + job, submit, demand(random), MODEL, plan, 1).by(null, null, tenant));
            seconds[job] = 1 + random.nextInt(500);
        }
        return new Workload(jobs, seconds);
    }

    @ForSeeds
    void every_job_finishes_within_its_quota_whatever_fails(long seed) {
        Topology topology =
                PodCluster.cluster(PodCluster.server(4, 32), PodCluster.server(8, 32), PodCluster.server(4, 32));
        Workload workload = workload(RandomStreams.stream(seed, "mixed"));
        Simulator.Options options = new Simulator.Options(30_000_000_000L, true)
                .with(new Quotas(Map.of("small", 8)))
                .with(new Outages.Exponential(2, 4, 0.2, seed), 60_000_000_000L);
        for (String name : List.of("sjf-bco", "sjf-bco-plan", "ls-plan", "ff-plan", "rand-plan")) {
            Simulator simulator = new World(topology, new RatedPerformance(), options).simulator(workload);
            Scheduler scheduler = SchedulerRegistry.named(name).create(topology, seed);
            simulator.run(view -> {
                Decision decision = scheduler.decide(view);
                if (decision instanceof Decision.Start start) {
                    int gpus = view.job(start.job()).gpus();
                    assertThat(view.isWithinQuota(start.job(), gpus)).as(name).isTrue();
                }
                return decision;
            });

            assertThat(simulator.isDone()).as(name).isTrue();
        }
    }
}
