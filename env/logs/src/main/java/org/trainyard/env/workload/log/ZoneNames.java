package org.trainyard.env.workload.log;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Abbreviations of time zones beside the clocks of a log: those of its zone, and others that mean one offset.
 * {@code CST}, {@code IST}, {@code BST} and their like mean several.
 */
final class ZoneNames {
    private static final Pattern NAMED =
            Pattern.compile("(.*:\\d\\d(?:\\.\\d{1,9})?) ?(?!(?i:am|pm)\\b)([A-Za-z]{2,5})( \\d{4})?");

    /** Hours of UTC's clock before theirs. */
    private static final Map<String, Integer> HOURS = Map.ofEntries(
            Map.entry("UTC", 0),
            Map.entry("GMT", 0),
            Map.entry("UT", 0),
            Map.entry("WET", 0),
            Map.entry("WEST", 1),
            Map.entry("CET", 1),
            Map.entry("CEST", 2),
            Map.entry("MEZ", 1),
            Map.entry("MESZ", 2),
            Map.entry("EET", 2),
            Map.entry("EEST", 3),
            Map.entry("MSK", 3),
            Map.entry("SAST", 2),
            Map.entry("HKT", 8),
            Map.entry("SGT", 8),
            Map.entry("AWST", 8),
            Map.entry("JST", 9),
            Map.entry("KST", 9),
            Map.entry("AEST", 10),
            Map.entry("AEDT", 11),
            Map.entry("NZST", 12),
            Map.entry("NZDT", 13),
            Map.entry("EST", -5),
            Map.entry("EDT", -4),
            Map.entry("MST", -7),
            Map.entry("MDT", -6),
            Map.entry("PST", -8),
            Map.entry("PDT", -7),
            Map.entry("AKST", -9),
            Map.entry("AKDT", -8),
            Map.entry("HST", -10));

    /** A clock without the abbreviation beside it, and what that is. */
    record Named(String time, String name) {}

    private final Map<String, ZoneOffset> own = new HashMap<>();

    /** @param zone of the log, or null */
    ZoneNames(@Nullable ZoneId zone) {
        if (zone != null) {
            TimeZone clocks = TimeZone.getTimeZone(zone);
            put(clocks, false, clocks.getRawOffset());
            if (clocks.useDaylightTime()) {
                put(clocks, true, clocks.getRawOffset() + clocks.getDSTSavings());
            }
        }
    }

    private void put(TimeZone clocks, boolean isSummer, int offsetMillis) {
        String name = clocks.getDisplayName(isSummer, TimeZone.SHORT, Locale.ENGLISH);
        own.put(name.toUpperCase(Locale.ROOT), ZoneOffset.ofTotalSeconds(offsetMillis / 1000));
    }

    /** Parts a clock, such as {@code 12:00:00 CEST 2026}, from an abbreviation; null where it has none. */
    static @Nullable Named of(String time) {
        Matcher named = NAMED.matcher(time);
        if (!named.matches()) {
            return null;
        }
        String year = named.group(3);
        return new Named(
                named.group(1) + (year == null ? "" : year), named.group(2).toUpperCase(Locale.ROOT));
    }

    /** The offset of an abbreviation; null where it means none, or several. */
    @Nullable ZoneOffset offset(String name) {
        Integer hours = HOURS.get(name);
        ZoneOffset fixed = hours == null ? null : ZoneOffset.ofHours(hours);
        return own.getOrDefault(name, fixed);
    }
}
