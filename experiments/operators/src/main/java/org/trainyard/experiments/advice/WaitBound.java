package org.trainyard.experiments.advice;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.metrics.Distribution;

/**
 * A bound on what some jobs may lose, such as {@code p95 of >=16 GPUs: 10 %}.
 *
 * @param text as it was given
 * @param figure of their waits: mean, median, p95 or p99
 * @param kind GPUS, ACCOUNT, USER, QOS or ALL
 * @param name of the account, user or QOS; of GPUs the least
 * @param share by which the figure may exceed that of today
 */
public record WaitBound(String text, String figure, String kind, String name, double share) {
    /** Differences below a minute do not count. */
    private static final double LEAST_SECONDS = 60;

    private static final Pattern FORM = Pattern.compile(
            "(mean|median|p95|p99)(?: wait)? of (?:>= ?(\\d+) gpus?|(account|user|qos) (\\S+)|(all))(?: jobs)? ?: ?(\\d+(?:\\.\\d+)?) ?%",
            Pattern.CASE_INSENSITIVE);

    /** Reads one. */
    public static WaitBound parse(String place, String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw InputException.at(
                    place,
                    text,
                    "such as \"p95 of >=16 GPUs: 10 %\", \"mean of account a: 0 %\" or \"p99 of all: 5 %\"");
        }
        String kind = form.group(2) != null ? "GPUS" : form.group(5) != null ? "ALL" : form.group(3);
        String name = form.group(2) != null ? form.group(2) : form.group(5) != null ? "" : form.group(4);
        return new WaitBound(
                text.strip(),
                form.group(1).toLowerCase(Locale.ROOT),
                kind.toUpperCase(Locale.ROOT),
                name,
                Double.parseDouble(form.group(6)) / 100);
    }

    public int[] places(List<TraceJob> jobs) {
        return IntStream.range(0, jobs.size()).filter(i -> holds(jobs.get(i))).toArray();
    }

    private boolean holds(TraceJob job) {
        return switch (kind) {
            case "GPUS" -> job.gpus() >= Integer.parseInt(name);
            case "ACCOUNT" -> name.equals(job.terms().account());
            case "QOS" -> name.equals(job.terms().qos());
            case "USER" -> name.equals(job.user());
            default -> true;
        };
    }

    /** Whether a scheduler keeps it, by outcomes of the same jobs. */
    public boolean isKept(LogOutcome now, LogOutcome then, int[] places) {
        return then.over(places).jobs() == 0
                || figure(then.over(places)) <= figure(now.over(places)) * (1 + share) + LEAST_SECONDS;
    }

    private double figure(LogOutcome outcome) {
        Distribution waits = outcome.waits();
        return switch (figure) {
            case "mean" -> waits.mean();
            case "median" -> waits.median();
            case "p95" -> waits.p95();
            default -> waits.p99();
        };
    }
}
