package org.trainyard.experiments.papers.dally;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.trainyard.agents.heuristic.lease.Dally;
import org.trainyard.agents.heuristic.lease.LeasedTiresias;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.performance.layered.LayeredRingPerformance;
import org.trainyard.env.performance.layered.LayeredRingPerformance.Links;
import org.trainyard.env.performance.layered.LayeredRingPerformance.Uneven;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.dally.DallyJobs;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.evaluation.EvaluationRunner;
import org.trainyard.experiments.evaluation.SchedulerFactory;
import org.trainyard.experiments.evaluation.SchedulerRuns;

/**
 * Dally, its variants, a corrected Tiresias and random placement on jobs as in the Dally paper, with the physics of
 * its simulator: {@link LayeredRingPerformance} and a restart cost of one second per GPU.
 */
public final class DallyStudy {
    /** The two sets of jobs of the paper. */
    public enum Jobs {
        BATCH,
        WEEK;

        DallyJobs.Drawn draw(long seed) {
            return this == BATCH ? DallyJobs.batch(seed) : DallyJobs.week(seed);
        }
    }

    /** The links and who shares them. */
    public enum Network {
        /** The authors' last links, each job alone on them, as in their simulator. */
        ALONE {
            @Override
            Topology topology() {
                return Topology.uniform("2x4x8", Fabric.DEFAULT, 2, 4, ServerSpec.ofV100(8), 2);
            }

            @Override
            PerformanceModel performance(Topology topology) {
                return new LayeredRingPerformance(topology, Links.DALLY, Uneven.NESTED, DallyJobs::layers);
            }
        },
        /**
         * Links of the authors' earlier configuration, 25 GB/s for a server and 10 GB/s for all jobs that leave a
         * rack, which jobs share max-min fairly.
         */
        CONGESTED {
            @Override
            Topology topology() {
                return Topology.uniform("2x4x8, congested", FABRIC, 2, 4, ServerSpec.ofV100(8), 2);
            }

            @Override
            PerformanceModel performance(Topology topology) {
                return new RingPerformance(topology, InterferenceModel.NONE, new Contention.MaxMin());
            }
        };

        private static final Fabric FABRIC =
                new Fabric(Link.of(600, 0.5), Link.of(600, 0.5), Link.of(25, 5), Link.of(10, 50), Link.of(10, 50));

        abstract Topology topology();

        abstract PerformanceModel performance(Topology topology);
    }

    /**
     * Metrics of one scheduler; means over seeds.
     *
     * @param scheduler its name in this study
     * @param makespanHours last completion less first submission
     * @param meanJctHours mean over jobs
     * @param communicationHours mean over jobs of the time on GPUs without computing or restarting
     * @param preemptions per job
     * @param gpuHours that jobs hold
     */
    public record Row(
            String scheduler,
            double makespanHours,
            double meanJctHours,
            double communicationHours,
            double preemptions,
            double gpuHours) {}

    /** Dally's order; every job waits for the best level of consolidation. */
    public static final String CONSOLIDATED = "dally-fully-consolidated";
    /** Least attained service; the models consolidate that Dally's authors had it consolidate. */
    public static final String TIRESIAS = "tiresias with leases";
    /** Dally's order on GPUs drawn one by one. */
    public static final String RANDOM = "random placement";

    private static final double HOUR = 3_600;
    private static final RestartCost SECOND_PER_GPU = (job, unpaid) -> job.gpus() * 1_000_000_000L;

    private DallyStudy() {}

    /** The schedulers by name, Dally first and random placement last. */
    private static Map<String, BiFunction<Topology, Long, Scheduler>> schedulers() {
        Dally.Settings published = Dally.Settings.PUBLISHED;
        Map<String, BiFunction<Topology, Long, Scheduler>> all = new LinkedHashMap<>();
        all.put("dally", (on, seed) -> new Dally(on, published));
        all.put("dally-renew", (on, seed) -> new Dally(on, published.renewingLeases()));
        all.put("dally-manual", (on, seed) -> new Dally(on, published.with(Dally.FixedTimers.MANUAL)));
        all.put("dally-no-wait", (on, seed) -> new Dally(on, published.with(Dally.FixedTimers.NO_WAIT)));
        all.put(CONSOLIDATED, (on, seed) -> new Dally(on, published.with(Dally.FixedTimers.FULLY_CONSOLIDATED)));
        all.put(
                TIRESIAS,
                (on, seed) -> new LeasedTiresias(on, published.leaseSeconds(), DallyJobs::isConsolidatedByTiresias));
        all.put(RANDOM, (on, seed) -> Dally.oblivious(on, published, seed));
        return all;
    }

    /** One row for each scheduler on two racks of four servers, Dally first, with the batch random placement last. */
    public static List<Row> run(Network network, Jobs jobs, List<Long> seeds) {
        Topology topology = network.topology();
        List<DallyJobs.Drawn> drawn = seeds.stream().map(jobs::draw).toList();
        List<Row> rows = new ArrayList<>();
        try (ThreadWorkerPool workers = new ThreadWorkerPool()) {
            World world =
                    new World(topology, network.performance(topology), Simulator.Options.DEFAULT.with(SECOND_PER_GPU));
            EvaluationRunner runner = new EvaluationRunner(
                    drawn.stream().map(DallyJobs.Drawn::workload).toList(), i -> world, workers);
            Map<String, BiFunction<Topology, Long, Scheduler>> schedulers = schedulers();
            if (jobs != Jobs.BATCH) {
                schedulers.remove(RANDOM);
            }
            schedulers.forEach((name, made) -> rows.add(row(
                    runner.run(SchedulerFactory.heuristic(name, i -> made.apply(topology, seeds.get(i)))), drawn)));
        }
        return rows;
    }

    private static Row row(SchedulerRuns runs, List<DallyJobs.Drawn> drawn) {
        double[] sums = new double[5];
        for (int i = 0; i < drawn.size(); i++) {
            RunResult result = runs.episodes().get(i);
            sums[0] += result.makespanSeconds() / HOUR;
            sums[1] += result.meanJctSeconds() / HOUR;
            sums[2] += communicationHours(drawn.get(i), result);
            sums[3] += result.jobs().stream()
                    .mapToInt(JobOutcome::preemptions)
                    .average()
                    .orElse(0);
            sums[4] += result.busyGpuSeconds() / HOUR;
        }
        int count = drawn.size();
        return new Row(
                runs.name(), sums[0] / count, sums[1] / count, sums[2] / count, sums[3] / count, sums[4] / count);
    }

    private static double communicationHours(DallyJobs.Drawn drawn, RunResult result) {
        double seconds = 0;
        for (JobOutcome job : result.jobs()) {
            double restarts = (double) job.preemptions() * job.job().gpus();
            seconds += job.runNanos() / 1e9
                    - restarts
                    - drawn.idealSeconds().get(job.job().id());
        }
        return seconds / HOUR / result.jobs().size();
    }
}
