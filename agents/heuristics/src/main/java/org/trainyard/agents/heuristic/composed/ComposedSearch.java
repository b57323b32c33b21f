package org.trainyard.agents.heuristic.composed;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.trainyard.env.gym.registry.SearchSpace;
import org.trainyard.env.scheduling.gpusets.GpuRule;

/**
 * The hyperparameters of the tuned family to search: first all combinations of order, placement and delay, and of order
 * and packing limit where GPUs are shared; then variants that choose GPUs by their links, where these differ; then
 * variants that migrate jobs and keep gangs to one rack; last variants that limit interference or the share of long
 * jobs, and {@code patient} with moves, and with and without preemption.
 */
public final class ComposedSearch implements SearchSpace {
    /** Delays to try, in predicted run times of the job. */
    private static final List<Double> DELAYS = List.of(0.0, 0.5, 2.0, 6.0, Double.POSITIVE_INFINITY);
    /**
     * Limits on predicted interference to try, and for how many predicted run times a job waits for a place within the
     * limit.
     */
    private static final List<Double> LIMITS = List.of(1.25, 1.5, 2.0);

    private static final double PATIENCE = 2;
    /**
     * Limits on predicted interference to try where two jobs may share a GPU: whether a job waits or starts beside a
     * bad neighbour is the first thing to choose there.
     */
    private static final List<Double> PACKING_LIMITS = List.of(1.25, 1.5, 2.0, 3.0);

    private static final double PACKING_PATIENCE = 100;
    /** Shares of all GPUs that long jobs may hold, and the predicted hours from which a job is long. */
    private static final List<Double> SHARES = List.of(0.5, 0.75);

    private static final double LONG_HOURS = 4;
    /** The least time that a move must save to try, for orders by remaining time, minutes. */
    private static final double MOVE_MINUTES = 10;

    /** Greatest costs of a plan that preempts and migrates to try, for orders by remaining time. */
    private static final List<Double> MIGRATE = List.of(0.5, 1.0, 2.0);

    /**
     * Exponents of a job's GPUs in the order to try, for orders by Gittins ranks, beside 0: between the least time and
     * the least work first.
     */
    private static final List<Double> WIDTHS = List.of(0.5, 1.0);

    /** Factors on restarts and lost work to try, where these cost more than the plans count anyhow. */
    private static final List<Double> CHARGES = List.of(1.0, 3.0);

    /**
     * Slowdowns by the ring of its GPUs above which a placement is slow, and waits for one that is not, in predicted
     * run times, to try where the links inside servers differ.
     */
    private static final List<Double> SLOW = List.of(1.15, 1.3, 1.6);

    private static final List<Double> HOLDS = List.of(0.25, 1.0);
    /** Heuristics that are no members of the family and have the same tools. */
    private static final List<String> OTHERS = List.of("patient", "patient-moves", "patient-no-preemption");

    @Override
    public List<String> first(Traits world) {
        return names(plainMembers(world.hasSeveralGpuTypes(), world.sharesGpus()));
    }

    @Override
    public List<Function<String, List<String>>> rounds(Traits world) {
        List<Function<String, List<String>>> rounds = new ArrayList<>();
        if (world.linksDiffer()) {
            rounds.add(name -> names(linked(ComposedSettings.parse(name))));
        }
        rounds.add(name -> names(migrating(ComposedSettings.parse(name))));
        if (world.isPreemptionCostly()) {
            rounds.add(name -> names(charged(ComposedSettings.parse(name))));
        }
        rounds.add(name -> names(variants(ComposedSettings.parse(name))));
        return rounds;
    }

    @Override
    public List<String> others() {
        return OTHERS;
    }

    private static List<String> names(List<ComposedSettings> members) {
        return members.stream().map(ComposedSettings::name).toList();
    }

    private static List<ComposedSettings> plainMembers(boolean hasSeveralTypes, boolean sharesGpus) {
        List<ComposedSettings> members = new ArrayList<>();
        if (sharesGpus) {
            for (ComposedSettings.Order order : ComposedSettings.Order.values()) {
                if (hasSeveralTypes || !order.isForTypes()) {
                    ComposedSettings sharer = ComposedSettings.of(order, ComposedSettings.Placement.SETS);
                    PACKING_LIMITS.forEach(
                            limit -> members.add(sharer.with(Knob.LIMIT, limit).with(Knob.PATIENCE, PACKING_PATIENCE)));
                }
            }
        }
        for (ComposedSettings.Order order : ComposedSettings.Order.values()) {
            for (ComposedSettings.Placement placement : ComposedSettings.Placement.values()) {
                if (hasSeveralTypes || !(order.isForTypes() || placement.isForTypes())) {
                    DELAYS.forEach(delay ->
                            members.add(ComposedSettings.of(order, placement).with(Knob.DELAY, delay)));
                }
            }
        }
        return members;
    }

    /**
     * The member itself, then with each choice of GPUs, then each of these with each wait for a set that is not slow.
     */
    private static List<ComposedSettings> linked(ComposedSettings member) {
        List<ComposedSettings> variants = new ArrayList<>(List.of(member));
        for (GpuRule rule : List.of(GpuRule.WIDEST, GpuRule.PRESERVE)) {
            ComposedSettings chosen = member.with(Knob.GPUS, rule.number());
            variants.add(chosen);
            for (double slow : SLOW) {
                HOLDS.forEach(hold -> variants.add(chosen.with(Knob.SLOW, slow).with(Knob.HOLD, hold)));
            }
        }
        return variants;
    }

    /** The member itself, then with each cost of migrations where its order allows them. */
    private static List<ComposedSettings> migrating(ComposedSettings member) {
        List<ComposedSettings> variants = new ArrayList<>(List.of(member));
        if (member.order().isByRemainingTime()) {
            MIGRATE.forEach(cost -> variants.add(member.with(Knob.MIGRATE, cost)));
            List.copyOf(variants).forEach(variant -> variants.add(variant.with(Knob.MOVE, MOVE_MINUTES)));
        }
        if (member.order().isByGittinsIndex()) {
            List.copyOf(variants)
                    .forEach(variant -> WIDTHS.forEach(width -> variants.add(variant.with(Knob.WIDTH, width))));
        }
        variants.stream()
                .filter(ComposedSettings::canKeepToRack)
                .map(variant -> variant.with(Knob.RACKS, 1))
                .toList()
                .forEach(variants::add);
        return variants;
    }

    /** The member itself, then with each charge where its order preempts by remaining time. */
    private static List<ComposedSettings> charged(ComposedSettings member) {
        List<ComposedSettings> variants = new ArrayList<>(List.of(member));
        if (member.order().isByRemainingTime()) {
            CHARGES.forEach(charge -> variants.add(member.with(Knob.CHARGE, charge)));
        }
        return variants;
    }

    /** The member itself, then with each limit, then each of these with each share. */
    private static List<ComposedSettings> variants(ComposedSettings member) {
        List<ComposedSettings> limited = new ArrayList<>(List.of(member));
        if (member.value(Knob.LIMIT) == Double.POSITIVE_INFINITY) {
            LIMITS.forEach(limit -> limited.add(member.with(Knob.LIMIT, limit).with(Knob.PATIENCE, PATIENCE)));
        }
        List<ComposedSettings> variants = new ArrayList<>(limited);
        for (double share : SHARES) {
            limited.forEach(
                    settings -> variants.add(settings.with(Knob.SHARE, share).with(Knob.LONG, LONG_HOURS)));
        }
        return variants;
    }
}
