package org.trainyard.experiments.frozen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Results that must not change unnoticed, in a text file of {@code src/test/resources/frozen}: one result a line, its
 * name before the first colon. {@code -Dtrainyard.freeze} writes the files anew, for a change that is meant to move
 * them.
 */
public final class FrozenText {
    static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));
    static final Path FOLDER = ROOT.resolve("experiments/whole/src/test/resources/frozen");
    static final boolean IS_WRITING = System.getProperty("trainyard.freeze") != null;
    private static final String SEPARATOR = ": ";
    private static final Pattern NUMBER = Pattern.compile("-?[0-9.]+(E-?[0-9]+)?");
    /** So many differences are shown. */
    private static final int SHOWN = 30;

    private FrozenText() {}

    public static String line(String name, Object result) {
        return name + SEPARATOR + result;
    }

    /** Compares lines with the file of this name. */
    public static void assertFrozen(String name, Collection<String> lines) {
        assertFrozen(name, lines, 0);
    }

    /**
     * Compares lines with the file of this name.
     *
     * @param tolerance by which numbers may differ, as a part of one more than they are: native libraries add in an
     *     order of their own
     */
    static void assertFrozen(String name, Collection<String> lines, double tolerance) {
        Path file = FOLDER.resolve(name + ".txt");
        try {
            if (IS_WRITING) {
                Files.write(file, lines);
            }
            assertThat(differences(Files.readAllLines(file), lines, tolerance))
                    .as("%s; -Dtrainyard.freeze writes it anew", file.getFileName())
                    .isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> differences(Collection<String> frozen, Collection<String> now, double tolerance) {
        Map<String, String> before = byName(frozen);
        Map<String, String> after = byName(now);
        List<String> differences = new ArrayList<>();
        before.forEach((name, result) -> {
            String other = after.getOrDefault(name, "missing");
            if (!other.equals(result) && !isClose(result, other, tolerance)) {
                differences.add("%s was %s, now %s".formatted(name, result, other));
            }
        });
        after.keySet().stream()
                .filter(name -> !before.containsKey(name))
                .forEach(name -> differences.add("%s is new".formatted(name)));
        return differences.subList(0, Math.min(SHOWN, differences.size()));
    }

    private static boolean isClose(String one, String other, double tolerance) {
        if (tolerance == 0
                || !NUMBER.matcher(one).matches()
                || !NUMBER.matcher(other).matches()) {
            return false;
        }
        double number = Double.parseDouble(one);
        return Math.abs(number - Double.parseDouble(other)) <= tolerance * (1 + Math.abs(number));
    }

    private static Map<String, String> byName(Collection<String> lines) {
        Map<String, String> results = new LinkedHashMap<>();
        for (String line : lines) {
            int at = line.indexOf(SEPARATOR);
            assertThat(results.put(line.substring(0, at), line.substring(at + SEPARATOR.length())))
                    .as(line)
                    .isNull();
        }
        return results;
    }
}
