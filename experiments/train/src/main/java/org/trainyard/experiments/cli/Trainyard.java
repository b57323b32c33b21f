package org.trainyard.experiments.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.FailedWriteException;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.Nearest;
import org.trainyard.experiments.cli.options.CommandGroup;
import org.trainyard.experiments.cli.options.CommandPlugin;
import org.trainyard.experiments.cli.options.HelpBlock;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.io.InterruptionHint;
import org.trainyard.experiments.training.CodeVersion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line: its subcommands, exit codes and error messages. */
@Command(
        name = "trainyard",
        description = "A simulator and gym for GPU-cluster schedulers.",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = Trainyard.Version.class,
        footer = {"", "Example: trainyard simulate --trace generated --cluster small --scheduler fifo,sjf"})
@SuppressWarnings("UnusedVariable") // The command line reads the flag itself.
public final class Trainyard extends CommandGroup {
    /** All commands, in the order of the help. */
    private static final List<CommandPlugin.Placed> COMMANDS = CommandPlugin.all();

    /** A file of PyTorch's native libraries. */
    private static final String PYTORCH = "native/lib/pytorch.properties";

    /** Packages of libraries with native parts. */
    private static final List<String> NATIVE =
            List.of("ai.djl.", "ai.onnxruntime.", "org.nd4j.", "org.bytedeco.", "ml.dmlc.");

    @Option(names = "--version", versionHelp = true, description = "Print the version.")
    private boolean version;

    private Trainyard() {}

    /** Runs one command line to its end: 0 done, 1 failed while running, 2 bad usage or input. */
    public static int run(String[] words, PrintWriter out, PrintWriter err) {
        String[] args = asked(OldSpellings.replaced(words, err));
        CommandLine commands = reading(args);
        commands.setOut(out)
                .setErr(err)
                .setUsageHelpWidth(110)
                .setParameterExceptionHandler(new UsageErrors())
                .setExecutionExceptionHandler(new Failures(err));
        int code = execute(commands, args, err);
        out.flush();
        err.flush();
        return code;
    }

    /** {@code help} is {@code --help}, and {@code help train} is {@code train --help}. */
    private static String[] asked(String[] words) {
        if (words.length == 0 || !words[0].equals("help")) {
            return words;
        }
        return Stream.concat(Arrays.stream(words).skip(1), Stream.of("--help")).toArray(String[]::new);
    }

    /** All commands, for readers of their options. */
    public static CommandLine all() {
        CommandLine commands = new CommandLine(new Trainyard());
        COMMANDS.forEach(placed -> commands.addSubcommand(placed.command()));
        return inBlocks(commands);
    }

    /** The names of all commands and what each does, for the help of the whole command line. */
    private static CommandLine outline() {
        CommandLine commands = new CommandLine(new Trainyard());
        for (CommandPlugin.Placed placed : COMMANDS) {
            Command about = placed.command().getAnnotation(Command.class);
            CommandSpec spec = CommandSpec.create().name(about.name());
            spec.usageMessage().description(about.description()).hidden(about.hidden());
            commands.addSubcommand(spec);
        }
        return inBlocks(commands);
    }

    private static CommandLine inBlocks(CommandLine commands) {
        commands.getHelpSectionMap().remove(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING);
        commands.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, Trainyard::blocks);
        return commands;
    }

    /** The commands that are not hidden, by block, each with the first line of its description. */
    private static String blocks(Help help) {
        StringBuilder text = new StringBuilder();
        for (HelpBlock block : HelpBlock.values()) {
            Map<String, Help> commands = new LinkedHashMap<>(help.subcommands());
            commands.keySet().retainAll(names(block));
            if (!commands.isEmpty()) {
                text.append("%n%s:%n".formatted(block.title())).append(help.commandList(commands));
            }
        }
        return text.toString();
    }

    private static List<String> names(HelpBlock block) {
        return COMMANDS.stream()
                .filter(placed -> placed.block() == block)
                .map(placed -> name(placed.command()))
                .toList();
    }

    private static String name(Class<? extends Subcommand> command) {
        return command.getAnnotation(Command.class).name();
    }

    /**
     * The command line that reads these words: the command that the first names, or of its subcommands the one that the
     * second names, without the others; where no word names one, all without their options. To read the options of all
     * takes longer than many a command; and a subcommand needs no option that its parent requires.
     */
    public static CommandLine reading(String... words) {
        for (CommandPlugin.Placed placed : COMMANDS) {
            if (words.length > 0 && name(placed.command()).equals(words[0])) {
                CommandLine named = new CommandLine(placed.command());
                CommandLine second = words.length > 1 ? named.getSubcommands().get(words[1]) : null;
                return above("trainyard", second == null ? named : above(words[0], second));
            }
        }
        List<String> named = List.of(words);
        return COMMANDS.stream().anyMatch(placed -> named.contains(name(placed.command()))) ? all() : outline();
    }

    private static CommandLine above(String name, CommandLine command) {
        return new CommandLine(CommandSpec.create().name(name)).addSubcommand(command);
    }

    private static int execute(CommandLine commands, String[] args, PrintWriter err) {
        try {
            return commands.execute(args);
        } catch (LinkageError e) {
            if (isWithoutNatives(e)) {
                return refuseNatives(err);
            }
            return fail(e, err, List.of(args));
        } catch (Error e) {
            return fail(e, err, List.of(args));
        }
    }

    /**
     * Whether a failure comes from libraries that are not there: native parts, which the Python wheel leaves out, or
     * ND4J, which is there for fits alone.
     */
    private static boolean isWithoutNatives(Throwable failure) {
        boolean isNative = failure instanceof LinkageError;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof NoClassDefFoundError
                    && String.valueOf(cause.getMessage()).startsWith("org/nd4j/")) {
                return true;
            }
            isNative |= Arrays.stream(cause.getStackTrace())
                    .anyMatch(frame -> NATIVE.stream().anyMatch(frame.getClassName()::startsWith));
        }
        return isNative && Trainyard.class.getClassLoader().getResource(PYTORCH) == null;
    }

    private static int refuseNatives(PrintWriter err) {
        err.println(
                "trainyard: this needs native libraries (PyTorch, ND4J, XGBoost, ONNX Runtime or OR-Tools), which this"
                        + " installation leaves out: run it with the launcher of the source tree or of a distribution");
        return CommandLine.ExitCode.USAGE;
    }

    private static int fail(Throwable failure, PrintWriter err, List<String> args) {
        if (InterruptionHint.isEnding()) {
            return CommandLine.ExitCode.SOFTWARE;
        }
        if (failure instanceof InputException) {
            err.println("trainyard: " + oneLine(failure));
            return CommandLine.ExitCode.USAGE;
        }
        if (failure instanceof FailedWriteException && !args.contains(STACKTRACE)) {
            err.println("trainyard: failed: " + oneLine(failure));
            return CommandLine.ExitCode.SOFTWARE;
        }
        if (isWithoutNatives(failure) && !args.contains(STACKTRACE)) {
            return refuseNatives(err);
        }
        if (args.contains(STACKTRACE)) {
            failure.printStackTrace(err);
        } else {
            err.println("trainyard: failed: %s (%s shows where)".formatted(oneLine(failure), STACKTRACE));
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static String oneLine(Throwable failure) {
        String message = failure.getMessage();
        if (failure instanceof Error) {
            message = failure.toString();
        }
        return message == null ? failure.getClass().getSimpleName() : message.replaceAll("\\R", " ");
    }

    /**
     * Reports failures; a class of its own, because a lambda would keep the class of the command line out of archives
     * of loaded classes.
     */
    private record Failures(PrintWriter err) implements IExecutionExceptionHandler {
        @Override
        public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
            return fail(failure, err, parsed.expandedArgs());
        }
    }

    /** The version that the build recorded. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"trainyard %s (Java %s)".formatted(CodeVersion.version(), Runtime.version())};
        }
    }

    /** Reports wrong usage in two lines: the mistake with the nearest known name, and the command that prints help. */
    private static final class UsageErrors implements IParameterExceptionHandler {
        @Override
        public int handleParseException(ParameterException wrong, String[] args) {
            CommandLine command = wrong.getCommandLine();
            String name = command.getCommandSpec().qualifiedName();
            PrintWriter err = command.getErr();
            String message = String.valueOf(wrong.getMessage())
                    .lines()
                    .findFirst()
                    .orElse("wrong usage")
                    .replaceFirst("^Error: ", "")
                    .replaceFirst("is not a (double|float)$", "is not a number")
                    .replaceFirst("is not an? (int|long)$", "is not a whole number");
            List<String> unmatched = wrong instanceof UnmatchedArgumentException unknown
                    ? unknown.getUnmatched()
                    : command.getParseResult().unmatched();
            if (wrong instanceof MissingParameterException && !unmatched.isEmpty()) {
                // The misspelt option, rather than the required option that is missing because of it.
                message = "Unknown option: '%s'".formatted(unmatched.get(0));
            }
            String nearest = unmatched.isEmpty() ? null : nearest(unmatched.get(0), command);
            err.println("%s: %s%s"
                    .formatted(name, message, nearest == null ? "" : "; did you mean '%s'?".formatted(nearest)));
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
}
