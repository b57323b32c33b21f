package org.trainyard.env.dependency;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;

/**
 * A condition on other jobs under which a job may start, as Slurm's {@code --dependency} has it:
 * {@code afterok:17:18,singleton}.
 *
 * @param kind the event of the other job that it waits for
 * @param on id of the job or of the array; empty for {@link Kind#SINGLETON}
 * @param delayNanos time after the start of the other job, for {@link Kind#AFTER}
 */
public record Dependency(Kind kind, String on, long delayNanos) {
    private static final Pattern OTHER = Pattern.compile("([^:+()]+)(?:\\+(\\d+))?(?:\\([a-z ]*\\))?");
    private static final long MINUTE_NANOS = 60_000_000_000L;

    /** Event of the other job that a dependency waits for. */
    public enum Kind {
        /** The other job has started, so many minutes ago, or was cancelled. */
        AFTER,
        /** The other job has ended, in whatever way. */
        AFTERANY,
        /** The other job has ended by itself. */
        AFTEROK,
        /** The other job was killed or turned away. */
        AFTERNOTOK,
        /** The task of the same number in the other array has ended by itself. */
        AFTERCORR,
        /** All earlier jobs of the same user and group have ended. */
        SINGLETON
    }

    /**
     * The conditions of a job.
     *
     * @param any whether one of them is enough
     */
    public record Conditions(List<Dependency> all, boolean any) {
        public Conditions {
            all = List.copyOf(all);
        }
    }

    /**
     * The conditions that a text of Slurm says.
     *
     * @param job the job that says it, for messages
     * @throws InputException when it is no such text
     */
    public static Conditions parse(String job, String text) {
        boolean any = text.indexOf('?') >= 0;
        List<Dependency> all = new ArrayList<>();
        for (String part : text.split(any ? "\\?" : ",", -1)) {
            String[] words = part.trim().split(":", -1);
            String first = words[0].replaceFirst("\\([a-z ]*\\)$", "");
            Kind kind = Arrays.stream(Kind.values())
                    .filter(known -> known.name().equals(first.toUpperCase(Locale.ROOT)))
                    .findFirst()
                    .orElse(null);
            if (kind == null || (kind == Kind.SINGLETON) != (words.length == 1)) {
                throw bad(job, text);
            }
            if (kind == Kind.SINGLETON) {
                all.add(new Dependency(kind, "", 0));
            }
            for (String word : Arrays.asList(words).subList(1, words.length)) {
                all.add(other(job, text, kind, word.trim()));
            }
        }
        return new Conditions(all, any);
    }

    private static Dependency other(String job, String text, Kind kind, String word) {
        Matcher other = OTHER.matcher(word);
        if (!other.matches()) {
            throw bad(job, text);
        }
        @Nullable String minutes = other.group(2);
        boolean isTimed = minutes != null;
        if (isTimed && (kind != Kind.AFTER || minutes.length() > 9)) {
            throw bad(job, text);
        }
        String on = other.group(1).replaceFirst("_\\*$", "");
        return new Dependency(kind, on, isTimed ? Long.parseLong(minutes) * MINUTE_NANOS : 0);
    }

    private static InputException bad(String job, String text) {
        String kinds = Arrays.stream(Kind.values())
                .map(kind -> kind.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        return InputException.at(
                "job " + job + ", dependency", text, "KIND:JOB[:JOB...][,KIND:JOB...] with a kind of " + kinds);
    }
}
