package org.trainyard.agents.heuristic.pdors;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of a job over the slots to come that has the largest payoff, its utility less its cost at present
 * prices, by dynamic programming over slots and parts of the job's samples.
 *
 * <p>Source: PD-ORS (2108.02917). O(slots x quanta^2) beside the cheapest machines of O(slots x quanta) problems.
 */
final class SchedulePlanner {
    /**
     * A schedule.
     *
     * @param slots plan of each slot from the first on, the last being that of the completion
     */
    record Schedule(int firstSlot, List<SlotPlan> slots, double payoff) {
        Schedule {
            slots = List.copyOf(slots);
        }

        int lastSlot() {
            return firstSlot + slots.size() - 1;
        }
    }

    private final Ledger ledger;
    private final boolean colocates;
    private final RandomGenerator random;

    /** @param colocates whether workers and servers may share a machine at the bandwidth inside */
    SchedulePlanner(Ledger ledger, boolean colocates, RandomGenerator random) {
        this.ledger = ledger;
        this.colocates = colocates;
        this.random = random;
    }

    /**
     * The schedule of largest payoff in these slots, whatever its sign; of equals the earliest. Null when the job
     * cannot be completed in them.
     *
     * @param quanta equal parts of the job's samples
     */
    @Nullable Schedule best(ServerJob job, int quanta, int submitSlot, int firstSlot, int lastSlot) {
        List<SlotPlan[]> chosen = new ArrayList<>();
        List<int[]> parts = new ArrayList<>();
        double[] cost = new double[quanta + 1];
        Arrays.fill(cost, 1, quanta + 1, Double.POSITIVE_INFINITY);
        double payoff = Double.NEGATIVE_INFINITY;
        int best = -1;
        for (int slot = firstSlot; slot <= lastSlot; slot++) {
            SlotPlan[] plans = plans(job, quanta, slot);
            int[] part = new int[quanta + 1];
            cost = extended(cost, plans, part);
            chosen.add(plans);
            parts.add(part);
            double now = job.utility().applyAsDouble(slot - submitSlot) - cost[quanta];
            if (now > payoff) {
                payoff = now;
                best = slot;
            }
        }
        return best < 0 ? null : traced(chosen, parts, quanta, firstSlot, best, payoff);
    }

    /** By the number of quanta, the cheapest plan of the slot; null where they cannot be trained in it. */
    private @Nullable SlotPlan[] plans(ServerJob job, int quanta, int slot) {
        SlotProblem problem = new SlotProblem(ledger, job, slot);
        SlotPlan[] plans = new SlotPlan[quanta + 1];
        for (int part = 0; part <= quanta; part++) {
            plans[part] = problem.cheapest(job.samples() * part / quanta, colocates, random);
            if (plans[part] == null) {
                // Neither can more.
                break;
            }
        }
        return plans;
    }

    private double[] extended(double[] before, @Nullable SlotPlan[] plans, int[] part) {
        double[] cost = new double[before.length];
        for (int done = 0; done < cost.length; done++) {
            cost[done] = Double.POSITIVE_INFINITY;
            for (int here = 0; here <= done; here++) {
                SlotPlan plan = plans[here];
                double total = plan == null ? Double.POSITIVE_INFINITY : plan.cost() + before[done - here];
                if (total < cost[done]) {
                    cost[done] = total;
                    part[done] = here;
                }
            }
        }
        return cost;
    }

    private Schedule traced(
            List<SlotPlan[]> chosen, List<int[]> parts, int quanta, int firstSlot, int lastSlot, double payoff) {
        List<SlotPlan> slots = new ArrayList<>();
        int left = quanta;
        for (int slot = lastSlot; slot >= firstSlot; slot--) {
            int here = parts.get(slot - firstSlot)[left];
            slots.add(0, chosen.get(slot - firstSlot)[here]);
            left -= here;
        }
        return new Schedule(firstSlot, slots, payoff);
    }

    /** Commits a schedule: what it uses raises the prices of its slots. */
    void commit(ServerJob job, Schedule schedule) {
        for (int slot = schedule.firstSlot(); slot <= schedule.lastSlot(); slot++) {
            ledger.take(job, slot, schedule.slots().get(slot - schedule.firstSlot()), 1);
        }
    }
}
