package org.trainyard.agents.heuristic.sjfbco;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Invalid;

/**
 * SJF-BCO, "smallest job first with balanced contention and overhead", and its baselines: plans a batch of gangs for a
 * short makespan, by bisection of a cap on the booked time of every GPU.
 *
 * <p>Source: M. Yu, B. Ji, H. Rajan, J. Liu: On scheduling ring-all-reduce learning jobs in multi-tenant GPU clusters
 * with communication contention, MobiHoc 2022. Under each cap theta, for each size kappa, gangs in order of size are
 * placed by {@link LeastBooked} when they have at most kappa GPUs, else by {@link LeastBusyServer}; the plan with the
 * shortest makespan wins. With run times known, the makespan is at most n phi theta, n the largest gang and phi the
 * largest ratio of a job's run times under any two plans.
 *
 * <p>Deviations and inferences:
 *
 * <ol>
 *   <li>Waiting for a job to exit means, in a plan, to be booked behind it: any GPU under the cap is a candidate, each
 *       GPU runs its gangs in the order of booking, and a gang starts when it is first on all its GPUs.
 *   <li>Gangs of one size are in order of submission or, by a setting, shorter first; the paper does not say.
 *   <li>Only 1 and the occurring sizes are tried as kappa: others choose the same gangs.
 *   <li>Caps below the longest gang, or below the mean time per GPU, are skipped: nothing fits under them.
 *   <li>Without a given horizon, the horizon is the makespan of one pass of list scheduling without a cap, which is
 *       always feasible; a given horizon in which nothing fits is doubled.
 *   <li>A lower cap with the same makespan is accepted, and lower ones are tried, because the smallest cap is the aim;
 *       the paper's program tries higher ones then, and stacks FF's jobs on few GPUs.
 *   <li>FF and LS have caps of their own, the smallest found under which everything fits, whatever the makespan; LS is
 *       SJF-BCO with kappa the largest size, so SJF-BCO never plans a longer makespan.
 * </ol>
 */
public final class BatchPlanner {
    /** The planning policy. */
    public enum Policy {
        SJF_BCO,
        /** List scheduling: least booked GPUs. */
        LS,
        /** First fit. */
        FF,
        /** Random GPUs, one pass without bisection. */
        RAND
    }

    /** The order in which gangs are booked. */
    public enum Order {
        /** Fewest GPUs first, then first submitted. */
        SIZE,
        /** Fewest GPUs first, then shortest, then first submitted. */
        SIZE_THEN_TIME,
        /** First submitted first. */
        SUBMISSION;

        private Comparator<Gang> comparator() {
            Comparator<Gang> bySubmission = Comparator.comparingInt(Gang::job);
            Comparator<Gang> bySize = Comparator.comparingInt(Gang::gpus);
            return switch (this) {
                case SIZE -> bySize.thenComparing(bySubmission);
                case SIZE_THEN_TIME -> bySize.thenComparingDouble(Gang::seconds).thenComparing(bySubmission);
                case SUBMISSION -> bySubmission;
            };
        }
    }

    /**
     * The constants of a planner.
     *
     * @param slotSeconds caps are whole multiples of it, seconds
     * @param horizonSeconds T: caps and makespans sought are below it, seconds; infinite when not given
     * @param lambda ratio of the GPUs on the servers considered for a large gang to its GPUs, at least 1
     * @param kappa the largest gang, in GPUs, that counts as small; 0 to try all
     * @param order in which gangs are booked
     */
    public record Settings(double slotSeconds, double horizonSeconds, double lambda, int kappa, Order order) {
        /** Slots of a minute; horizon and kappa chosen by the planner. */
        public static final Settings DEFAULT = new Settings(60, Double.POSITIVE_INFINITY, 1, 0, Order.SIZE_THEN_TIME);

        public Settings {
            if (!(slotSeconds > 0) || !(horizonSeconds >= slotSeconds)) {
                throw new IllegalArgumentException("slot (%s s) must be above zero and at most the horizon (%s s)"
                        .formatted(slotSeconds, horizonSeconds));
            }
            Invalid.when(kappa < 0, "kappa (%d) must not be negative", kappa);
        }
    }

    private final Policy policy;
    private final Settings settings;
    private final GpuChoice small;
    private final GpuChoice large;

    /** @param random for {@link Policy#RAND} alone */
    BatchPlanner(Policy policy, Settings settings, RandomGenerator random) {
        this.policy = policy;
        this.settings = settings;
        small = switch (policy) {
            case SJF_BCO, LS -> new LeastBooked();
            case FF -> new FirstUnderCap();
            case RAND -> new RandomGpuChoice(random);
        };
        large = policy == Policy.SJF_BCO ? new LeastBusyServer(settings.lambda()) : small;
    }

    /**
     * Plans a batch. O(kappas x log(horizon / slot) x gangs) choices of GPUs.
     *
     * @param bookings cleared and used; holds the bookings of some pass afterwards
     * @throws IllegalArgumentException when a gang needs more GPUs than can be used
     */
    BatchPlan plan(List<Gang> batch, Bookings bookings) {
        List<Gang> gangs = new ArrayList<>(batch);
        gangs.sort(settings.order().comparator());
        for (Gang gang : gangs) {
            if (gang.gpus() > bookings.usable()) {
                throw new IllegalArgumentException("job (%d) needs (%d) GPUs, (%d) can be used"
                        .formatted(gang.job(), gang.gpus(), bookings.usable()));
            }
        }
        double horizon = settings.horizonSeconds();
        BatchPlan within = null;
        if (Double.isInfinite(horizon)) {
            within = Objects.requireNonNull(
                    pass(gangs, bookings, horizon, kappas(gangs).last()));
            horizon = within.makespanSeconds();
        }
        BatchPlan found = search(gangs, bookings, horizon, within);
        while (found == null) {
            horizon *= 2;
            found = search(gangs, bookings, horizon, null);
        }
        return found;
    }

    private @Nullable BatchPlan search(
            List<Gang> gangs, Bookings bookings, double horizon, @Nullable BatchPlan within) {
        if (policy == Policy.RAND) {
            return within == null ? pass(gangs, bookings, horizon, 0) : within;
        }
        double leastCap = leastCap(gangs, bookings);
        BatchPlan best = within;
        long low = 1;
        long high = (long) Math.ceil(horizon / settings.slotSeconds());
        while (low <= high) {
            long middle = low + (high - low) / 2;
            double cap = middle * settings.slotSeconds();
            BatchPlan plan = cap < leastCap ? null : bestUnder(cap, gangs, bookings);
            if (plan != null && (best == null ? isWithin(plan, horizon) : isNoWorse(plan, best))) {
                best = plan;
                high = middle - 1;
            } else {
                low = middle + 1;
            }
        }
        return best;
    }

    private boolean isWithin(BatchPlan plan, double horizon) {
        return policy != Policy.SJF_BCO || plan.makespanSeconds() < horizon;
    }

    private boolean isNoWorse(BatchPlan plan, BatchPlan best) {
        return policy != Policy.SJF_BCO || plan.makespanSeconds() <= best.makespanSeconds();
    }

    /** The least cap with a feasible plan, seconds. */
    private static double leastCap(List<Gang> gangs, Bookings bookings) {
        double longest = 0;
        double gpuSeconds = 0;
        for (Gang gang : gangs) {
            longest = Math.max(longest, gang.seconds());
            gpuSeconds += gang.gpus() * gang.seconds();
        }
        // Sums differ in their last bits by the order of the terms.
        return Math.max(longest, gpuSeconds / bookings.usable() * (1 - 1e-9));
    }

    private @Nullable BatchPlan bestUnder(double capSeconds, List<Gang> gangs, Bookings bookings) {
        BatchPlan best = null;
        for (int kappa : kappas(gangs)) {
            BatchPlan plan = pass(gangs, bookings, capSeconds, kappa);
            if (plan != null && (best == null || plan.makespanSeconds() < best.makespanSeconds())) {
                best = plan;
            }
        }
        return best;
    }

    private SortedSet<Integer> kappas(List<Gang> gangs) {
        SortedSet<Integer> kappas = new TreeSet<>();
        if (policy != Policy.SJF_BCO || settings.kappa() > 0) {
            kappas.add(policy == Policy.SJF_BCO ? settings.kappa() : 0);
            return kappas;
        }
        kappas.add(1);
        gangs.forEach(gang -> kappas.add(gang.gpus()));
        return kappas;
    }

    /** Books every gang once in order; null when one does not fit under the cap. */
    private @Nullable BatchPlan pass(List<Gang> gangs, Bookings bookings, double capSeconds, int kappa) {
        bookings.clear();
        List<BatchPlan.Placed> placed = new ArrayList<>(gangs.size());
        double makespan = 0;
        for (Gang gang : gangs) {
            int[] gpus = choose(bookings, gang, capSeconds, kappa);
            if (gpus == null) {
                return null;
            }
            makespan = Math.max(makespan, bookings.book(gpus, gang.seconds()));
            placed.add(new BatchPlan.Placed(gang, gpus));
        }
        return new BatchPlan(placed, makespan, capSeconds, kappa);
    }

    /**
     * Plans more gangs behind a plan, without a cap, by the kappa of the plan.
     *
     * @param bookings cleared and used
     * @param plan the pending part of an earlier plan
     */
    BatchPlan append(BatchPlan plan, List<Gang> arrivals, Bookings bookings) {
        bookings.clear();
        List<BatchPlan.Placed> placed = new ArrayList<>(plan.gangs());
        double makespan = 0;
        for (BatchPlan.Placed gang : placed) {
            makespan = Math.max(makespan, bookings.book(gang.gpus(), gang.gang().seconds()));
        }
        List<Gang> sorted = new ArrayList<>(arrivals);
        sorted.sort(settings.order().comparator());
        for (Gang gang : sorted) {
            int[] gpus = choose(bookings, gang, Double.POSITIVE_INFINITY, plan.kappa());
            if (gpus == null) {
                throw new IllegalArgumentException("job (%d) needs more than the (%d) GPUs that can be used"
                        .formatted(gang.job(), bookings.usable()));
            }
            makespan = Math.max(makespan, bookings.book(gpus, gang.seconds()));
            placed.add(new BatchPlan.Placed(gang, gpus));
        }
        return new BatchPlan(placed, makespan, plan.capSeconds(), plan.kappa());
    }

    private int @Nullable [] choose(Bookings bookings, Gang gang, double capSeconds, int kappa) {
        GpuChoice choice = gang.gpus() <= kappa ? small : large;
        return choice.choose(bookings, gang, capSeconds);
    }

    /**
     * FA-FFP, "fragment-aware first-fit packing": the least booked GPUs, wherever they are, the first of equals; the
     * same as the baseline LS, list scheduling.
     *
     * <p>Source: M. Yu, B. Ji, H. Rajan, J. Liu: On scheduling ring-all-reduce learning jobs in multi-tenant GPU
     * clusters with communication contention, MobiHoc 2022. Ours: the first of equals is the one with the lowest index,
     * which packs an empty cluster.
     */
    static final class LeastBooked implements GpuChoice {
        @Override
        public int @Nullable [] choose(Bookings bookings, Gang gang, double capSeconds) {
            return bookings.leastBooked(gang.gpus(), capSeconds - gang.seconds());
        }
    }

    /**
     * FF, first fit: the first GPUs, server by server, whose booked time stays under the cap.
     *
     * <p>A baseline in M. Yu, B. Ji, H. Rajan, J. Liu: On scheduling ring-all-reduce learning jobs in multi-tenant GPU
     * clusters with communication contention, MobiHoc 2022. O(GPUs).
     */
    static final class FirstUnderCap implements GpuChoice {
        @Override
        public int @Nullable [] choose(Bookings bookings, Gang gang, double capSeconds) {
            int[] chosen = new int[gang.gpus()];
            int found = 0;
            for (int gpu = 0; gpu < bookings.gpus() && found < chosen.length; gpu++) {
                if (bookings.seconds(gpu) + gang.seconds() <= capSeconds) {
                    chosen[found++] = gpu;
                }
            }
            return found == chosen.length ? chosen : null;
        }
    }

    /**
     * RAND: GPUs drawn at random among those whose booked time stays under the cap.
     *
     * <p>A baseline in M. Yu, B. Ji, H. Rajan, J. Liu: On scheduling ring-all-reduce learning jobs in multi-tenant GPU
     * clusters with communication contention, MobiHoc 2022, "random servers and GPUs". Ours: every such GPU is as
     * likely as any other, so larger servers are drawn more often. O(GPUs).
     */
    private static final class RandomGpuChoice implements GpuChoice {
        private final RandomGenerator random;

        RandomGpuChoice(RandomGenerator random) {
            this.random = random;
        }

        @Override
        public int @Nullable [] choose(Bookings bookings, Gang gang, double capSeconds) {
            int[] candidates = new int[bookings.gpus()];
            int count = 0;
            for (int gpu = 0; gpu < candidates.length; gpu++) {
                if (bookings.seconds(gpu) + gang.seconds() <= capSeconds) {
                    candidates[count++] = gpu;
                }
            }
            if (count < gang.gpus()) {
                return null;
            }
            for (int i = 0; i < gang.gpus(); i++) {
                int at = i + random.nextInt(count - i);
                int drawn = candidates[at];
                candidates[at] = candidates[i];
                candidates[i] = drawn;
            }
            return Arrays.copyOf(candidates, gang.gpus());
        }
    }
}
