package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.trace.slurm.SlurmText;

/**
 * A line of one of Slurm's configuration files: keys, in lower case, and their values.
 *
 * @param place its file and line, for messages
 * @param values in the order of the line
 * @param spelt the keys as the line has them
 */
record SlurmLine(String place, Map<String, String> values, Map<String, String> spelt) {
    private static final Pattern PAIR = Pattern.compile("([A-Za-z][A-Za-z0-9_.]*)\\s*=\\s*(\"[^\"]*\"|\\S*)");

    static final Pattern INCLUDE = Pattern.compile("(?i)include\\s+(\\S+)");
    private static final int DEEPEST = 10;

    /** The lines of a file that say something; comments and continued lines are as Slurm reads them. */
    static List<SlurmLine> read(String source, List<String> lines) {
        return read(source, lines, name -> null);
    }

    /**
     * The lines of a file, and in the place of each line {@code include FILE} those of the file it names.
     *
     * @param included the lines of a file of this name, or null where there is none
     */
    static List<SlurmLine> read(String source, List<String> lines, Function<String, @Nullable List<String>> included) {
        List<SlurmLine> read = new ArrayList<>();
        read(source, lines, included, 0, read);
        return read;
    }

    private static void read(
            String source,
            List<String> lines,
            Function<String, @Nullable List<String>> included,
            int depth,
            List<SlurmLine> read) {
        StringBuilder open = new StringBuilder();
        int number = 0;
        for (String line : lines) {
            number++;
            String text = line.replaceFirst("(?<!\\\\)#.*", "").strip();
            if (text.endsWith("\\")) {
                open.append(text, 0, text.length() - 1).append(' ');
                continue;
            }
            String whole = open.append(text).toString();
            open.setLength(0);
            String place = "%s:%d".formatted(source, number);
            Matcher include = INCLUDE.matcher(whole.strip());
            if (include.matches()) {
                String name = include.group(1).replace("\"", "");
                List<String> inner = depth < DEEPEST ? included.apply(name) : null;
                if (inner == null) {
                    throw InputException.at(
                            place, whole, "the name of a file beside this one that does not include itself");
                }
                read(name, inner, included, depth + 1, read);
            } else if (!whole.isBlank()) {
                read.add(of(place, whole));
            }
        }
    }

    private static SlurmLine of(String place, String line) {
        Map<String, String> pairs = new LinkedHashMap<>();
        Map<String, String> spelt = new HashMap<>();
        Matcher matcher = PAIR.matcher(line);
        int end = 0;
        while (matcher.find() && line.substring(end, matcher.start()).isBlank()) {
            String key = matcher.group(1).toLowerCase(Locale.ROOT);
            pairs.put(key, matcher.group(2).replace("\"", ""));
            spelt.put(key, matcher.group(1));
            end = matcher.end();
        }
        if (pairs.isEmpty() || !line.substring(end).isBlank()) {
            throw InputException.at(place, line, "Key=Value, as Slurm's files have it");
        }
        return new SlurmLine(place, pairs, spelt);
    }

    /** The first key, which says what the line is about. */
    String kind() {
        return values.keySet().iterator().next();
    }

    /** A key as the line has it. */
    String spelling(String key) {
        return spelt.getOrDefault(key, key);
    }

    String text(String key, String otherwise) {
        return values.getOrDefault(key.toLowerCase(Locale.ROOT), otherwise);
    }

    /** A whole number; the default where the line has no such key. */
    long number(String key, long otherwise) {
        String text = text(key, "");
        return text.isEmpty() ? otherwise : SlurmText.number(at(key), text);
    }

    /** A whole number that is small. */
    int count(String key, int otherwise) {
        return (int) Math.min(Integer.MAX_VALUE, number(key, otherwise));
    }

    /** Seconds of a span of time; -1 for no limit, and where the line has no such key. */
    long seconds(String key) {
        return SlurmText.seconds(at(key), text(key, ""));
    }

    /** Yes or no, in the words that Slurm takes for either; no where the line has no such key. */
    boolean flag(String key) {
        return flag(at(key), text(key, ""));
    }

    /** Yes or no of a text; no where it is empty. */
    static boolean flag(String place, String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "yes", "up", "true", "1" -> true;
            case "", "no", "down", "false", "0" -> false;
            default -> throw InputException.at(place, text, "YES or NO");
        };
    }

    /** Whether the line says what holds for those after it. */
    boolean isDefault() {
        return text(kind(), "").equalsIgnoreCase("DEFAULT");
    }

    /** Where a key stands, for messages. */
    String at(String key) {
        return "%s, %s".formatted(place, key);
    }

    /** This line with the values of another where it has none of its own. */
    SlurmLine over(SlurmLine defaults) {
        Map<String, String> whole = new LinkedHashMap<>(defaults.values);
        whole.putAll(values);
        return new SlurmLine(place, whole, spelt);
    }
}
