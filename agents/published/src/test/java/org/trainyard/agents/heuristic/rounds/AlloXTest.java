package org.trainyard.agents.heuristic.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.ForSeeds;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.ScalingCurve;
import org.trainyard.env.workload.Workload;

/** The matching of AlloX against all assignments, and its schedules in small worlds. */
class AlloXTest {
    private static final Topology TWO_TYPES = new Topology.Builder("two types", Fabric.DEFAULT)
            .rack(List.of(new ServerSpec(GpuType.V100, 1, 1, false), new ServerSpec(GpuType.K80, 1, 1, false)))
            .build();

    /** The least cost of any choice of different columns. */
    private static double least(double[][] cost, int row, boolean[] isTaken) {
        if (row == cost.length) {
            return 0;
        }
        double least = Double.POSITIVE_INFINITY;
        for (int column = 0; column < isTaken.length; column++) {
            if (!isTaken[column]) {
                isTaken[column] = true;
                least = Math.min(least, cost[row][column] + least(cost, row + 1, isTaken));
                isTaken[column] = false;
            }
        }
        return least;
    }

    /** The column of every row of costs that are all finite. */
    private static int[] matching(double[][] cost) {
        MinCostMatching matching = new MinCostMatching(cost.length, cost[0].length);
        for (int i = 0; i < cost[0].length; i++) {
            int column = matching.offer(i);
            for (int row = 0; row < cost.length; row++) {
                matching.cost(row)[column] = cost[row][i];
            }
        }
        for (int row = 0; row < cost.length; row++) {
            matching.add();
        }
        return matching.columns();
    }

    @ForSeeds
    void the_matching_is_the_best_of_all(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "matching");
        double[][] cost = new double[1 + random.nextInt(5)][5 + random.nextInt(3)];
        for (double[] row : cost) {
            Arrays.setAll(row, i -> Math.round(random.nextDouble(-10, 10)));
        }

        int[] columns = matching(cost);

        assertThat(columns).doesNotHaveDuplicates();
        double sum = 0;
        for (int row = 0; row < columns.length; row++) {
            sum += cost[row][columns[row]];
        }
        assertThat(sum).isCloseTo(least(cost, 0, new boolean[cost[0].length]), within(1e-9));
    }

    @Test
    void more_rows_than_columns_are_refused() {
        assertThatThrownBy(() -> matching(new double[2][1]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(2)");
    }

    /**
     * The least sum of completion times when jobs go to GPUs one after another, each behind those already there, in any
     * order.
     */
    private static double leastSum(double[][] seconds, double[][] ready, boolean[] isPlaced, int left) {
        if (left == 0) {
            return 0;
        }
        double least = Double.POSITIVE_INFINITY;
        for (int job = 0; job < seconds.length; job++) {
            if (isPlaced[job]) {
                continue;
            }
            isPlaced[job] = true;
            for (int type = 0; type < ready.length; type++) {
                for (int gpu = 0; gpu < ready[type].length; gpu++) {
                    double before = ready[type][gpu];
                    double end = before + seconds[job][type];
                    if (Double.isFinite(end)) {
                        ready[type][gpu] = end;
                        least = Math.min(least, end + leastSum(seconds, ready, isPlaced, left - 1));
                        ready[type][gpu] = before;
                    }
                }
            }
            isPlaced[job] = false;
        }
        return least;
    }

    @ForSeeds
    void the_plan_has_the_least_sum_of_completion_times(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "plan");
        double[][] seconds = new double[1 + random.nextInt(4)][2];
        for (double[] row : seconds) {
            row[0] = 1 + random.nextInt(20);
            row[1] = random.nextInt(5) == 0 ? Double.POSITIVE_INFINITY : row[0] * (1 + random.nextInt(4));
        }
        double[][] ready = {{0, random.nextInt(15)}, {0}};

        List<AlloXPlan.Position> plan = AlloXPlan.of(seconds, ready);

        double sum = 0;
        for (int job = 0; job < seconds.length; job++) {
            AlloXPlan.Position position = plan.get(job);
            sum += position.readySeconds() + position.fromLast() * seconds[job][position.type()];
        }
        assertThat(sum).isCloseTo(leastSum(seconds, ready, new boolean[seconds.length], seconds.length), within(1e-9));
    }

    /**
     * Equal jobs and equal GPUs leave many best plans; which of them it is must not depend on the positions left out.
     */
    @ForSeeds
    void the_plan_is_the_matching_of_all_positions(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "positions");
        int jobs = 1 + random.nextInt(30);
        int most = 1 + random.nextInt(40);
        double[][] seconds = new double[jobs][3];
        for (double[] row : seconds) {
            Arrays.setAll(
                    row,
                    type -> type > 0 && random.nextInt(5) == 0 ? Double.POSITIVE_INFINITY : 1 + random.nextInt(most));
        }
        double[][] ready = new double[3][];
        Arrays.setAll(
                ready,
                type -> random.doubles(random.nextInt(10) + (type == 0 ? 1 : 0))
                        .map(u -> Math.max(0, Math.rint(most * (u - 0.3))))
                        .sorted()
                        .toArray());

        List<AlloXPlan.Position> all = new ArrayList<>();
        for (int type = 0; type < ready.length; type++) {
            for (int gpu = 0; gpu < ready[type].length; gpu++) {
                for (int fromLast = 1; fromLast <= jobs; fromLast++) {
                    all.add(new AlloXPlan.Position(type, gpu, ready[type][gpu], fromLast));
                }
            }
        }
        // Where a job cannot run costs more than all jobs elsewhere.
        double never = (jobs + 1) * (jobs * most(seconds) + most(ready));
        double[][] cost = new double[jobs][all.size()];
        for (int job = 0; job < jobs; job++) {
            for (int i = 0; i < all.size(); i++) {
                double there = seconds[job][all.get(i).type()];
                cost[job][i] = Double.isFinite(there)
                        ? all.get(i).readySeconds() + all.get(i).fromLast() * there
                        : never;
            }
        }

        assertThat(AlloXPlan.of(seconds, ready))
                .isEqualTo(Arrays.stream(matching(cost)).mapToObj(all::get).toList());
    }

    private static double most(double[][] rows) {
        return Arrays.stream(rows)
                .flatMapToDouble(Arrays::stream)
                .filter(Double::isFinite)
                .max()
                .orElse(0);
    }

    private static ModelProfile model(String name, double onK80) {
        Pressure none = new Pressure(0, 0, 0);
        return new ModelProfile(name, 1, 0, 1 << 20, none, none).with(Map.of("K80", onK80), ScalingCurve.LINEAR);
    }

    private static RunResult run(Topology topology, TimedJobs jobs) {
        Workload workload = jobs.workload();
        return new World(
                        topology,
                        new RingPerformance(topology, InterferenceModel.NONE),
                        new Simulator.Options(RestartCost.FREE, true, null))
                .simulator(workload)
                .run(SchedulerRegistry.named("allox").create(topology, 1));
    }

    /**
     * A job of 100 s that the K80 slows tenfold, and one of 100 s that it slows by a half: the first gets the V100. A
     * third of 120 s, tenfold slower on the K80, waits for the V100 although the K80 is free after 150 s.
     */
    @Test
    void jobs_that_lose_least_go_to_slow_gpus_and_others_wait_for_fast_ones() {
        RunResult result = run(
                TWO_TYPES,
                TimedJobs.list()
                        .job(model("steady", 1 / 1.5), Demand.ofGpus(1), 0, 100)
                        .job(model("steep", 0.1), Demand.ofGpus(1), 0, 100)
                        .job(model("steep", 0.1), Demand.ofGpus(1), 0, 120));

        assertThat(TimedJobs.endSeconds(result)).containsExactly(150L, 100L, 220L);
    }

    /**
     * A gang of two takes the two V100s; one of four, which fits on no type, waits for all GPUs and goes at the pace of
     * the K80s.
     */
    @Test
    void gangs_run_within_a_type_and_wider_ones_across() {
        Topology topology = new Topology.Builder("two types", Fabric.DEFAULT)
                .rack(List.of(new ServerSpec(GpuType.V100, 1, 2, false), new ServerSpec(GpuType.K80, 1, 2, false)))
                .build();
        RunResult result = run(
                topology,
                TimedJobs.list()
                        .job(model("steep", 0.1), Demand.ofGpus(2), 0, 100)
                        .job(model("wide", 0.5), Demand.ofGpus(4), 10, 100));

        // Latencies of rings are microseconds per iteration.
        assertThat(result.jobs().stream().map(job -> Math.round(job.endNanos() / 1e9)))
                .containsExactly(100L, 300L);
        assertThat(result.jobs()).allMatch(job -> job.preemptions() == 0);
    }
}
