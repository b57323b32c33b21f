package org.trainyard.env;

import java.util.List;
import java.util.Locale;

/** A number of things in words, such as {@code 1 job} and {@code 1,200 jobs}. */
public final class Counted {
    private Counted() {}

    /** @param noun in the singular; its plural has an s more */
    public static String of(long count, String noun) {
        return String.format(Locale.ROOT, "%,d %s", count, noun) + (count == 1 ? "" : "s");
    }

    /** The first of some names, and how many more there are: {@code a, b and 2 more}. */
    public static String some(List<String> names, int most) {
        String first = String.join(", ", names.subList(0, Math.min(most, names.size())));
        return names.size() <= most ? first : first + " and %d more".formatted(names.size() - most);
    }

    /** The verb of so many things: {@code waits} of one, {@code wait} of more. */
    public static String verb(long count, String plural) {
        return count == 1 ? plural + "s" : plural;
    }
}
