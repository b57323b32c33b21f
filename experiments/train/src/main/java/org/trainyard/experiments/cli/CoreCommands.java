package org.trainyard.experiments.cli;

import java.util.List;
import org.trainyard.experiments.cli.options.CommandPlugin;

/** The commands that train, evaluate and export. */
public final class CoreCommands implements CommandPlugin {
    @Override
    public List<Placed> commands() {
        return List.of(
                new Placed(70, TrainCommand.class),
                new Placed(80, EvaluateCommand.class),
                new Placed(130, ExportCommand.class));
    }
}
