package org.trainyard.experiments.cli.options;

import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Commands of the command line. A module offers its commands by a public class with a public constructor without
 * arguments, whose name stands in its file
 * {@code META-INF/services/org.trainyard.experiments.cli.options.CommandPlugin}.
 */
public interface CommandPlugin {
    /**
     * A command and its place in the help.
     *
     * @param block where the help of the whole command line lists it
     * @param position commands of a block go by this number
     * @param command has a {@code Command} annotation with its name
     */
    record Placed(HelpBlock block, int position, Class<? extends Subcommand> command) {}

    List<Placed> commands();

    /** The commands of all modules that are here, in the order of the help. */
    static List<Placed> all() {
        return ServiceLoader.load(CommandPlugin.class, CommandPlugin.class.getClassLoader()).stream()
                .flatMap(provider -> provider.get().commands().stream())
                .sorted(Comparator.comparing(Placed::block)
                        .thenComparing(Placed::position)
                        .thenComparing(placed -> placed.command().getName()))
                .toList();
    }
}
