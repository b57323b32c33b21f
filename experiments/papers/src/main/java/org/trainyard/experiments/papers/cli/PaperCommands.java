package org.trainyard.experiments.papers.cli;

import java.util.List;
import org.trainyard.experiments.cli.options.CommandPlugin;
import org.trainyard.experiments.cli.options.HelpBlock;

/** The commands that plan single jobs and reproduce papers. */
public final class PaperCommands implements CommandPlugin {
    @Override
    public List<Placed> commands() {
        return List.of(
                new Placed(HelpBlock.LOOK, 90, PlanCommand.class),
                new Placed(HelpBlock.COMPARE, 70, RecordsCommand.class),
                new Placed(HelpBlock.COMPARE, 60, ReproduceCommand.class));
    }
}
