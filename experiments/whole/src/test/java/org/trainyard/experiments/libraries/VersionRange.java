package org.trainyard.experiments.libraries;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The versions from one on, which may be left out, up to another, which is not among them: {@code 1.5.0..1.5.34} or
 * {@code ..3.9.0}; or, with {@code ..=}, is among them.
 *
 * <p>Versions compare number by number; a word after the numbers that names a release before them ({@code alpha},
 * {@code beta}, {@code M2}, {@code rc}) sorts before their end.
 */
record VersionRange(String from, String to, boolean isClosed) {
    private static final Pattern RANGE = Pattern.compile("([\\w.-]*?)\\.\\.(=?)([\\w.-]+)");
    private static final Pattern EARLIER = Pattern.compile("(alpha|beta|m|rc|cr|snapshot)\\d*");

    static VersionRange parse(String text) {
        Matcher range = RANGE.matcher(text);
        if (!range.matches()) {
            throw new IllegalArgumentException("no range of versions: (%s)".formatted(text));
        }
        return new VersionRange(range.group(1), range.group(3), !range.group(2).isEmpty());
    }

    boolean has(String version) {
        return compare(from, version) <= 0 && compare(version, to) < (isClosed ? 1 : 0);
    }

    static int compare(String a, String b) {
        String[] first = parts(a);
        String[] second = parts(b);
        for (int i = 0; i < Math.max(first.length, second.length); i++) {
            int order = Long.compare(value(first, i), value(second, i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static String[] parts(String version) {
        return version.toLowerCase(Locale.ROOT).split("[.-]", -1);
    }

    /** A number, 0 after the end and for words such as {@code jre}, -1 for words that name an earlier release. */
    private static long value(String[] parts, int i) {
        if (i >= parts.length || parts[i].isEmpty()) {
            return 0;
        }
        if (parts[i].chars().allMatch(Character::isDigit)) {
            return Long.parseLong(parts[i]);
        }
        return EARLIER.matcher(parts[i]).matches() ? -1 : 0;
    }
}
