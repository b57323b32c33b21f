package org.trainyard.env;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** A number of things in words, such as {@code 1 job} and {@code 1,200 jobs}. */
public final class Counted {
    /** One of a noun in the plural, and a verb after it. */
    private static final Pattern ONE =
            Pattern.compile("(?<![\\w.,/+-])1 ((?:bad |such |test |validation |virtual |waiting )?(?:account|agent"
                    + "|bid|block|chunk|cluster|comparison|CPU|day|decision|episode|event|feature|future|GPU|group|heuristic|hour"
                    + "|id|job|layer|lease|level|line|measurement|member|moment|name|NIC|node|pair|parameter|pipeline|pod|poll"
                    + "|rack|record|replay|report|round|row|run|scheduler|server|setting|socket|step|submission|task|thread|time|tree|user"
                    + "|value|window|workload))s\\b(?: (are|arrive|ask|come|have|hold|name|need|repeat|run|say|share|start|tell"
                    + "|wait|were)\\b|( {2,}))?");

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
     * A text by a format whose counted nouns are in the plural, and so are verbs right after them: of one, {@code "%,d jobs
     * need %d GPUs"} is {@code "1 job needs 1 GPU"}. Columns of tables keep their width. Numbers have a point and commas
     * everywhere.
     */
    public static String say(String format, Object... values) {
        return ONE.matcher(String.format(Locale.ROOT, format, values)).replaceAll(one -> {
            String verb = one.group(2);
            String blanks = one.group(3);
            return "1 " + one.group(1) + (verb != null ? " " + verb(1, verb) : blanks != null ? " " + blanks : "");
        });
    }
}
