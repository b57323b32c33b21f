package org.trainyard.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.fragmentation.Fragmentation;
import org.trainyard.env.scheduling.fragmentation.FragmentationGrowth;
import org.trainyard.env.scheduling.fragmentation.TargetWorkload;
import org.trainyard.env.scheduling.gang.GangCandidates;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.ConfigReader;

/** Fragmentation in the world of parts of GPUs with CPU and memory: what candidates cost, and who may place what. */
class FragmentedTest {
    private static final Path CONFIG = Path.of("configs", "auction", "fragmented.yaml");

    private static Experiment experiment(int jobs) {
        return new Experiment(ConfigReader.read(
                CONFIG, List.of("episodes.jobs=" + jobs, "episodes.test=1", "episodes.validation=1")));
    }

    /** The first ten jobs of a sequence count one by one, so the target is all jobs submitted so far. */
    @Test
    void the_growth_is_how_much_the_fragmentation_is_more_after_the_start() {
        try (Experiment experiment = experiment(10)) {
            Topology topology = experiment.topology();
            FragmentationGrowth growth = new FragmentationGrowth(topology);
            Simulator simulator = experiment.world().simulator(experiment.test().get(0));
            Scheduler fgd = experiment.scheduler("fgd", 0);
            int starts = 0;
            while (simulator.advance()) {
                SimView view = simulator.view();
                Decision decision = fgd.decide(view);
                while (decision instanceof Decision.Start start) {
                    Demand demand = view.job(start.job()).demand();
                    Placement where = start.placement();
                    Fragmentation all = new Fragmentation(topology, target(view));
                    double before = all.allMilli(view);
                    double predicted = demand.gpuMilli() < Demand.WHOLE
                            ? growth.onGpu(view, demand, where.gpu(0))
                            : growth.onServer(view, demand, where.server(0), demand.gpus());
                    simulator.apply(start);
                    assertThat(predicted).isCloseTo((all.allMilli(view) - before) / 1000, within(1e-9));
                    starts++;
                    decision = fgd.decide(view);
                }
                simulator.apply(decision);
            }
            assertThat(starts).isEqualTo(10);
        }
    }

    private static TargetWorkload target(SimView view) {
        List<Demand> demands = new ArrayList<>();
        for (int job = 0; job < view.arrived(); job++) {
            demands.add(view.job(job).demand());
        }
        return TargetWorkload.of(demands);
    }

    /** Nobody disturbs anybody by the belief, so the cost of a part of a GPU is that of fragmentation alone. */
    @Test
    void candidates_for_a_part_are_in_order_of_fragmentation_and_fit() {
        try (Experiment experiment = experiment(300)) {
            Topology topology = experiment.topology();
            Workload episode = experiment.test().get(0);
            Simulator simulator = experiment.world().simulator(episode);
            Scheduler fifo = experiment.scheduler("fifo-backfill/random", 0);
            GangCandidates sets = new GangCandidates(topology, InterferenceModel.NONE, 8);
            FragmentationGrowth growth = new FragmentationGrowth(topology);
            int compared = 0;
            while (simulator.advance()) {
                SimView view = simulator.view();
                for (int job = 0; job < view.arrived(); job++) {
                    Demand demand = view.job(job).demand();
                    if (view.state(job) != JobState.WAITING || demand.gpuMilli() == Demand.WHOLE) {
                        continue;
                    }
                    PlacementBuilder builder = new PlacementBuilder(topology, view.cluster());
                    int found = sets.find(view, job);
                    double least = least(view, demand, growth);
                    for (int set = 0; set < found; set++) {
                        Placement where = sets.placement(set, builder);
                        assertThat(view.cluster().fits(demand, where)).isTrue();
                        assertThat(sets.cost(set))
                                .isCloseTo(0.25 * growth.onGpu(view, demand, where.gpu(0)), within(1e-9));
                        compared++;
                    }
                    if (found > 0) {
                        assertThat(sets.cost(0)).isCloseTo(0.25 * least, within(1e-9));
                    }
                }
                simulator.decide(fifo);
            }
            assertThat(compared).isGreaterThan(300);
        }
    }

    private static double least(SimView view, Demand demand, FragmentationGrowth growth) {
        Cluster cluster = view.cluster();
        double least = Double.POSITIVE_INFINITY;
        for (int gpu = 0; gpu < view.topology().gpus(); gpu++) {
            Placement there = Placement.of(view.topology(), gpu);
            least = cluster.fits(demand, there) ? Math.min(least, growth.onGpu(view, demand, gpu)) : least;
        }
        return least;
    }

    @Test
    void agents_that_bid_may_place_these_jobs_and_schedulers_of_whole_gpus_may_not() {
        try (Experiment experiment = experiment(60)) {
            experiment.requirePlaceableJobs();

            assertThat(experiment.serves("fgd")).isTrue();
            assertThat(experiment.serves("patient")).isFalse();
            assertThat(experiment.sharesGpus()).isFalse();
        }
    }
}
