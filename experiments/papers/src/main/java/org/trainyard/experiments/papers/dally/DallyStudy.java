package org.trainyard.experiments.papers.dally;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.trainyard.agents.heuristic.lease.Dally;
import org.trainyard.agents.heuristic.lease.Gandiva;
import org.trainyard.agents.heuristic.lease.LeasedTiresias;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.performance.layered.LayeredRingPerformance;
import org.trainyard.env.performance.layered.LayeredRingPerformance.Links;
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
 * Dally, its rivals and random placement on jobs as in the Dally paper, with the physics of its simulator:
 * {@link LayeredRingPerformance} and a restart cost of one second per GPU.
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
            Fabric fabric() {
                return Fabric.DEFAULT;
            }

            @Override
            PerformanceModel performance(Topology topology) {
                return new LayeredRingPerformance(topology, Links.DALLY, DallyJobs::layers);
            }
        },
        /**
         * Links of the authors' earlier configuration, 25 GB/s for a server and 10 GB/s for all jobs that leave a rack,
         * which jobs share max-min fairly.
         */
        CONGESTED {
            @Override
            Fabric fabric() {
                return new Fabric(
                        Link.of(600, 0.5), Link.of(600, 0.5), Link.of(25, 5), Link.of(10, 50), Link.of(10, 50));
            }

            @Override
            PerformanceModel performance(Topology topology) {
                return new RingPerformance(topology, InterferenceModel.NONE, new Contention.MaxMin());
            }
        };

        abstract Fabric fabric();

        /** Racks of four servers of eight GPUs. */
        private Topology topology(int racks) {
            return Topology.uniform("%dx4x8".formatted(racks), fabric(), racks, 4, ServerSpec.ofV100(8), 2);
        }

        abstract PerformanceModel performance(Topology topology);
    }

    /**
     * Metrics of one scheduler; means over seeds.
     *
     * @param scheduler its name in this study
     * @param makespanHours last completion less first submission
     * @param meanJctHours mean over jobs
     * @param communicationHours mean over jobs of the time on GPUs without computing or restarting
     */
    public record Row(String scheduler, double makespanHours, double meanJctHours, double communicationHours) {}

    /** Dally's order; every job waits for the best level of consolidation. */
    public static final String CONSOLIDATED = "consolidation alone in Dally's order";
    /** Least attained service; the models consolidate that Dally's authors had it consolidate, by their test. */
    public static final String TIRESIAS = "Tiresias as in the authors' simulator";
    /** Least attained service; models consolidate as Dally's authors meant, by the corrected test. */
    public static final String CORRECTED_TIRESIAS = "Tiresias, their test of consolidation corrected";
    /** Turns of 30 min, after the class of that name in the authors' simulator. */
    public static final String GANDIVA = "Gandiva";
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
        all.put(CONSOLIDATED, (on, seed) -> new Dally(on, published.with(Dally.FixedTimers.FULLY_CONSOLIDATED)));
        all.put(TIRESIAS, (on, seed) -> tiresias(on, LeasedTiresias.Consolidation.RELEASED));
        all.put(CORRECTED_TIRESIAS, (on, seed) -> tiresias(on, LeasedTiresias.Consolidation.INTENDED));
        all.put(GANDIVA, Gandiva::new);
        all.put(RANDOM, (on, seed) -> Dally.oblivious(on, published, seed));
        return all;
    }

    private static Scheduler tiresias(Topology on, LeasedTiresias.Consolidation consolidation) {
        return new LeasedTiresias(
                on, Dally.Settings.PUBLISHED.leaseSeconds(), DallyJobs::isConsolidatedByTiresias, consolidation);
    }

    /**
     * One row for each scheduler, Dally first, with the batch random placement last.
     *
     * @param racks of four servers of eight GPUs
     */
    public static List<Row> run(Network network, Jobs jobs, int racks, List<Long> seeds) {
        Topology topology = network.topology(racks);
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
        double[] sums = new double[3];
        for (int i = 0; i < drawn.size(); i++) {
            RunResult result = runs.episodes().get(i);
            sums[0] += result.makespanSeconds() / HOUR;
            sums[1] += result.meanJctSeconds() / HOUR;
            sums[2] += communicationHours(drawn.get(i), result);
        }
        int count = drawn.size();
        return new Row(runs.name(), sums[0] / count, sums[1] / count, sums[2] / count);
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
