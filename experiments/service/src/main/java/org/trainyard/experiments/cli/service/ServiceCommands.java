package org.trainyard.experiments.cli.service;

import java.util.List;
import org.trainyard.experiments.cli.options.CommandPlugin;
import org.trainyard.experiments.cli.options.HelpBlock;

/** The placement service and the replay of runs in a browser. */
public final class ServiceCommands implements CommandPlugin {
    @Override
    public List<Placed> commands() {
        return List.of(
                new Placed(HelpBlock.OPERATE, 60, ServeCommand.class),
                new Placed(HelpBlock.LOOK, 20, WatchCommand.class));
    }
}
