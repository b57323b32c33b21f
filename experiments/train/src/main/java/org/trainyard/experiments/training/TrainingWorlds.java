package org.trainyard.experiments.training;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.PreemptionDraws;
import org.trainyard.experiments.evaluation.EvaluationRunner;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.run.EpisodeSet;
import org.trainyard.experiments.run.Experiment;

/**
 * The worlds in which a policy is trained and validated: that of its config, then those of the configs that
 * {@code worlds} names, of which cluster, jobs, physics and environment count. Training episodes come from each in
 * turn; validation plays those of all. Restart costs and rules of preemption are drawn for both where the config has
 * draws.
 */
public final class TrainingWorlds implements AutoCloseable {
    private final List<Experiment> worlds = new ArrayList<>();
    private final List<EpisodeSet> validation = new ArrayList<>();

    /** @param first stays the caller's to close */
    public TrainingWorlds(Experiment first) {
        ExperimentConfig config = first.config();
        worlds.add(first);
        List<String> others = config.worlds() == null ? List.of() : config.worlds();
        if (!others.isEmpty() && !(config.learner() instanceof LearnerSettings.Auction && config.network() == null)) {
            throw InputException.at("worlds", others, "null, unless learner Auction trains bids without an encoder");
        }
        for (String other : others) {
            if (!Files.isRegularFile(InputFiles.path(other))) {
                throw InputException.at("worlds", other, "the config of another world; no such file");
            }
            worlds.add(new Experiment(ConfigReader.read(InputFiles.path(other), List.of("seed=" + config.seed()))));
        }
        worlds.forEach(world ->
                validation.add(EpisodeSet.validation(world, config.learner().arrivalSpeeds())));
    }

    /** The world of the config itself. */
    Experiment first() {
        return worlds.get(0);
    }

    Experiment get(int world) {
        return worlds.get(world);
    }

    /** The world of the training episode of a number. */
    int worldOf(long number) {
        return (int) (number % worlds.size());
    }

    /** The number of the training episode in its world. */
    long episode(long number) {
        return number / worlds.size();
    }

    /**
     * Domain randomisation of an episode: equal names draw equal options.
     *
     * @param name of the episode among all of training and validation
     */
    UnaryOperator<Simulator.Options> options(String name) {
        PreemptionDraws draws = first().config().domainRandomisation();
        if (draws == null) {
            return UnaryOperator.identity();
        }
        long seed = RandomStreams.derive(first().config().seed(), "draws/" + name);
        return options -> draws.draw(options, RandomStreams.stream(seed, "rules"));
    }

    /** Geometric mean of a policy's mean JCT over the validation episodes of all worlds, seconds. */
    public double geometricMeanJctSeconds(BidPolicy policy) {
        if (worlds.size() == 1) {
            return geometricMeanJctSeconds(policy, 0);
        }
        double logs = 0;
        int episodes = 0;
        for (int world = 0; world < worlds.size(); world++) {
            int count = validation.get(world).size();
            logs += count * Math.log(geometricMeanJctSeconds(policy, world));
            episodes += count;
        }
        return Math.exp(logs / episodes);
    }

    private double geometricMeanJctSeconds(BidPolicy policy, int world) {
        Experiment its = worlds.get(world);
        EpisodeSet episodes = validation.get(world);
        if (first().config().domainRandomisation() == null) {
            return EvaluationRunner.geometricMeanJctSeconds(its, policy, episodes);
        }
        return EvaluationRunner.geometricMeanJctSeconds(
                its, policy, episodes, episode -> options("validation/%d/%d".formatted(world, episode)));
    }

    @Override
    public void close() {
        worlds.stream().skip(1).forEach(Experiment::close);
    }
}
