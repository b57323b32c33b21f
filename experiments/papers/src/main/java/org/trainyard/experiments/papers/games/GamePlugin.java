package org.trainyard.experiments.papers.games;

import java.nio.file.Path;
import java.util.List;
import org.trainyard.experiments.training.TrainingPlugin;

/** Games as configs of {@code train}. */
public final class GamePlugin implements TrainingPlugin {
    @Override
    public String key() {
        return "game";
    }

    @Override
    public Run read(Path file, List<String> overrides) {
        return GameConfig.read(file, overrides);
    }
}
