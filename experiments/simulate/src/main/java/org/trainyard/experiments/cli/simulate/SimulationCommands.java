package org.trainyard.experiments.cli.simulate;

import java.util.List;
import org.trainyard.experiments.cli.options.CommandPlugin;
import org.trainyard.experiments.cli.options.HelpBlock;
import org.trainyard.experiments.cli.sweep.SweepCommand;

/** The commands that simulate and compare schedulers, and say what files hold. */
public final class SimulationCommands implements CommandPlugin {
    @Override
    public List<Placed> commands() {
        return List.of(
                new Placed(HelpBlock.COMPARE, 10, SimulateCommand.class),
                new Placed(HelpBlock.COMPARE, 30, SweepCommand.class),
                new Placed(HelpBlock.COMPARE, 50, BenchCommand.class),
                new Placed(HelpBlock.COMPARE, 40, StressCommand.class),
                new Placed(HelpBlock.LOOK, 10, InspectCommand.class),
                new Placed(HelpBlock.LOOK, 30, ListCommand.class));
    }
}
