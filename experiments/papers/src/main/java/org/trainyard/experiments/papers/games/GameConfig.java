package org.trainyard.experiments.papers.games;

import static org.trainyard.env.InvalidFieldException.atLeast;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.trainyard.agents.learned.adversary.AllocationGame;
import org.trainyard.agents.learned.adversary.GameLearner;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.binding.Binder;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.env.binding.Overrides;
import org.trainyard.env.binding.Yaml;
import org.trainyard.env.binding.YamlReader;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.training.TrainingPlugin;

/**
 * The configuration of a game between a pricing policy and an adversary: the content of a YAML file with the key
 * {@code game}, which an experiment on a cluster lacks.
 *
 * @param name of the run's folder
 * @param seed root of every random stream
 * @param checkpointEvery updates between two checkpoints
 */
public record GameConfig(String name, long seed, AllocationGame game, GameLearner learner, int checkpointEvery)
        implements TrainingPlugin.Run {
    private static final String NAMES = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}";

    public GameConfig {
        if (!name.matches(NAMES)) {
            throw new InvalidFieldException("name", name, "letters, digits, dots, dashes and underscores");
        }
        atLeast(1, "checkpointEvery", checkpointEvery);
    }

    /** Reads a file and puts overrides, each {@code a.b=value}, into it. */
    public static GameConfig read(Path file, List<String> overrides) {
        Yaml root = YamlReader.read(file.toString(), InputFiles.text(file));
        Overrides.apply(root, overrides, GameConfig.class);
        return Binder.bind(root, GameConfig.class);
    }

    /** The settings of the learner, of which there is one kind. */
    public GameLearner.Adversary adversary() {
        return (GameLearner.Adversary) learner;
    }

    @Override
    public String yaml() {
        return ConfigWriter.yaml(this);
    }

    @Override
    public void train(RunDirectory directory, boolean resume, PrintWriter out) {
        new GameTraining(this, directory).run(resume, out);
    }
}
