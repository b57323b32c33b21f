package org.trainyard.experiments.forecast;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TraceLimits;

/** Reads a job as people describe it, such as {@code 8 gpus, 4 h, account a}. */
public final class AskedJob {
    /** Id of the job, which no job of a log has. */
    public static final String ID = "(the job asked about)";

    private static final String EXPECTED = "such as \"8 gpus, 4 h, account a\"; there are also user, qos, partition,"
            + " group, type, \"64 cpus\", \"100 gib\", \"one server\" and \"24 h limit\"";
    private static final Pattern GPUS = Pattern.compile("(\\d{1,6}) *gpus?");
    private static final Pattern HOST =
            Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?) *(cpus?|cores?|mib?|mb|gib?|gb|tib?|tb)(?: memory)?");
    private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?) *(s|sec|min|m|h|hours?|d|days?)( limit)?");
    private static final Pattern NAMED =
            Pattern.compile("(account|user|qos|partition|group|name|type|virtual cluster) +(\\S.*)");

    private int gpus;
    private long cpuMilli;
    private long memoryMib;
    private long limitNanos;
    private String user = "";
    private String group = "";
    private String virtualCluster = "";
    private String type = "";
    private boolean isOnOneServer;
    private SubmissionTerms.Builder terms = SubmissionTerms.NONE.but();

    private AskedJob() {}

    /**
     * Reads it.
     *
     * @param place of the text in messages
     * @param nowNanos when it is submitted
     */
    public static TraceJob parse(String place, String text, long nowNanos) {
        AskedJob job = new AskedJob();
        for (String part : text.split(",", -1)) {
            if (!job.take(part.strip())) {
                throw InputException.at(place, part.strip().isEmpty() ? text : part.strip(), EXPECTED);
            }
        }
        if (job.gpus == 0) {
            throw InputException.at(place, text, "a number of GPUs above 0, " + EXPECTED);
        }
        return job.build(nowNanos);
    }

    private boolean take(String part) {
        Matcher number = GPUS.matcher(part.toLowerCase(Locale.ROOT));
        if (number.matches()) {
            gpus = Integer.parseInt(number.group(1));
            return true;
        }
        Matcher host = HOST.matcher(part.toLowerCase(Locale.ROOT));
        if (host.matches()) {
            double amount = Double.parseDouble(host.group(1));
            switch (host.group(2).charAt(0)) {
                case 'c' -> cpuMilli = Math.round(1000 * amount);
                case 'm' -> memoryMib = Math.round(amount);
                case 'g' -> memoryMib = Math.round(1024 * amount);
                default -> memoryMib = Math.round(1024 * 1024 * amount);
            }
            return true;
        }
        Matcher time = TIME.matcher(part.toLowerCase(Locale.ROOT));
        if (time.matches()) {
            double unit = switch (time.group(2).charAt(0)) {
                case 's' -> 1;
                case 'm' -> 60;
                case 'h' -> 3600;
                default -> 86_400;
            };
            limitNanos = Math.round(1e9 * unit * Double.parseDouble(time.group(1)));
            return limitNanos > 0 && limitNanos <= TraceLimits.NANOS;
        }
        if (part.equalsIgnoreCase("one server")) {
            isOnOneServer = true;
            return true;
        }
        Matcher named = NAMED.matcher(part);
        return named.matches() && takeNamed(named.group(1), named.group(2));
    }

    private boolean takeNamed(String what, String value) {
        switch (what) {
            case "account" -> terms = terms.account(value);
            case "qos" -> terms = terms.qos(value);
            case "partition" -> terms = terms.partition(value);
            case "user" -> user = value;
            case "type" -> type = value;
            case "virtual cluster" -> virtualCluster = value;
            default -> group = value;
        }
        return true;
    }

    private TraceJob build(long nowNanos) {
        Demand demand = Demand.ofGpus(gpus);
        demand = cpuMilli + memoryMib > 0 ? demand.withHost(cpuMilli, memoryMib) : demand;
        demand = isOnOneServer ? demand.onOneServer() : demand;
        demand = type.isEmpty() ? demand : demand.onTypes(List.of(type));
        return new TraceJob(
                        ID,
                        nowNanos,
                        demand,
                        Math.max(1, limitNanos),
                        null,
                        user.isEmpty() ? null : user,
                        group.isEmpty() ? null : group,
                        virtualCluster.isEmpty() ? null : virtualCluster)
                .on(terms.limitNanos(limitNanos).build());
    }
}
