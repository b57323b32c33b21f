package org.trainyard.env.binding;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Suggests a known word for a misspelt one. */
public final class Nearest {
    /** Longer words are nobody's typing error, and comparing them takes long. */
    private static final int MOST_LETTERS = 200;

    private static final int FEW = 5;
    private static final int MOST_WORDS = 50;

    private Nearest() {}

    /** The known word with the smallest edit distance to the given one, or null when none is close. */
    public static @Nullable String to(String given, Collection<String> known) {
        if (given.length() > MOST_LETTERS) {
            return null;
        }
        String best = null;
        int bestDistance = Math.max(2, given.length() / 3) + 1;
        for (String candidate : known) {
            int distance = distance(given.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (distance < bestDistance) {
                bestDistance = distance;
                best = candidate;
            }
        }
        return best;
    }

    /** {@code one of a, b, c}, after the nearest word when there is one; of many words the nearest few. */
    public static String oneOf(String given, Collection<String> known) {
        String nearest = to(given, known);
        String all = few(given, known);
        return nearest == null
                ? "one of " + all
                : "a known name (did you mean '%s'?), one of %s".formatted(nearest, all);
    }

    /** All words when they are not many, else the nearest five and how many more there are. */
    public static String few(String given, Collection<String> known) {
        if (known.size() <= FEW + 5 || given.length() > MOST_LETTERS) {
            return String.join(", ", known.stream().limit(MOST_WORDS).toList());
        }
        String word = given.toLowerCase(Locale.ROOT);
        return known.stream()
                        .sorted(Comparator.comparingInt(one -> distance(word, one.toLowerCase(Locale.ROOT))))
                        .limit(FEW)
                        .collect(Collectors.joining(", "))
                + " and %d more".formatted(known.size() - FEW);
    }

    /** Damerau-Levenshtein distance: insertions, deletions, replacements and swaps of adjacent letters. O(a b). */
    static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int replace = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                d[i][j] = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + replace);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
