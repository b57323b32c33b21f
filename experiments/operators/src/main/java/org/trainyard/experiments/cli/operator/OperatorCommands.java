package org.trainyard.experiments.cli.operator;

import java.util.List;
import org.trainyard.experiments.cli.options.CommandPlugin;
import org.trainyard.experiments.cli.twin.TwinCommand;

/** The commands for those who run a cluster. */
public final class OperatorCommands implements CommandPlugin {
    @Override
    public List<Placed> commands() {
        return List.of(
                new Placed(20, AdviseCommand.class),
                new Placed(30, WhenCommand.class),
                new Placed(40, ShadowCommand.class),
                new Placed(50, DriveCommand.class),
                new Placed(190, TwinCommand.class));
    }
}
