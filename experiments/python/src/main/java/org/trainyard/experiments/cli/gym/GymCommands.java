package org.trainyard.experiments.cli.gym;

import java.util.List;
import org.trainyard.experiments.cli.options.CommandPlugin;
import org.trainyard.experiments.cli.options.HelpBlock;

/** The environment server for Python. */
public final class GymCommands implements CommandPlugin {
    @Override
    public List<Placed> commands() {
        return List.of(new Placed(HelpBlock.TRAIN, 90, GymCommand.class));
    }
}
