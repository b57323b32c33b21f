package org.trainyard.experiments.cli;

import java.util.List;
import org.trainyard.experiments.cli.options.CommandPlugin;
import org.trainyard.experiments.cli.options.HelpBlock;

/** The commands that train, evaluate and export. */
public final class CoreCommands implements CommandPlugin {
    @Override
    public List<Placed> commands() {
        return List.of(
                new Placed(HelpBlock.TRAIN, 10, TrainCommand.class),
                new Placed(HelpBlock.COMPARE, 20, EvaluateCommand.class),
                new Placed(HelpBlock.TRAIN, 20, ExportCommand.class));
    }
}
