package org.trainyard.experiments.cli.export;

import java.util.List;
import org.trainyard.experiments.cli.options.CommandPlugin;
import org.trainyard.experiments.cli.options.HelpBlock;

/** The command that exports a trained policy. */
public final class ExportCommands implements CommandPlugin {
    @Override
    public List<Placed> commands() {
        return List.of(new Placed(HelpBlock.TRAIN, 20, ExportCommand.class));
    }
}
