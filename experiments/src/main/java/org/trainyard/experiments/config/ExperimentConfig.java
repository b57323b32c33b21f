package org.trainyard.experiments.config;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;
import static org.trainyard.env.InvalidFieldException.within;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.env.InvalidFieldException;

/**
 * Everything an experiment is made of: what one YAML in {@code experiments/configs} says. No component has a default; the shipped
 * files name all of them and say what each means and in which unit.
 *
 * @param name what its run directory is called
 * @param seed root of every random stream
 * @param cluster a preset, a shorthand such as {@code 2x4x8}, a shipped cluster or a topology file
 * @param belief the interference model that agents and the reward believe in: {@code shipped}, {@code measured}, {@code none} for no
 *     interference at all, or the file of a fitted one
 * @param validateEvery updates between two validations
 * @param checkpointEvery updates between two checkpoints
 * @param schedulers the schedulers to compare with
 */
public record ExperimentConfig(
        String name,
        long seed,
        String cluster,
        WorkloadConfig workload,
        Episodes episodes,
        PhysicsConfig physics,
        String belief,
        RuntimeConfig runtime,
        Environment environment,
        Network network,
        LearnerSettings learner,
        int validateEvery,
        int checkpointEvery,
        List<String> schedulers) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    public ExperimentConfig {
        if (!NAME.matcher(name).matches()) {
            throw new InvalidFieldException(
                    "name", name, "letters, digits, dots, dashes and underscores, for it names a directory");
        }
        notBlank("cluster", cluster);
        notBlank("belief", belief);
        atLeast(1, "validateEvery", validateEvery);
        atLeast(1, "checkpointEvery", checkpointEvery);
        schedulers = List.copyOf(schedulers);
        if (schedulers.stream().distinct().count() < schedulers.size()) {
            throw new InvalidFieldException("schedulers", schedulers, "each name once");
        }
    }

    /** The same with other guesses of run times. */
    public ExperimentConfig withRuntime(RuntimeConfig other) {
        return new ExperimentConfig(
                name,
                seed,
                cluster,
                workload,
                episodes,
                physics,
                belief,
                other,
                environment,
                network,
                learner,
                validateEvery,
                checkpointEvery,
                schedulers);
    }

    private static void notBlank(String component, String text) {
        if (text.isBlank()) {
            throw new InvalidFieldException(component, text, "text that is not empty");
        }
    }

    /**
     * How jobs are cut into episodes.
     *
     * @param jobs jobs per episode
     * @param validation episodes to choose the best policy by
     * @param test episodes to report on
     * @param trainShare part of a trace, from its start, to train on
     * @param validationShare part of the trace that follows; the rest is for testing
     */
    public record Episodes(int jobs, int validation, int test, double trainShare, double validationShare) {
        public Episodes {
            atLeast(1, "jobs", jobs);
            atLeast(1, "validation", validation);
            atLeast(1, "test", test);
            above(0, "trainShare", trainShare);
            above(0, "validationShare", validationShare);
            within(0, 1, "trainShare", trainShare);
            if (!(trainShare + validationShare < 1)) {
                throw new InvalidFieldException(
                        "validationShare", validationShare, "less than 1 - train_share, for the rest is the test part");
            }
        }
    }

    /**
     * What agents own, see and are paid for.
     *
     * @param domains {@code racks} for one agent per rack, or the number of agents
     * @param window waiting jobs an agent sees
     * @param maxHops how often a job may be forwarded
     * @param preemption whether agents may push out running jobs
     * @param horizonHours simulated time after which an episode is cut off
     * @param teamShare part of the reward that all agents share, 0..1
     */
    public record Environment(
            String domains,
            int window,
            int maxHops,
            boolean preemption,
            double horizonHours,
            RewardConfig reward,
            double teamShare) {
        private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,5}");

        public Environment {
            if (!domains.equals("racks") && !COUNT.matcher(domains).matches()) {
                throw new InvalidFieldException("domains", domains, "racks, or the number of domains");
            }
            atLeast(1, "window", window);
            atLeast(0, "maxHops", maxHops);
            above(0, "horizonHours", horizonHours);
            within(0, 1, "teamShare", teamShare);
        }

        /** How many domains there are on a topology of so many racks. */
        public int domainCount(int racks) {
            return domains.equals("racks") ? racks : Integer.parseInt(domains);
        }
    }

    /**
     * The network that reads what agents see.
     *
     * @param encoder {@value #HIERARCHICAL}, or {@value #FLAT} for one without a graph, in which nobody hears of anybody
     * @param hidden width of its layers
     * @param rounds of message passing; the flat one has none
     */
    public record Network(String encoder, int hidden, int rounds) {
        public static final String HIERARCHICAL = "Hierarchical";
        public static final String FLAT = "Flat";

        public Network {
            if (!List.of(HIERARCHICAL, FLAT).contains(encoder)) {
                throw new InvalidFieldException("encoder", encoder, "%s or %s".formatted(HIERARCHICAL, FLAT));
            }
            atLeast(1, "hidden", hidden);
            atLeast(0, "rounds", rounds);
        }
    }

    /**
     * Where jobs come from.
     *
     * @param trace a trace file, or null for generated jobs
     * @param format name of the trace's format, or null to recognise it
     * @param virtualCluster the tenant whose jobs to keep, or null for all
     * @param strict whether one bad line in the trace is an error
     * @param generator what jobs are like when there is no trace
     */
    public record WorkloadConfig(
            @Nullable String trace,
            @Nullable String format,
            @Nullable String virtualCluster,
            boolean strict,
            GeneratorConfig generator) {}
}
