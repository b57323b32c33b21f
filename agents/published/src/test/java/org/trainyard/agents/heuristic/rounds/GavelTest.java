package org.trainyard.agents.heuristic.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.ForSeeds;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.agents.heuristic.rounds.EffectiveThroughput.Row;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.ScalingCurve;
import org.trainyard.env.workload.Workload;

/** Gavel's max-min fairness over GPU types, and its rounds. */
class GavelTest {
    private static final Pressure NONE = new Pressure(0, 0, 0);
    private static final Topology TWO_TYPES = new Topology.Builder("two types", Fabric.DEFAULT)
            .rack(List.of(new ServerSpec(GpuType.A100, 1, 1, false), new ServerSpec(GpuType.P100, 1, 1, false)))
            .build();

    private static Row row(int gpus, Double... rates) {
        return new Row(gpus, Arrays.asList(rates));
    }

    private static double level(Row job, double[] parts, int jobs, double... gpus) {
        double[] worth = EffectiveThroughput.worth(job, jobs, gpus);
        double level = 0;
        for (int type = 0; type < worth.length; type++) {
            level += worth[type] * parts[type];
        }
        return level;
    }

    private static double least(List<Row> jobs, double[][] parts, double... gpus) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < parts.length; i++) {
            least = Math.min(least, level(jobs.get(i), parts[i], jobs.size(), gpus));
        }
        return least;
    }

    /**
     * One GPU of each type; the first job is four times as fast on the first type, the second has no preference. Equal
     * halves of both would give 2.5 and 1 iterations. Nobody can give the second more than all of its time, which is a
     * level of 1 anywhere; the first then gets the fast GPU.
     */
    @Test
    void the_job_that_gains_gets_the_fast_gpu() {
        double[][] parts = EffectiveThroughput.maxMin(List.of(row(1, 4.0, 1.0), row(1, 1.0, 1.0)), new double[] {1, 1});
        assertThat(parts[0]).containsExactly(new double[] {1, 0}, within(1e-9));
        assertThat(parts[1]).containsExactly(new double[] {0, 1}, within(1e-9));
    }

    /**
     * Jobs of rates (3, 1), (2, 1) and (1, 1) on one GPU of each type. An equal share is a third of both: 4/3, 1 and
     * 2/3. With all time of the fast GPU to the first two and of the slow one to the last two, {@code 9/4 a = 2 (1 - a)
     * + b = 3/2 (1 - b)}: a = 12/23, b = 5/23, a level of 27/23.
     */
    @Test
    void three_jobs_on_two_types_are_divided_as_by_hand() {
        List<Row> jobs = List.of(row(1, 3.0, 1.0), row(1, 2.0, 1.0), row(1, 1.0, 1.0));
        double[][] parts = EffectiveThroughput.maxMin(jobs, new double[] {1, 1});
        assertThat(least(jobs, parts, 1, 1)).isCloseTo(27.0 / 23, within(1e-5));
        assertThat(parts[0][0]).isCloseTo(12.0 / 23, within(1e-5));
        assertThat(parts[1][1]).isCloseTo(5.0 / 23, within(1e-5));
        assertThat(parts[2][1]).isCloseTo(18.0 / 23, within(1e-5));
    }

    private static List<Row> random(RandomGenerator random, int jobs, int types) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            List<Double> rates = new ArrayList<>();
            for (int type = 0; type < types; type++) {
                rates.add(type > 0 && random.nextInt(5) == 0 ? 0 : 0.1 + random.nextDouble());
            }
            rows.add(new Row(1 + random.nextInt(2), rates));
        }
        return rows;
    }

    /** Every division in tenths of the time of two jobs on two types. */
    @ForSeeds
    void no_division_on_a_grid_is_fairer(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "jobs");
        List<Row> jobs = random(random, 2, 2);
        double[] gpus = {1 + random.nextInt(2), 1 + random.nextInt(2)};
        double[][] parts = EffectiveThroughput.maxMin(jobs, gpus);
        checkFeasible(jobs, parts, gpus);
        double best = 0;
        int steps = 20;
        for (int code = 0; code < Math.pow(steps + 1, 4); code++) {
            double[][] tried = new double[2][2];
            for (int i = 0, rest = code; i < 4; i++, rest /= steps + 1) {
                tried[i / 2][i % 2] = (double) (rest % (steps + 1)) / steps;
            }
            if (isFeasible(jobs, tried, gpus)) {
                best = Math.max(best, least(jobs, tried, gpus));
            }
        }
        assertThat(least(jobs, parts, gpus)).isBetween(best - 1e-4, best * 1.2 + 0.05);
    }

    @ForSeeds
    void many_jobs_get_feasible_parts_and_no_less_than_equal_shares_give(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "jobs");
        List<Row> jobs = random(random, 1 + random.nextInt(60), 3);
        double[] gpus = {4, 8, 2};
        double[][] parts = EffectiveThroughput.maxMin(jobs, gpus);
        checkFeasible(jobs, parts, gpus);
        double[][] equal = new double[jobs.size()][3];
        double all = Math.max(1, 14.0 / jobs.size());
        for (int i = 0; i < equal.length; i++) {
            for (int type = 0; type < 3; type++) {
                equal[i][type] = gpus[type] / jobs.size() / all / jobs.get(i).gpus();
            }
        }
        assertThat(isFeasible(jobs, equal, gpus)).isTrue();
        assertThat(least(jobs, parts, gpus)).isGreaterThanOrEqualTo(least(jobs, equal, gpus) - 1e-4);
    }

    private static void checkFeasible(List<Row> jobs, double[][] parts, double... gpus) {
        assertThat(isFeasible(jobs, parts, gpus)).isTrue();
        for (int i = 0; i < parts.length; i++) {
            for (int type = 0; type < gpus.length; type++) {
                assertThat(jobs.get(i).rates().get(type) > 0 || parts[i][type] == 0)
                        .isTrue();
            }
        }
    }

    private static boolean isFeasible(List<Row> jobs, double[][] parts, double... gpus) {
        double[] used = new double[gpus.length];
        for (int i = 0; i < parts.length; i++) {
            for (int type = 0; type < gpus.length; type++) {
                used[type] += parts[i][type] * jobs.get(i).gpus();
            }
            if (Arrays.stream(parts[i]).sum() > 1 + 1e-9
                    || Arrays.stream(parts[i]).min().orElseThrow() < 0) {
                return false;
            }
        }
        for (int type = 0; type < gpus.length; type++) {
            if (used[type] > gpus[type] + 1e-9) {
                return false;
            }
        }
        return true;
    }

    /** Nobody can hold more than its own GPUs, which is the level of the closed form, whatever the throughputs. */
    @ForSeeds
    void on_one_type_the_least_share_is_an_equal_one_or_all_of_the_narrowest_job(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "jobs");
        List<Row> jobs = random(random, 1 + random.nextInt(30), 1);
        double[][] parts = EffectiveThroughput.maxMin(jobs, new double[] {8});
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < parts.length; i++) {
            least = Math.min(least, parts[i][0] * jobs.get(i).gpus());
        }
        int narrowest = jobs.stream().mapToInt(Row::gpus).min().orElseThrow();
        assertThat(least).isCloseTo(Math.min(8.0 / jobs.size(), narrowest), within(1e-4));
    }

    @ForSeeds
    void on_one_type_the_rounds_are_those_of_the_closed_form(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "jobs");
        TimedJobs jobs = TimedJobs.list();
        long submit = 0;
        for (int i = 0; i < 30; i++) {
            submit += random.nextInt(300);
            jobs.job(1 << random.nextInt(4), submit, 1 + random.nextInt(5000));
        }
        Topology oneType = Objects.requireNonNull(Topologies.parse("2x4"));
        Scheduler closedForm = new GavelRounds(
                new MaxMinFairness(), GavelRounds.Renewal.AT_ONCE, 360, new AdaptiveTrainingRuns(0), new BestFit());
        List<Decision> expected = new ArrayList<>();
        List<Decision> decisions = new ArrayList<>();
        jobs.run(oneType, recording(closedForm, expected), 20);
        jobs.run(oneType, recording(SchedulerRegistry.named("gavel").create(oneType, 1), decisions), 20);
        assertThat(decisions).isEqualTo(expected).hasSizeGreaterThan(60);
    }

    private static Scheduler recording(Scheduler scheduler, List<Decision> decisions) {
        return view -> {
            Decision decision = scheduler.decide(view);
            decisions.add(decision);
            return decision;
        };
    }

    private static ModelProfile model(String name, double onA100, double onP100) {
        return new ModelProfile(name, 1, 0, 1, NONE, NONE)
                .with(Map.of("A100", onA100, "P100", onP100), ScalingCurve.LINEAR);
    }

    private static RunResult run(TimedJobs jobs, List<Decision> decisions) {
        Workload workload = jobs.workload();
        Simulator.Options options = new Simulator.Options(RestartCost.FREE, true, null);
        return new World(TWO_TYPES, new RingPerformance(TWO_TYPES, InterferenceModel.NONE), options)
                .simulator(workload)
                .run(recording(Gavel.on(TWO_TYPES), decisions));
    }

    @Test
    void the_matrix_has_the_rates_of_the_models_on_each_type() {
        GpuKinds kinds = new GpuKinds(TWO_TYPES);
        Workload workload = TimedJobs.list()
                .job(model("picky", 4, 1), Demand.ofGpus(1), 0, 100)
                .job(model("wide", 4, 1), Demand.ofGpus(2), 0, 100)
                .job(model("typed", 4, 1), Demand.ofGpus(1).onTypes(List.of("P100")), 0, 100)
                .workload();
        assertThat(kinds.rates(workload.job(0))).containsExactly(4.0, 1.0);
        assertThat(kinds.rates(workload.job(1))).containsExactly(0.0, 0.0);
        assertThat(kinds.rates(workload.job(2))).containsExactly(0.0, 1.0);
    }

    @Test
    void the_job_without_preference_leaves_the_fast_gpu_to_the_other() {
        TimedJobs jobs = TimedJobs.list()
                .job(model("even", 1, 1), Demand.ofGpus(1), 0, 1000)
                .job(model("picky", 4, 1), Demand.ofGpus(1), 0, 4000);
        List<Decision> decisions = new ArrayList<>();
        RunResult result = run(jobs, decisions);
        for (Decision decision : decisions) {
            if (decision instanceof Decision.Start start && start.job() == 1) {
                assertThat(start.placement().gpu(0)).isZero();
            }
        }
        assertThat(result.jobs().get(1).endNanos()).isEqualTo(1000 * TimedJobs.SECOND);
        assertThat(result.jobs().get(1).preemptions()).isZero();
    }

    /** Rounds on the fast GPU follow the parts of 12/23, 11/23 and 0. */
    @Test
    void rounds_divide_the_gpus_as_the_programme_says() {
        TimedJobs jobs = TimedJobs.list()
                .job(model("a", 3, 1), Demand.ofGpus(1), 0, 1_000_000)
                .job(model("b", 2, 1), Demand.ofGpus(1), 0, 1_000_000)
                .job(model("c", 1, 1), Demand.ofGpus(1), 0, 1_000_000);
        Workload workload = jobs.workload();
        Simulator simulator = new World(
                        TWO_TYPES,
                        new RingPerformance(TWO_TYPES, InterferenceModel.NONE),
                        new Simulator.Options(RestartCost.FREE, true, null))
                .simulator(workload);
        Scheduler gavel = Gavel.on(TWO_TYPES);
        double[] fastRounds = new double[3];
        while (simulator.advance() && simulator.view().nowNanos() < 200_000 * TimedJobs.SECOND) {
            Decision decision = gavel.decide(simulator.view());
            while (!(decision instanceof Decision.Wait)) {
                simulator.apply(decision);
                decision = gavel.decide(simulator.view());
            }
            simulator.apply(decision);
            fastRounds[simulator.view().cluster().owner(0)]++;
        }
        double rounds = Arrays.stream(fastRounds).sum();
        assertThat(fastRounds[0] / rounds).isCloseTo(12.0 / 23, within(0.1));
        assertThat(fastRounds[1] / rounds).isCloseTo(11.0 / 23, within(0.1));
        assertThat(fastRounds[2] / rounds).isLessThan(0.05);
    }

    @Test
    void a_job_wider_than_each_type_runs_on_both() {
        TimedJobs jobs = TimedJobs.list()
                .job(model("narrow", 4, 1), Demand.ofGpus(1), 0, 4000)
                .job(model("wide", 4, 1), Demand.ofGpus(2), 0, 1000);
        RunResult result = run(jobs, new ArrayList<>());
        assertThat(result.jobs()).allMatch(job -> job.endNanos() > 0);
        assertThat(result.jobs().get(0).preemptions()).isPositive();
    }
}
