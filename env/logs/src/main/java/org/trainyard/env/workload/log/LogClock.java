package org.trainyard.env.workload.log;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;

/**
 * Reads the times of one log as nanoseconds since 1970: clocks with an offset or the {@link ZoneNames name} of one,
 * clocks without one, in the zone of the log where it is known, and seconds, milli-, micro- or nanoseconds since 1970.
 * A log mixes clocks without an offset with other times only when its zone is known.
 *
 * <p>In a zone, a time that clocks show twice in the night when they are put back is the first of the two that is not
 * before a time known to precede it; a time that clocks skip when they are put forward is as much later.
 */
public final class LogClock {
    private static final String EXPECTED =
            "a time such as 2026-01-31T12:00:00 or 2026-01-31T12:00:00+01:00, between 1970 and 2100";
    private static final String NAMED =
            "a zone that means one offset, such as CEST, EDT or -04:00, or --zone, such as America/Chicago, whose abbreviation it is";

    private static final long SECOND = 1_000_000_000L;
    private static final int DAY = 86_400;
    private static final long MOST_SECONDS = 4_102_444_800L;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,19}(\\.\\d{1,9})?");
    private static final Set<String> RELATIVE =
            Set.of("today", "yesterday", "tomorrow", "mon", "tue", "wed", "thu", "fri", "sat", "sun");

    /** How dates are written; apart, because most traces have none and formatters take long to build. */
    private static final class Shapes {
        private static final List<DateTimeFormatter> ALL = List.of(
                shape("uuuu-MM-dd['T'][' ']HH:mm:ss", "[ ][XXX][XX][X]"),
                shape("uuuu/MM/dd HH:mm:ss", "[XXX][XX][X]"),
                shape("uuuu-MM-dd['T'][' ']HH:mm", "[XXX][XX][X]"),
                shape("d.M.uuuu HH:mm[:ss]", ""),
                shape("[EEE ][EEE, ]MMM [ ]d HH:mm:ss", "' 'uuuu"));

        private static DateTimeFormatter shape(String clock, String end) {
            return new DateTimeFormatterBuilder()
                    .parseCaseInsensitive()
                    .appendPattern(clock)
                    .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
                    .appendPattern(end)
                    .toFormatter(Locale.ENGLISH)
                    .withResolverStyle(ResolverStyle.STRICT);
        }

        private Shapes() {}
    }

    private final @Nullable ZoneId zone;
    private @Nullable ZoneNames names;
    /** By day since 1970: the offset of the zone on that day, or {@link Integer#MIN_VALUE} when it changes. */
    private final Map<Long, Integer> offsets = new HashMap<>();

    private final Set<String> seen = new TreeSet<>();
    private boolean floating;
    private boolean absolute;
    private long skewed;
    private long endsSkewed;
    private long moved;

    /** @param zone of clocks without an offset, or null when unknown */
    public LogClock(@Nullable ZoneId zone) {
        this.zone = zone;
    }

    /**
     * The time of a field, as nanoseconds since 1970.
     *
     * @param notBefore a time known to precede it, which matters where a clock shows it twice; or 0
     */
    public long nanos(String column, String text, long notBefore) {
        String time = text.strip();
        int marked = time.length() - 2;
        if (marked > 0 && time.charAt(marked) == ' ' && "LEX".indexOf(time.charAt(marked + 1)) >= 0) {
            // How LSF marks a time by a limit, or one that is estimated.
            time = time.substring(0, marked);
        }
        long whole = wholeSeconds(time);
        if (whole >= 0) {
            return local(column, time, whole, 0, notBefore);
        }
        if (NUMBER.matcher(time).matches()) {
            return since1970(column, time);
        }
        ZoneNames.Named named = ZoneNames.of(time);
        if (named != null) {
            return named(column, text, named);
        }
        for (DateTimeFormatter shape : Shapes.ALL) {
            TemporalAccessor parsed = parsed(shape, time);
            if (parsed instanceof OffsetDateTime instant) {
                return instant(column, text, instant);
            }
            if (parsed instanceof LocalDateTime clock) {
                long seconds = within(column, text, clock.toEpochSecond(ZoneOffset.UTC));
                return local(column, time, seconds, clock.get(ChronoField.NANO_OF_SECOND), notBefore);
            }
        }
        throw new TraceFieldException(column, text, expected(time));
    }

    private long instant(String column, String text, OffsetDateTime instant) {
        see(
                instant.getOffset().equals(ZoneOffset.UTC)
                        ? "Z"
                        : instant.getOffset().getId());
        absolute(column, text);
        return within(column, text, instant.toEpochSecond()) * SECOND + instant.getNano();
    }

    /**
     * A clock with an abbreviation of its zone; one of UTC goes with clocks that name none, which may be of UTC, too.
     */
    private long named(String column, String text, ZoneNames.Named named) {
        names = names == null ? new ZoneNames(zone) : names;
        ZoneOffset offset = names.offset(named.name());
        for (DateTimeFormatter shape : Shapes.ALL) {
            if (parsed(shape, named.time()) instanceof LocalDateTime clock) {
                if (offset == null) {
                    throw new TraceFieldException(column, text, NAMED);
                }
                OffsetDateTime instant = clock.atOffset(offset);
                return offset.equals(ZoneOffset.UTC)
                        ? within(column, text, instant.toEpochSecond()) * SECOND + instant.getNano()
                        : instant(column, text, instant);
            }
        }
        throw new TraceFieldException(column, text, expected(text.strip()));
    }

    private static @Nullable TemporalAccessor parsed(DateTimeFormatter shape, String time) {
        try {
            return shape.parseBest(time, OffsetDateTime::from, LocalDateTime::from);
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** Advice on times that are written relative to today, or without a year. */
    private static String expected(String time) {
        String word = time.toLowerCase(Locale.ROOT).split("[ ,:]", 2)[0];
        if (RELATIVE.contains(word)) {
            return "a time that does not depend on today: set SLURM_TIME_FORMAT=standard";
        }
        if (time.matches("[A-Za-z]{3} +\\d{1,2} \\d\\d:\\d\\d(:\\d\\d)?( [A-Z])?")) {
            return "a time with its year: set SLURM_TIME_FORMAT=standard (Slurm) or LSB_DISPLAY_YEAR=y (LSF)";
        }
        if (time.matches("\\d{1,2}/\\d{1,2}/\\d{4}.*")) {
            return "a date that everybody reads alike, such as 2026-01-31T12:00:00: this may begin with the month or with the"
                    + " day";
        }
        return EXPECTED;
    }

    private long since1970(String column, String text) {
        absolute(column, text);
        int point = text.indexOf('.');
        String digits = point < 0 ? text : text.substring(0, point);
        // Negative above the largest long, and refused as such.
        long number = Long.parseUnsignedLong(digits);
        long unit = SECOND;
        while (number >= MOST_SECONDS * (SECOND / unit) && unit > 1) {
            unit /= 1000;
        }
        long fraction = 0;
        if (point >= 0) {
            String places = (text.substring(point + 1) + "000000000").substring(0, 9);
            fraction = Long.parseLong(places) / (SECOND / unit);
        }
        return within(column, text, number / (SECOND / unit)) * SECOND + number % (SECOND / unit) * unit + fraction;
    }

    /**
     * Seconds on the clock since 1970 of {@code yyyy-MM-dd HH:mm:ss}, with T or a space; -1 when it is written
     * otherwise.
     */
    private static long wholeSeconds(String time) {
        if (time.length() != 19
                || time.charAt(4) != '-'
                || time.charAt(7) != '-'
                || (time.charAt(10) != 'T' && time.charAt(10) != ' ')
                || time.charAt(13) != ':'
                || time.charAt(16) != ':') {
            return -1;
        }
        int year = digits(time, 0, 4);
        int month = digits(time, 5, 2);
        int day = digits(time, 8, 2);
        int hour = digits(time, 11, 2);
        int minute = digits(time, 14, 2);
        int second = digits(time, 17, 2);
        boolean right = year >= 1970
                && year < 2100
                && month >= 1
                && month <= 12
                && day >= 1
                && hour >= 0
                && hour < 24
                && minute >= 0
                && minute < 60
                && second >= 0
                && second < 60;
        if (!right || day > Month.of(month).length(year % 4 == 0)) {
            return -1;
        }
        return LocalDate.of(year, month, day).toEpochDay() * DAY + hour * 3600L + minute * 60L + second;
    }

    private static int digits(String text, int from, int count) {
        int number = 0;
        for (int i = from; i < from + count; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = 10 * number + digit;
        }
        return number;
    }

    private long local(String column, String text, long seconds, int nano, long notBefore) {
        if (zone == null) {
            if (absolute) {
                throw new TraceFieldException(
                        column,
                        text,
                        "an offset, as other times of this log have, or --zone to say where its clocks hang");
            }
            floating = true;
            return seconds * SECOND + nano;
        }
        long day = Math.floorDiv(seconds, DAY);
        Integer known = offsets.get(day);
        int offset = known == null ? offsetOf(zone, day) : known;
        offsets.putIfAbsent(day, offset);
        if (offset != Integer.MIN_VALUE) {
            return (seconds - offset) * SECOND + nano;
        }
        LocalDateTime clock = LocalDateTime.ofEpochSecond(seconds, nano, ZoneOffset.UTC);
        List<ZoneOffset> valid = zone.getRules().getValidOffsets(clock);
        if (valid.isEmpty()) {
            return clock.atZone(zone).toEpochSecond() * SECOND + nano;
        }
        long time = 0;
        for (ZoneOffset one : valid) {
            time = (seconds - one.getTotalSeconds()) * SECOND + nano;
            if (time >= notBefore) {
                break;
            }
        }
        return time;
    }

    private static int offsetOf(ZoneId zone, long day) {
        ZoneOffset begin = zone.getRules().getOffset(LocalDate.ofEpochDay(day).atStartOfDay());
        ZoneOffset end = zone.getRules().getOffset(LocalDate.ofEpochDay(day + 1).atStartOfDay());
        return begin.equals(end) ? begin.getTotalSeconds() : Integer.MIN_VALUE;
    }

    private void absolute(String column, String text) {
        if (floating) {
            throw new TraceFieldException(
                    column,
                    text,
                    "a clock without an offset, as other times of this log are, or --zone to say where they hang");
        }
        absolute = true;
    }

    private static long within(String column, String text, long seconds) {
        if (seconds < 0 || seconds >= MOST_SECONDS) {
            throw new TraceFieldException(column, text, EXPECTED);
        }
        return seconds;
    }

    private void see(String offset) {
        if (seen.size() < 8) {
            seen.add(offset);
        }
    }

    /**
     * Whether a time that seems to be before another by an hour at most is so because a clock without a zone was put
     * back between the two: it is the night of a Sunday in spring or autumn.
     */
    public boolean wasPutBack(long before, long after) {
        if (!floating || after >= before || before - after > 3600 * SECOND) {
            return false;
        }
        LocalDateTime clock = LocalDateTime.ofEpochSecond(after / SECOND, 0, ZoneOffset.UTC);
        boolean season = Set.of(Month.MARCH, Month.APRIL, Month.SEPTEMBER, Month.OCTOBER, Month.NOVEMBER)
                .contains(clock.getMonth());
        if (season && clock.getDayOfWeek() == DayOfWeek.SUNDAY && clock.getHour() < 5) {
            moved++;
            return true;
        }
        return false;
    }

    /** Counts a start that was a little before its submission. */
    public void skew() {
        skewed++;
    }

    /** Counts an end that was a little before its start. */
    public void skewOfEnd() {
        endsSkewed++;
    }

    /** Remarks on the times, as sentences. */
    List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        if (!seen.isEmpty()) {
            remarks.add("Times have the offset %s.".formatted(String.join(", ", seen)));
        }
        if (zone != null) {
            remarks.add("Times without an offset are of the zone %s.".formatted(zone.getId()));
        }
        if (skewed > 0) {
            remarks.add(Counted.say(
                    "%,d jobs started up to 5 s before submission, by clocks that differ; the wait counts as 0 s.",
                    skewed));
        }
        if (endsSkewed > 0) {
            remarks.add(Counted.say(
                    "%,d jobs ended up to 5 s before the start, by clocks that differ; the start counts as the end.",
                    endsSkewed));
        }
        if (moved > 0) {
            remarks.add(Counted.say(
                    "%,d times were moved by an hour, for daylight saving ended that night; jobs that ran across the change may be wrong by an hour. --zone, such as Europe/Berlin, reads them exactly.",
                    moved));
        }
        return remarks;
    }
}
