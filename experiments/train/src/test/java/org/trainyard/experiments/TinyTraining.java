package org.trainyard.experiments;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The train command on shipped configs, cut down to a second. */
public final class TinyTraining {
    private static final Path CONFIGS = Path.of(System.getProperty("trainyard.root", ".."), "experiments", "configs");
    private static final List<String> VALUES = List.of(
            "learner.updates=2",
            "learner.episodes_per_update=1",
            "learner.plays_per_episode=2",
            "learner.minibatch=64",
            "episodes.jobs=20",
            "episodes.validation=1",
            "episodes.test=5",
            "validate_every=1",
            "schedulers=[fifo, sjf]");

    private TinyTraining() {}

    /** @param configs below {@code experiments/configs} */
    public static Shell run(List<String> configs, Path out, String... more) {
        List<String> args = new ArrayList<>(List.of("train"));
        configs.forEach(config -> args.add(CONFIGS.resolve(config).toString()));
        args.addAll(List.of("--out", out.toString()));
        VALUES.forEach(value -> args.addAll(List.of("--set", value)));
        args.addAll(List.of(more));
        return Shell.run(args);
    }
}
