package org.trainyard.experiments.cli.fit;

import java.util.List;
import org.trainyard.experiments.cli.options.CommandPlugin;

/** The commands that fit predictors to data, and that predict. */
public final class FitCommands implements CommandPlugin {
    @Override
    public List<Placed> commands() {
        return List.of(new Placed(150, FitCommand.class), new Placed(160, PredictCommand.class));
    }
}
