package org.trainyard.experiments.cli.options;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.config.yaml.Nearest;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports wrong usage in two lines: the mistake with the nearest known name, and the command that prints help. */
public final class UsageErrors implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException wrong, String[] args) {
        CommandLine command = wrong.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        PrintWriter err = command.getErr();
        String message = String.valueOf(wrong.getMessage()).lines().findFirst().orElse("wrong usage");
        List<String> unmatched = wrong instanceof UnmatchedArgumentException unknown
                ? unknown.getUnmatched()
                : command.getParseResult().unmatched();
        if (wrong instanceof MissingParameterException && !unmatched.isEmpty()) {
            // The misspelt option, rather than the required option that is missing because of it.
            message = "Unknown option: '%s'".formatted(unmatched.get(0));
        }
        String nearest = unmatched.isEmpty() ? null : nearest(unmatched.get(0), command);
        err.println(
                "%s: %s%s".formatted(name, message, nearest == null ? "" : "; did you mean '%s'?".formatted(nearest)));
        err.println("Try '%s --help'.".formatted(name));
        return CommandLine.ExitCode.USAGE;
    }

    private static @Nullable String nearest(String given, CommandLine command) {
        List<String> known = new ArrayList<>(command.getSubcommands().keySet());
        command.getCommandSpec().options().forEach(option -> known.addAll(List.of(option.names())));
        known.removeIf(name -> name.startsWith("-") != given.startsWith("-"));
        int equals = given.indexOf('=');
        return Nearest.to(equals < 0 ? given : given.substring(0, equals), known);
    }
}
