package org.trainyard.experiments.cli.service;

import java.util.List;
import org.trainyard.experiments.cli.options.CommandPlugin;

/** The placement service and the replay of runs in a browser. */
public final class ServiceCommands implements CommandPlugin {
    @Override
    public List<Placed> commands() {
        return List.of(new Placed(180, ServeCommand.class), new Placed(200, WatchCommand.class));
    }
}
