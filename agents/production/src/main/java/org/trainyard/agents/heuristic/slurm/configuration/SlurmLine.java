package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.trace.slurm.SlurmText;

/**
 * A line of one of Slurm's configuration files: keys, in lower case, and their values.
 *
 * @param place its file and line, for messages
 * @param values in the order of the line
 */
record SlurmLine(String place, Map<String, String> values) {
    private static final Pattern PAIR = Pattern.compile("([A-Za-z][A-Za-z0-9_.]*)\\s*=\\s*(\"[^\"]*\"|\\S*)");

    /** The lines of a file that say something; comments and continued lines are as Slurm reads them. */
    static List<SlurmLine> read(String source, List<String> lines) {
        List<SlurmLine> read = new ArrayList<>();
        StringBuilder open = new StringBuilder();
        int number = 0;
        for (String line : lines) {
            number++;
            String text = line.replaceFirst("(?<!\\\\)#.*", "").strip();
            if (text.endsWith("\\")) {
                open.append(text, 0, text.length() - 1).append(' ');
                continue;
            }
            open.append(text);
            if (!open.toString().isBlank()) {
                read.add(of("%s:%d".formatted(source, number), open.toString()));
            }
            open.setLength(0);
        }
        return read;
    }

    private static SlurmLine of(String place, String line) {
        Map<String, String> pairs = new LinkedHashMap<>();
        Matcher matcher = PAIR.matcher(line);
        int end = 0;
        while (matcher.find() && line.substring(end, matcher.start()).isBlank()) {
            pairs.put(
                    matcher.group(1).toLowerCase(Locale.ROOT), matcher.group(2).replace("\"", ""));
            end = matcher.end();
        }
        if (pairs.isEmpty() || !line.substring(end).isBlank()) {
            throw InputException.at(place, line, "Key=Value, as Slurm's files have it");
        }
        return new SlurmLine(place, pairs);
    }

    /** The first key, which says what the line is about. */
    String kind() {
        return values.keySet().iterator().next();
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

    /** Where a key stands, for messages. */
    String at(String key) {
        return "%s, %s".formatted(place, key);
    }

    /** This line with the values of another where it has none of its own. */
    SlurmLine over(SlurmLine defaults) {
        Map<String, String> whole = new LinkedHashMap<>(defaults.values);
        whole.putAll(values);
        return new SlurmLine(place, whole);
    }
}
