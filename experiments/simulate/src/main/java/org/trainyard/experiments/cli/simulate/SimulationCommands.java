package org.trainyard.experiments.cli.simulate;

import java.util.List;
import org.trainyard.experiments.cli.options.CommandPlugin;
import org.trainyard.experiments.cli.sweep.SweepCommand;

/** The commands that simulate and compare schedulers, and say what files hold. */
public final class SimulationCommands implements CommandPlugin {
    @Override
    public List<Placed> commands() {
        return List.of(
                new Placed(10, SimulateCommand.class),
                new Placed(90, SweepCommand.class),
                new Placed(100, BenchCommand.class),
                new Placed(120, StressCommand.class),
                new Placed(210, InspectCommand.class),
                new Placed(220, ListCommand.class));
    }
}
