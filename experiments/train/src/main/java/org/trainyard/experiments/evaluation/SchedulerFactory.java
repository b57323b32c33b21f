package org.trainyard.experiments.evaluation;

import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.policy.ChoiceListener;
import org.trainyard.env.gym.registry.AuxiliaryPolicy;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.experiments.evaluation.SchedulerRuns.Role;
import org.trainyard.experiments.run.Experiment;

/**
 * Makes a scheduler for each run.
 *
 * @param name in tables and files
 * @param role what the scheduler is compared as
 * @param sharesGpus whether it puts jobs beside each other on a GPU where that is a choice; otherwise its jobs hold
 *     whole GPUs
 * @param fresh makes a new scheduler
 * @param origin of a scheduler that other machines can make; null for one that stays in this process
 */
public record SchedulerFactory(
        String name,
        Role role,
        boolean sharesGpus,
        Fresh fresh,
        @Nullable Origin origin) {
    /** Makes a scheduler for the episode of an index; choices are told to the listener, if there is one. */
    @FunctionalInterface
    public interface Fresh {
        Scheduler of(int episode, @Nullable ChoiceListener choices);
    }

    /** Origin of a scheduler. */
    public sealed interface Origin {
        /** A name of the registry. */
        record Registered(String name) implements Origin {}

        /** A trained policy. */
        record Trained(BidPolicy policy) implements Origin {}
    }

    private static final String RANDOM = "random";

    /** A scheduler that stays in this process. */
    public SchedulerFactory(String name, Role role, boolean sharesGpus, Fresh fresh) {
        this(name, role, sharesGpus, fresh, null);
    }

    /** A heuristic; the one named {@code random} is a floor that is never the reference. */
    public static SchedulerFactory heuristic(String name, IntFunction<Scheduler> fresh) {
        return new SchedulerFactory(
                name,
                name.equals(RANDOM) ? Role.FLOOR : Role.HEURISTIC,
                true,
                (episode, choices) -> fresh.apply(episode));
    }

    /** A heuristic of the registry with the seeds and the belief of an experiment. */
    public static SchedulerFactory registered(Experiment experiment, String name) {
        return registered(experiment, name, 0);
    }

    /**
     * A heuristic of the registry with the seeds and the belief of an experiment, for episodes of which {@code first}
     * is the number of the first.
     */
    public static SchedulerFactory registered(Experiment experiment, String name, int first) {
        SchedulerRegistry.Entry entry = SchedulerRegistry.named(name);
        boolean shares = entry.has(SchedulerRegistry.Flag.SHARES_GPUS);
        String shown = SchedulerRegistry.isParsed(name) ? entry.name() : name;
        SchedulerFactory factory = heuristic(shown, episode -> experiment.scheduler(name, first + episode));
        return new SchedulerFactory(shown, factory.role, shares, factory.fresh, new Origin.Registered(name));
    }

    /** A trained policy with the agents of an experiment; its weights must not change meanwhile. */
    public static SchedulerFactory learned(Experiment experiment, String name, BidPolicy policy) {
        return new SchedulerFactory(
                name,
                Role.LEARNED,
                true,
                (episode, choices) -> experiment.scheduler(policy, choices),
                new Origin.Trained(policy));
    }

    /** This scheduler, named {@code RULE:NAME}, with a rule beside it; it stays in this process. */
    SchedulerFactory with(AuxiliaryPolicy rule, Experiment experiment) {
        return new SchedulerFactory(
                rule.name() + ":" + name,
                role,
                sharesGpus,
                (episode, choices) -> rule.beside().of(experiment.topology(), fresh.of(episode, choices)));
    }

    /** Returns this policy in the role of an untrained start: its weights before the first update. */
    SchedulerFactory untrained() {
        return new SchedulerFactory(name, Role.UNTRAINED, sharesGpus, fresh, origin);
    }

    /** This scheduler under another name. */
    public SchedulerFactory named(String other) {
        return new SchedulerFactory(other, role, sharesGpus, fresh, origin);
    }
}
