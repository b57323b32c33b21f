package org.trainyard.agents.heuristic.pdors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.synchronisation.ParameterServer;

class SlotProblemTest {
    private static final ExponentialPrice PRICE = new ExponentialPrice(1, 50);
    private final RandomGenerator random = RandomStreams.stream(1, "rounding");

    private static Ledger ledger(double[][] capacity) {
        return new Ledger(capacity, new ResourcePrice[] {PRICE, PRICE});
    }

    @Test
    void the_known_samples_need_one_worker_inside_or_four_across_with_two_servers() {
        ParameterServer plan = new ParameterServer(0.001, 128, 3, 100e6, 10e9, 1.25e9);
        ServerJob job = new ServerJob(
                new double[] {1, 1},
                new double[] {0, 1},
                1,
                128,
                3,
                600 / plan.secondsPerSample(true),
                600 / plan.secondsPerSample(false),
                1e9,
                delay -> 1);

        assertThat(job.samplesInside()).isCloseTo(408_510.6, within(0.05));
        assertThat(job.samplesAcross()).isCloseTo(126_315.8, within(0.05));
        assertThat(job.workers(400_000, true)).isEqualTo(1);
        assertThat(job.workers(400_000, false)).isEqualTo(4);
        assertThat(job.servers(4)).isEqualTo(2);
        SlotPlan inside =
                new SlotProblem(ledger(new double[][] {{8, 8}, {8, 8}}), job, 0).cheapest(400_000, true, random);
        assertThat(Objects.requireNonNull(inside).workers()).containsExactly(1, 0);
        // No machine has room for a worker and a server.
        SlotPlan spread = new SlotProblem(ledger(new double[][] {{4, 1}, {4, 1}, {4, 1}, {4, 1}, {0, 4}}), job, 0)
                .cheapest(400_000, true, random);
        assertThat(Objects.requireNonNull(spread).workers()).containsExactly(1, 1, 1, 1, 0);
        assertThat(spread.servers()).containsExactly(0, 0, 0, 0, 2);
    }

    /**
     * Four workers of 2 and two servers of 1; OASiS has no machine for both, and one machine does not hold all its
     * workers.
     */
    @Test
    void workers_and_servers_of_which_each_has_machines_of_its_own_are_apart() {
        ServerJob job =
                new ServerJob(new double[] {1, 1, 0}, new double[] {0, 0, 1}, 1, 128, 3, 100, 100, 1e9, delay -> 1);
        double[][] capacity = {{4, 8, 0}, {4, 8, 0}, {0, 0, 8}};
        Ledger ledger = new Ledger(capacity, new ResourcePrice[] {PRICE, PRICE, PRICE});

        SlotPlan plan = Objects.requireNonNull(new SlotProblem(ledger, job, 0).cheapest(400, false, random));
        assertThat(plan.workerCount()).isEqualTo(4);
        assertThat(plan.machines()).isEqualTo(2);
        assertThat(plan.workers()[2]).isZero();
        assertThat(plan.servers()).containsExactly(0, 0, 2);
        assertThat(plan.cost()).isCloseTo(10, within(1e-9));
    }

    /** The cheapest of all workers and servers on three machines. */
    private static double cheapest(Ledger ledger, ServerJob job, int workers) {
        double best = Double.POSITIVE_INFINITY;
        int most = 5;
        int[] digits = new int[6];
        for (int code = 0; code < Math.pow(most + 1, 6); code++) {
            int rest = code;
            for (int i = 0; i < 6; i++) {
                digits[i] = rest % (most + 1);
                rest /= most + 1;
            }
            int w = digits[0] + digits[1] + digits[2];
            int s = digits[3] + digits[4] + digits[5];
            if (w < workers || w > job.mostWorkers() || s * job.workersPerServer() < w) {
                continue;
            }
            double cost = 0;
            for (int machine = 0; machine < 3; machine++) {
                boolean fits = ledger.fits(job, 0, machine, digits[machine], digits[3 + machine]);
                cost += !fits
                        ? Double.POSITIVE_INFINITY
                        : digits[machine] * ledger.price(0, machine, job.workerDemand())
                                + digits[3 + machine] * ledger.price(0, machine, job.serverDemand());
            }
            best = Math.min(best, cost);
        }
        return best;
    }

    @Test
    void the_relaxation_bounds_the_optimum_which_bounds_every_plan() {
        RandomGenerator draws = RandomStreams.stream(2, "machines");
        int feasible = 0;
        for (int instance = 0; instance < 60; instance++) {
            double[][] capacity = new double[3][];
            Arrays.setAll(capacity, machine -> new double[] {draws.nextInt(1, 6), draws.nextInt(2, 9)});
            ServerJob job = new ServerJob(
                    new double[] {1, draws.nextInt(1, 3)},
                    new double[] {0, draws.nextInt(1, 3)},
                    1,
                    8,
                    draws.nextInt(1, 4),
                    10,
                    5,
                    1e3,
                    delay -> 1);
            Ledger ledger = ledger(capacity);
            for (int machine = 0; machine < 3; machine++) {
                int[] none = new int[3];
                int[] one = new int[3];
                one[machine] = draws.nextInt(2);
                SlotPlan before = new SlotPlan(one, none, 0);
                if (ledger.fits(job, 0, machine, one[machine], 0)) {
                    ledger.take(job, 0, before, 1);
                }
            }
            int workers = draws.nextInt(1, 7);
            SlotProblem problem = new SlotProblem(ledger, job, 0);
            double optimum = cheapest(ledger, job, workers);
            @Nullable SlotPlan filled = problem.filled(workers, workers);
            @Nullable SlotPlan rounded = problem.rounded(workers, workers, random);
            int[] machines = problem.candidates();
            double[] fractional = problem.relaxation(machines, workers);
            if (Double.isInfinite(optimum)) {
                assertThat(filled).isNull();
                assertThat(rounded).isNull();
                continue;
            }
            feasible++;
            assertThat(problem.cost(machines, Objects.requireNonNull(fractional)))
                    .isLessThanOrEqualTo(optimum + 1e-6);
            for (SlotPlan plan : new SlotPlan[] {filled, rounded}) {
                if (plan != null) {
                    assertThat(problem.isFeasible(plan, workers)).isTrue();
                    assertThat(plan.cost()).isGreaterThanOrEqualTo(optimum - 1e-9);
                }
            }
        }
        assertThat(feasible).isGreaterThan(30);
    }
}
