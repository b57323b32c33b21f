package org.trainyard.env.workload.trace.batch;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Locale;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceLimits;
import org.trainyard.env.workload.log.TraceFieldException;
import org.trainyard.env.workload.log.TraceRow;
import org.trainyard.env.workload.trace.log.LogEntry;
import org.trainyard.env.workload.trace.log.LogJobs;

/**
 * Reads workloads of Batsim: jobs with a profile, of which those that last a fixed time (type {@code delay}, or
 * {@code DelayProfile} since version 5) are read. Resources stand for GPUs.
 */
public final class BatsimJson {
    private final LogJobs jobs;

    public BatsimJson(LogJobs jobs) {
        this.jobs = jobs;
        jobs.note("Resources stand for GPUs (%,d file).");
    }

    /** Whether an object is a job of Batsim. */
    public static boolean isJob(JsonNode node) {
        return node.has("subtime") && node.has("res") && node.has("profile");
    }

    /** Takes one job, with the profiles of its workload. */
    public void add(JsonNode job, JsonNode profiles) {
        String id = job.path("id").asText();
        JsonNode profile = profiles.path(job.path("profile").asText());
        String type = profile.path("type").asText();
        JsonNode res = job.path("res");
        if (id.isEmpty() || !res.isIntegralNumber() || res.asLong() < 1 || res.asLong() > TraceLimits.GPUS) {
            throw new TraceFieldException("res", res.asText(), "a job with an id and a whole number of resources");
        }
        LogEntry entry = new LogEntry(id)
                .gpus(res.asInt(), 1000)
                .by(null, null, job.path("profile").asText());
        if (!type.toLowerCase(Locale.ROOT).startsWith("delay")
                || !profile.path("delay").isNumber()) {
            jobs.leaveOut(
                    "whose profile has no fixed duration (type %s)".formatted(type.isEmpty() ? "missing" : type),
                    entry);
            return;
        }
        long length = nanos(profile.path("delay"), "delay");
        if (length == 0) {
            throw new TraceFieldException("delay", "0", TraceRow.NOT_ZERO);
        }
        JsonNode limit = job.path("walltime");
        boolean limited = limit.isNumber() && limit.asDouble() > 0;
        jobs.take(entry.submitted(nanos(job.path("subtime"), "subtime"))
                .lasted(length)
                .terms(new SubmissionTerms.Builder()
                        .limitNanos(limited ? nanos(limit, "walltime") : 0)
                        .build()));
    }

    private static long nanos(JsonNode node, String field) {
        BigDecimal seconds = node.isNumber() ? node.decimalValue() : BigDecimal.valueOf(-1);
        if (seconds.signum() < 0) {
            throw new TraceFieldException(field, node.asText(), "a time of zero or more in seconds");
        }
        if (seconds.compareTo(BigDecimal.valueOf(TraceLimits.NANOS, 9)) > 0) {
            throw new TraceFieldException(field, node.asText(), "a time of less than 146 years");
        }
        return seconds.movePointRight(9).longValue();
    }
}
