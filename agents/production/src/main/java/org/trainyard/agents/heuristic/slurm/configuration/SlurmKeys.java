package org.trainyard.agents.heuristic.slurm.configuration;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Effects of the keys of Slurm's files, and of the columns of its tables, here: the list {@code keys.txt}. */
final class SlurmKeys {
    /** Effect of a key here. */
    enum Effect {
        USED,
        BOUNDS,
        EFFECT,
        SILENT
    }

    static final String BOUNDS = ": bounds who may start, and is not applied here";
    private static final Map<String, Map<String, Effect>> KINDS = read();

    private SlurmKeys() {}

    private static Map<String, Map<String, Effect>> read() {
        Map<String, Map<String, Effect>> kinds = new HashMap<>();
        try (InputStream in = Objects.requireNonNull(SlurmKeys.class.getResourceAsStream("keys.txt"));
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            Map<String, Effect> keys = new HashMap<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("[")) {
                    keys = kinds.computeIfAbsent(kind(line.substring(1, line.length() - 1)), kind -> new HashMap<>());
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    String[] words = line.split(" ", -1);
                    Effect effect = Effect.valueOf(words[0].toUpperCase(Locale.ROOT));
                    for (String key : List.of(words).subList(1, words.length)) {
                        keys.put(plain(key.replace('~', ' ')), effect);
                    }
                }
            }
        } catch (IOException bad) {
            throw new UncheckedIOException(bad);
        }
        return kinds;
    }

    /** A kind of line as it is spelt; a key whose words are listed without case. */
    private static String kind(String name) {
        return name.endsWith("=") ? plain(name) : name;
    }

    private static String plain(String key) {
        return key.toLowerCase(Locale.ROOT);
    }

    /** Effect of a key in a kind of line, such as {@code PartitionName}; null for one that Slurm has not. */
    static @Nullable Effect effect(String kind, String key) {
        return Objects.requireNonNull(KINDS.get(kind), kind).get(plain(key));
    }

    /**
     * Note on a key; null where it is used, or decides no start.
     *
     * @param what the key, and its value or place, as it is to be named
     */
    static @Nullable String note(String kind, String key, String what) {
        Effect effect = effect(kind, key);
        if (effect == null) {
            return what + ": no key that is known here, has no effect";
        }
        return note(effect, what);
    }

    private static @Nullable String note(Effect effect, String what) {
        return switch (effect) {
            case BOUNDS -> bounds(what);
            case EFFECT -> what + ": has no effect here";
            case USED, SILENT -> null;
        };
    }

    /**
     * Note on a word of the value of a key whose words are listed; null where the word is used, or decides no start.
     *
     * @param what the key and the word, as they are to be named
     */
    static @Nullable String wordNote(String kind, String key, String what, String word) {
        Map<String, Effect> words = KINDS.get(plain("%s %s=".formatted(kind, key)));
        if (words == null) {
            return null;
        }
        Effect effect = words.get(plain(word));
        return effect == null ? what + ": no value that is known here, has no effect" : note(effect, what);
    }

    /** The warning of a setting that bounds which jobs may start in Slurm and is not applied. */
    static String bounds(String what) {
        return what + BOUNDS;
    }

    /** Whether a value is the one that a key has by itself, so that nothing need be said of it. */
    static boolean isNothing(String value) {
        return value.matches("(?i)|0|no|false|none|all|off|unlimited|infinite|n/a|\\(null\\)");
    }
}
