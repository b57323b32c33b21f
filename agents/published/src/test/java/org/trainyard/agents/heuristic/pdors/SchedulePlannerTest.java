package org.trainyard.agents.heuristic.pdors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.admission.PriceThresholds;
import org.trainyard.env.RandomStreams;

class SchedulePlannerTest {
    private static final double[] ONE = {1};
    private static final double[] NOTHING = {0};
    private final RandomGenerator random = RandomStreams.stream(1, "rounding");

    private static Ledger machine() {
        return new Ledger(new double[][] {{4}}, new ResourcePrice[] {new ExponentialPrice(1, 16)});
    }

    /** Three worker-slots, at most two in a slot; 10, 9 or 8 in the first, second or third slot. */
    private static ServerJob job() {
        return new ServerJob(ONE, NOTHING, 1, 2, 1, 1, 1, 3, delay -> 10 - delay);
    }

    private static void load(Ledger ledger, int... workers) {
        for (int slot = 0; slot < workers.length; slot++) {
            ledger.take(job(), slot, new SlotPlan(new int[] {workers[slot]}, new int[] {0}, 0), 1);
        }
    }

    private static double cost(SchedulePlanner.Schedule schedule) {
        return schedule.slots().stream().mapToDouble(SlotPlan::cost).sum();
    }

    @Test
    void the_known_job_is_admitted_for_the_third_slot_and_its_twin_rejected() {
        Ledger ledger = machine();
        load(ledger, 2, 0, 1);
        SchedulePlanner planner = new SchedulePlanner(ledger, true, random);

        SchedulePlanner.Schedule schedule = Objects.requireNonNull(planner.best(job(), 3, 0, 0, 2));
        assertThat(schedule.lastSlot()).isEqualTo(2);
        assertThat(schedule.slots()).extracting(SlotPlan::workerCount).containsExactly(0, 2, 1);
        assertThat(cost(schedule)).isCloseTo(4, within(1e-12));
        assertThat(schedule.payoff()).isCloseTo(4, within(1e-12));

        planner.commit(job(), schedule);
        for (int slot = 0; slot < 3; slot++) {
            assertThat(ledger.used(slot, 0, 0)).isEqualTo(2);
        }
        SchedulePlanner.Schedule twin = Objects.requireNonNull(planner.best(job(), 3, 0, 0, 2));
        assertThat(cost(twin)).isCloseTo(12, within(1e-12));
        assertThat(twin.payoff()).isNegative();
    }

    /**
     * One resource in one slot, at thresholds in place of exponential prices: units are not returned, and a unit is
     * sold to who is worth more.
     */
    @Test
    void at_posted_prices_it_admits_whom_the_posted_prices_admit() {
        RandomGenerator values = RandomStreams.stream(3, "values");
        for (int instance = 0; instance < 100; instance++) {
            int units = values.nextInt(1, 8);
            PriceThresholds thresholds = PriceThresholds.optimal(units, 1, 10);
            ResourcePrice price = (used, capacity) ->
                    used < units ? thresholds.price((int) Math.round(used)) : Double.POSITIVE_INFINITY;
            Ledger ledger = new Ledger(new double[][] {{units}}, new ResourcePrice[] {price});
            SchedulePlanner planner = new SchedulePlanner(ledger, true, random);
            int sold = 0;
            for (int request = 0; request < 20; request++) {
                double value = values.nextDouble(1, 10);
                ServerJob job = new ServerJob(ONE, NOTHING, 1, 1, 1, 1, 1, 1, delay -> value);
                SchedulePlanner.Schedule schedule = planner.best(job, 1, 0, 0, 0);
                boolean isAdmitted = schedule != null && schedule.payoff() > 0;
                assertThat(isAdmitted).isEqualTo(sold < units && value > thresholds.price(sold));
                if (schedule != null && isAdmitted) {
                    planner.commit(job, schedule);
                    sold++;
                }
            }
        }
    }

    @Test
    void a_job_without_room_has_no_schedule() {
        Ledger ledger = machine();
        load(ledger, 4, 4, 3);
        assertThat(new SchedulePlanner(ledger, true, random).best(job(), 3, 0, 0, 2))
                .isNull();
    }

    /** All ways to spread three quanta over three slots of one machine. */
    @Test
    void the_programme_over_slots_finds_the_best_of_all_schedules() {
        RandomGenerator draws = RandomStreams.stream(2, "loads");
        for (int instance = 0; instance < 200; instance++) {
            int[] load = draws.ints(3, 0, 5).toArray();
            double[] utility = {draws.nextDouble(5, 40), draws.nextDouble(3, 5), draws.nextDouble(0, 3)};
            ServerJob job = new ServerJob(ONE, NOTHING, 1, 3, 1, 1, 1, 3, delay -> utility[(int) delay]);
            Ledger ledger = machine();
            load(ledger, load);
            double best = Double.NEGATIVE_INFINITY;
            for (int a = 0; a <= 3; a++) {
                for (int b = 0; a + b <= 3; b++) {
                    int[] workers = {a, b, 3 - a - b};
                    double cost = 0;
                    int last = 0;
                    for (int slot = 0; slot < 3; slot++) {
                        boolean fits = load[slot] + workers[slot] <= 4;
                        cost += workers[slot] == 0 ? 0 : fits ? workers[slot] * Math.pow(16, load[slot] / 4.0) : 1e9;
                        last = workers[slot] > 0 ? slot : last;
                    }
                    best = cost < 1e9 ? Math.max(best, utility[last] - cost) : best;
                }
            }
            SchedulePlanner.Schedule found = new SchedulePlanner(ledger, true, random).best(job, 3, 0, 0, 2);
            if (best == Double.NEGATIVE_INFINITY) {
                assertThat(found).isNull();
            } else {
                assertThat(Objects.requireNonNull(found).payoff()).isCloseTo(best, within(1e-9));
            }
        }
    }
}
