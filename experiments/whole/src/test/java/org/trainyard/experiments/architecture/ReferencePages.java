package org.trainyard.experiments.architecture;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.trainyard.agents.learned.training.UpdateMetric;
import org.trainyard.env.ColumnMeaning;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.workload.log.LogFormat;
import org.trainyard.env.workload.log.LogFormats;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.cli.Trainyard;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.metrics.RankingMetric;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The parts of the reference that the code itself knows, as Markdown. */
final class ReferencePages {
    private ReferencePages() {}

    /** The parts by the names of their places in the pages. */
    static Map<String, String> parts() {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("commands", commands());
        parts.put("schedulers", schedulers());
        parts.put("traces", traces());
        parts.put("clusters", names(Clusters.described()));
        parts.put("rewards", rewards());
        parts.put("metrics", metrics());
        parts.put("columns", columns());
        parts.put("kinds", kinds());
        parts.put("updates", updates());
        return parts;
    }

    /** A list for each command; options that several commands have alike are in lists of their own. */
    private static String commands() {
        Map<String, CommandSpec> commands = new LinkedHashMap<>();
        Trainyard.all().getSubcommands().values().forEach(command -> addTo(commands, command, ""));
        Map<String, List<String>> users = new LinkedHashMap<>();
        commands.forEach((name, spec) -> rows(spec)
                .forEach(row ->
                        users.computeIfAbsent(row, unseen -> new ArrayList<>()).add(name)));
        Map<List<String>, String> shared = new LinkedHashMap<>();
        users.forEach((row, names) -> {
            if (names.size() > 1) {
                shared.merge(names, row, String::concat);
            }
        });
        StringBuilder text = new StringBuilder("\n## Options of several commands\n");
        shared.forEach((names, rows) ->
                text.append("\n%s\n%s".formatted(wrapped("Of `%s`:\n".formatted(String.join("`, `", names))), rows)));
        commands.forEach((name, spec) -> add(
                name,
                spec,
                rows(spec).stream()
                        .filter(row -> users.getOrDefault(row, List.of()).size() == 1)
                        .toList(),
                text));
        return text.toString();
    }

    private static void addTo(Map<String, CommandSpec> commands, CommandLine command, String before) {
        String name = before + command.getCommandName();
        command.getSubcommands().values().forEach(one -> addTo(commands, one, name + " "));
        if (!rows(command.getCommandSpec()).isEmpty()) {
            commands.put(name, command.getCommandSpec());
        }
    }

    private static List<String> rows(CommandSpec spec) {
        return Stream.<ArgSpec>concat(spec.positionalParameters().stream(), spec.options().stream())
                .filter(arg -> !(arg instanceof OptionSpec option) || !isCommon(option))
                .filter(arg -> !arg.hidden())
                .map(arg -> wrapped("- %s: %s%s%n"
                        .formatted(label(arg), String.join(" ", arg.description()), isNeeded(arg) ? " Required." : "")))
                .toList();
    }

    private static boolean isNeeded(ArgSpec arg) {
        return arg.required() && (arg.group() == null || !arg.group().exclusive());
    }

    private static void add(String name, CommandSpec spec, List<String> own, StringBuilder text) {
        text.append("\n## %s\n\n%s\n"
                .formatted(name, String.join("\n", spec.usageMessage().description())));
        if (!own.isEmpty()) {
            text.append("\n").append(String.join("", own));
        }
        List<String> examples = Arrays.stream(spec.usageMessage().footer())
                .filter(line -> !line.isBlank())
                .map(line -> line.strip().replaceFirst("^Example: *", ""))
                .toList();
        if (!examples.isEmpty()) {
            text.append("\n");
            examples.forEach(example -> text.append(example.startsWith("trainyard") ? "    ./" : "    ")
                    .append(example)
                    .append("\n"));
        }
    }

    private static boolean isCommon(OptionSpec option) {
        return List.of("--help", Subcommand.STACKTRACE, "--plugin").contains(option.longestName());
    }

    private static String label(ArgSpec arg) {
        boolean hasValue = arg.arity().max() > 0 && !arg.paramLabel().isEmpty();
        if (arg instanceof OptionSpec option) {
            return "`" + String.join(", ", option.names()) + (hasValue ? " " + arg.paramLabel() : "") + "`";
        }
        return "`" + arg.paramLabel() + "`";
    }

    /** A card of each scheduler in a row, by how it relates to its source. */
    private static String schedulers() {
        StringBuilder text = new StringBuilder();
        for (SchedulerRegistry.Kind kind : SchedulerRegistry.Kind.values()) {
            List<SchedulerRegistry.Entry> entries = SchedulerRegistry.entries().stream()
                    .filter(entry -> entry.kind() == kind && !entry.name().contains("/"))
                    .toList();
            if (entries.isEmpty()) {
                continue;
            }
            List<String> notes = entries.stream()
                    .map(ReferencePages::toKnow)
                    .filter(note -> !note.isEmpty())
                    .collect(Collectors.groupingBy(note -> note, LinkedHashMap::new, Collectors.counting()))
                    .entrySet()
                    .stream()
                    .filter(note -> note.getValue() > 1)
                    .map(Map.Entry::getKey)
                    .toList();
            text.append("\n### %s\n\n| name | scheduler | source | remarks |\n|---|---|---|---|\n"
                    .formatted(upper(kind.words())));
            entries.forEach(entry -> text.append(row(
                    "`" + entry.name() + "`" + variants(entry),
                    entry.description(),
                    entry.source(),
                    remarks(entry, notes))));
            text.append(notes.isEmpty() ? "" : "\n");
            for (int i = 0; i < notes.size(); i++) {
                text.append(wrapped("%d. %s.%n".formatted(i + 1, upper(notes.get(i)))));
            }
        }
        return text.toString();
    }

    private static String remarks(SchedulerRegistry.Entry entry, List<String> notes) {
        String known = toKnow(entry);
        int note = notes.indexOf(known);
        return Stream.of(traits(entry), note < 0 ? known : "note " + (note + 1))
                .filter(words -> !words.isEmpty())
                .collect(Collectors.joining("; "));
    }

    /** The other names under which the registry has the scheduler. */
    private static String variants(SchedulerRegistry.Entry entry) {
        String others = SchedulerRegistry.names().stream()
                .filter(name -> name.startsWith(entry.name() + "/"))
                .map(name -> name.substring(entry.name().length()))
                .collect(Collectors.joining(", "));
        if (entry.has(SchedulerRegistry.Flag.VARIANTS)) {
            return " †";
        }
        return others.isEmpty() ? "" : ", also `" + others + "`";
    }

    private static String traits(SchedulerRegistry.Entry entry) {
        return Arrays.stream(SchedulerRegistry.Flag.values())
                .filter(flag -> flag != SchedulerRegistry.Flag.VARIANTS && entry.has(flag))
                .map(flag -> flag.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .collect(Collectors.joining(", "));
    }

    private static String toKnow(SchedulerRegistry.Entry entry) {
        List<String> known = new ArrayList<>();
        if (entry.reference() != null) {
            known.add("replayed with " + entry.reference().terms());
        }
        if (!entry.caveat().isEmpty()) {
            known.add(entry.caveat());
        }
        return String.join("; ", known);
    }

    private static String traces() {
        StringBuilder text = new StringBuilder("\n| format | columns or keys |\n|---|---|\n");
        for (LogFormat format : LogFormats.all()) {
            text.append(row(
                    "`" + format.label() + "`",
                    String.join(", ", format.required()).replace("|", " or ")));
        }
        return text.toString();
    }

    private static String rewards() {
        Map<String, String> rewards = new LinkedHashMap<>();
        Shell.command("list rewards")
                .out()
                .lines()
                .map(line -> line.split("  +", 2))
                .forEach(words -> rewards.put(words[0], words[1]));
        return names(rewards);
    }

    private static String names(Map<String, String> described) {
        StringBuilder text = new StringBuilder("\n| name | meaning |\n|---|---|\n");
        described.forEach((name, what) -> text.append(row("`" + name + "`", what)));
        return text.toString();
    }

    private static String columns() {
        StringBuilder text = new StringBuilder("\n| | column | meaning | value |\n|---|---|---|---|\n");
        for (BidColumn column : BidColumn.values()) {
            ColumnMeaning meaning = column.meaning();
            text.append(row(
                    String.valueOf(column.index()),
                    "`" + column + "`",
                    meaning.text(),
                    "`" + meaning.scale().replaceAll("\\bx\\b", meaning.unit()) + "`"));
        }
        return text.toString();
    }

    private static String updates() {
        StringBuilder text = new StringBuilder("\n| metric | meaning |\n|---|---|\n");
        for (UpdateMetric metric : UpdateMetric.values()) {
            text.append(row("`" + metric.title() + "`", metric.meaning()));
        }
        return text.toString();
    }

    /** The kinds of bids with their Javadoc. */
    private static String kinds() {
        String source = InputFiles.text(Path.of(
                System.getProperty("trainyard.root", ".."),
                "env/gym/src/main/java/org/trainyard/env/gym/auction/BidKind.java"));
        StringBuilder text = new StringBuilder("\n| | kind | effect |\n|---|---|---|\n");
        for (BidKind kind : BidKind.values()) {
            Matcher meaning = Pattern.compile("/\\*\\* ([^*]+) \\*/\\s+%s[,;]".formatted(kind))
                    .matcher(source);
            if (!meaning.find()) {
                throw new IllegalStateException("kind (%s) has no Javadoc".formatted(kind));
            }
            text.append(row(String.valueOf(kind.index()), "`" + kind + "`", meaning.group(1)));
        }
        return text.toString();
    }

    private static String metrics() {
        return wrapped("\n%s.\n"
                .formatted(Arrays.stream(RankingMetric.values())
                        .map(metric -> "`" + metric.label() + "`")
                        .collect(Collectors.joining(", "))));
    }

    private static String row(String... cells) {
        return Arrays.stream(cells)
                .map(cell -> cell.replace("|", "\\|").replaceAll("\\s+", " "))
                .collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    /** An entry of a list in lines of at most 150 characters. */
    private static String wrapped(String entry) {
        return entry.replaceAll("(.{60,150}) (?=.)", "$1\n   ");
    }

    private static String upper(String words) {
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }
}
