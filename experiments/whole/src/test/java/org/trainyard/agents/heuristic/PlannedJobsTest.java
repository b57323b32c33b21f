package org.trainyard.agents.heuristic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.RegisteredSchedulers;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.performance.planned.Planned;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.JobMaker;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.PlannedSettings;
import org.trainyard.env.workload.generator.TraceGenerator;

/** Every scheduler runs pipelines and jobs of mixed parallelism beside rings. */
class PlannedJobsTest {
    private final Topology topology = Objects.requireNonNull(Topologies.parse("2x3x4"));
    private final RingPerformance truth =
            new RingPerformance(topology, AnalyticInterference.DEFAULT, new Contention.MaxMin());
    private final Workload workload = workload();

    private Workload workload() {
        List<TraceJob> jobs = JobMaker.made(
                new PlannedSettings(0.4),
                () -> new TraceGenerator(GeneratorSettings.DEFAULT.with(1.1, 16), 80, ModelCatalog.standard())
                        .generate(1, topology.gpus()),
                1);
        assertThat(jobs.stream().filter(job -> job.plan() instanceof Planned)).hasSizeGreaterThan(15);
        WorkloadBuilder.Options options = new WorkloadBuilder.Options(WorkloadBuilder.Models.MIX, 1, false, true);
        return new WorkloadBuilder(topology, ModelCatalog.standard(), options)
                .build(jobs, truth)
                .workload();
    }

    private RunResult run(Scheduler scheduler) {
        return new World(topology, truth.copy(), new Simulator.Options(30_000_000_000L, true))
                .simulator(workload)
                .run(scheduler);
    }

    @Test
    void all_jobs_finish_or_are_rejected_under_every_scheduler() {
        for (SchedulerRegistry.Entry entry : RegisteredSchedulers.all()) {
            Scheduler scheduler;
            try {
                scheduler = entry.create(topology, AnalyticInterference.DEFAULT, 1);
            } catch (InputException unsuitable) {
                assertThat(entry.replaysTrace()).as(entry.name()).isTrue();
                continue;
            }
            assertThat(run(scheduler).submitted()).as(entry.name()).hasSize(workload.size());
        }
    }

    @Test
    void no_job_is_faster_than_alone_on_its_best_placement_and_runs_repeat() {
        Scheduler scheduler = SchedulerRegistry.named("fifo/random").create(topology, AnalyticInterference.DEFAULT, 1);
        RunResult result = run(scheduler);
        result.jobs()
                .forEach(job -> assertThat(job.jctNanos() / 1e9)
                        .isGreaterThanOrEqualTo(
                                workload.trueIdealSeconds(job.job().id()) * (1 - 1e-9)));
        RunResult again = run(SchedulerRegistry.named("fifo/random").create(topology, AnalyticInterference.DEFAULT, 1));
        assertThat(again.eventLogSha256()).isEqualTo(result.eventLogSha256());
    }
}
