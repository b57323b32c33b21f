package org.trainyard.env;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** A number of things in words, such as {@code 1 job} and {@code 1,200 jobs}. */
public final class Counted {
    /** A place for a value in a format. */
    private static final Pattern PLACE = Pattern.compile("%[-+ 0,(#]*\\d*(?:\\.\\d+)?([a-zA-Z%])");
    /** Stands behind a whole number that is one, until its noun is in the singular. */
    private static final char MARK = '\uFFFF';
    /** The mark before a noun in the plural, and a verb after it. */
    private static final Pattern ONE = Pattern.compile(MARK
            + "(?: ((?:bad |such |test |validation |virtual |waiting )?(?!has\\b|its\\b|was\\b)[A-Za-z]{2,})s\\b"
            + "(?: (are|arrive|ask|come|have|hold|name|need|repeat|run|say|share|start|tell|wait|were)\\b|( {2,}))?)?");

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
        return count != 1
                ? plural
                : switch (plural) {
                    case "are" -> "is";
                    case "have" -> "has";
                    case "were" -> "was";
                    default -> plural + "s";
                };
    }

    /**
     * A text by a format whose counted nouns are in the plural, and so are verbs right after them: of one, {@code "%,d
     * jobs need %d GPUs"} is {@code "1 job needs 1 GPU"}. Columns of tables keep their width. Numbers have a point and
     * commas everywhere.
     */
    public static String say(String format, Object... values) {
        int[] next = {0};
        String marked = PLACE.matcher(format).replaceAll(place -> {
            boolean isOne = switch (place.group(1)) {
                case "%", "n" -> false;
                default ->
                    values[next[0]++] instanceof Number number && place.group(1).equals("d") && number.longValue() == 1;
            };
            return isOne ? "$0" + MARK : "$0";
        });
        return ONE.matcher(String.format(Locale.ROOT, marked, values)).replaceAll(one -> {
            String noun = one.group(1);
            String verb = one.group(2);
            String blanks = one.group(3);
            return noun == null
                    ? ""
                    : " " + noun + (verb != null ? " " + verb(1, verb) : blanks != null ? " " + blanks : "");
        });
    }
}
