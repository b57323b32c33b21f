package org.trainyard.experiments.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Spellings of version 0.1 that the command line understands for one version more. No help shows them; each says once
 * on standard error what to type.
 */
final class OldSpellings {
    /** Options by their old names; behind the words of a command, in that one alone. */
    static final Map<String, String> OPTIONS = Map.ofEntries(
            Map.entry("--no-worse", "--constraint"),
            Map.entry("--most-mb", "--max-mb"),
            Map.entry("--against", "--validate-against"),
            Map.entry("--through", "--exec-prefix"),
            Map.entry("--wide", "--verbose"),
            Map.entry("--belief", "--interference-model"),
            Map.entry("--polls", "--max-polls"),
            Map.entry("train --restart", "--replace"),
            Map.entry("stress --restart", "--replace"),
            Map.entry("drive kubernetes --partition", "--namespace"),
            Map.entry("drive kubernetes --qos", "--priority-class"));

    /**
     * An option that made another command of a command.
     *
     * @param value with which alone it did, or null
     * @param subcommand the other command
     * @param replacement the option in its place, or null where the subcommand says it all
     * @param implied words that went with it and that the subcommand does not know
     */
    record Mode(
            String command,
            String option,
            @Nullable String value,
            String subcommand,
            @Nullable String replacement,
            List<String> implied) {
        Mode(String command, String option, String subcommand) {
            this(command, option, null, subcommand, null, List.of());
        }

        private String old() {
            return command + " " + option + (value == null ? "" : " " + value);
        }

        private String now() {
            return command + " " + subcommand + (replacement == null ? "" : " " + replacement);
        }
    }

    static final List<Mode> MODES = List.of(
            new Mode("simulate", "--inflate", null, "arrivals", "--demand", List.of()),
            new Mode("simulate", "--stream", null, "stream", null, List.of("--trace", "generated")),
            new Mode("simulate", "--scheduler", "past", "recorded", null, List.of()),
            new Mode("when", "--calibrate", "backtest"),
            new Mode("bench", "--verify", "verify"),
            new Mode("bench", "--submission", "submit"),
            new Mode("bench", "--table", "table"));

    /** Beginnings of the names of schedulers. */
    static final Map<String, String> PREFIXES = Map.of("driven:", "controller:");

    private final List<String> words = new ArrayList<>();
    private final Set<String> notes = new LinkedHashSet<>();

    private OldSpellings(String[] args) {
        String command = args.length < 2 ? "" : args[0] + " " + args[1] + " ";
        String first = args.length < 2 ? "" : args[0] + " ";
        Arrays.stream(args).map(word -> renamed(command, first, word)).forEach(words::add);
        MODES.forEach(this::apply);
    }

    /** The words as they are spelt now; tells what was spelt otherwise. */
    static String[] replaced(String[] args, PrintWriter err) {
        OldSpellings spelt = new OldSpellings(args);
        spelt.notes.forEach(err::println);
        return spelt.words.toArray(String[]::new);
    }

    private void note(String old, String now) {
        notes.add("note: `%s` is `%s` now; the next version does not know the old spelling".formatted(old, now));
    }

    private String renamed(String command, String first, String word) {
        String name = name(word);
        String now = OPTIONS.getOrDefault(name, OPTIONS.getOrDefault(command + name, OPTIONS.get(first + name)));
        if (now != null) {
            note(name, now);
            return now + word.substring(name.length());
        }
        String renamed = word;
        for (Map.Entry<String, String> prefix : PREFIXES.entrySet()) {
            Pattern place = Pattern.compile("(^|[=,\\[ ])" + prefix.getKey());
            if (place.matcher(renamed).find()) {
                note(prefix.getKey(), prefix.getValue());
                renamed = place.matcher(renamed).replaceAll("$1" + prefix.getValue());
            }
        }
        return renamed;
    }

    /** The option without the value that an equals sign joins to it. */
    private static String name(String word) {
        int equals = word.startsWith("--") ? word.indexOf('=') : -1;
        return equals < 0 ? word : word.substring(0, equals);
    }

    private void apply(Mode mode) {
        int at = words.isEmpty() || !words.get(0).equals(mode.command()) ? -1 : place(mode);
        if (at < 0) {
            return;
        }
        note(mode.old(), mode.now());
        String word = words.get(at);
        if (mode.replacement() != null) {
            words.set(at, mode.replacement() + word.substring(mode.option().length()));
        } else {
            words.subList(at, mode.value() == null || word.contains("=") ? at + 1 : at + 2)
                    .clear();
        }
        words.add(1, mode.subcommand());
        int implied = mode.implied().isEmpty() ? -1 : Collections.indexOfSubList(words, mode.implied());
        if (implied >= 0) {
            words.subList(implied, implied + mode.implied().size()).clear();
        }
    }

    /** Place of the option of a mode; below 0 where it is absent. */
    private int place(Mode mode) {
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i);
            String next = i + 1 < words.size() ? words.get(i + 1) : "";
            if (name(word).equals(mode.option())
                    && (mode.value() == null
                            || word.endsWith("=" + mode.value())
                            || (word.equals(mode.option()) && next.equals(mode.value())))) {
                return i;
            }
        }
        return -1;
    }
}
