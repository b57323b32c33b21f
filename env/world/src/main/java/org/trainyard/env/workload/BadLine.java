package org.trainyard.env.workload;

/**
 * A line of a trace that was not used, and why.
 *
 * @param file the file as the user named it
 * @param line counted from 1
 * @param field the column at fault, or {@code line} when it is the whole line
 * @param value what stands there, made fit to print
 * @param why what was expected
 */
public record BadLine(String file, int line, String field, String value, String why) {
    private static final int LONGEST_VALUE = 100;

    public BadLine {
        value = printable(value);
    }

    /** The text on one line: control characters as {@code ?}, and cut when long. */
    public static String printable(String text) {
        String cut = text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE) + "...";
        StringBuilder clean = new StringBuilder(cut.length());
        for (int i = 0; i < cut.length(); i++) {
            char c = cut.charAt(i);
            boolean breaks = Character.isISOControl(c) || c == '\u2028' || c == '\u2029' || Character.isSurrogate(c);
            clean.append(breaks ? '?' : c);
        }
        return clean.toString();
    }

    /** The place, as {@code trace.csv:17, num_gpu}. */
    String place() {
        return "%s:%d, %s".formatted(file, line, field);
    }

    @Override
    public String toString() {
        return "%s: '%s' is not valid: expected %s".formatted(place(), value, why);
    }
}
