package org.trainyard.experiments.papers.cli;

import java.util.List;
import org.trainyard.experiments.cli.options.CommandPlugin;

/** The commands that plan single jobs and reproduce papers. */
public final class PaperCommands implements CommandPlugin {
    @Override
    public List<Placed> commands() {
        return List.of(
                new Placed(60, PlanCommand.class),
                new Placed(110, RecordsCommand.class),
                new Placed(170, ReproduceCommand.class));
    }
}
