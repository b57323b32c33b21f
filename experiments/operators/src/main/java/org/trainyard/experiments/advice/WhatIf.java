package org.trainyard.experiments.advice;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.workload.TraceJob;

/**
 * A change of a cluster, of its load or of its Slurm, such as {@code racks=+2, arrivals=1.3} or {@code bf_window=2880}.
 *
 * @param text as it was given
 * @param racks more than there are
 * @param servers more than there are, in the only rack
 * @param gpus type that all GPUs become, or null
 * @param arrivals by which submissions are denser
 * @param quotas GPUs at most by account, or by virtual cluster where jobs name no account
 * @param parameters of {@code SchedulerParameters}
 * @param weights lines of {@code slurm.conf}, {@code PriorityWeightAge} and the like
 */
public record WhatIf(
        String text,
        int racks,
        int servers,
        @Nullable GpuType gpus,
        double arrivals,
        Map<String, Integer> quotas,
        Map<String, String> parameters,
        Map<String, String> weights) {
    /** Words of every message about a change that cannot be read. */
    private static final String EXPECTED =
            "changes such as \"racks=+2\", \"servers=+4\", \"gpus=H100\", \"quota research=128\","
                    + " \"arrivals=1.3\", \"bf_window=2880\" or \"priority age=2000\", several separated by commas";

    private static final Pattern CHANGE =
            Pattern.compile("(racks|servers|gpus|arrivals|quota \\S+|priority \\w+|[a-z]+(?:_\\w+)+) *= *(\\S+)");
    private static final Pattern SHORTHAND = Pattern.compile("(?:(\\d+)x)?(\\d+)x(\\d+)(?::(.+))?");
    private static final Map<String, String> WEIGHTS = Map.of(
            "age", "PriorityWeightAge",
            "fairshare", "PriorityWeightFairshare",
            "jobsize", "PriorityWeightJobSize",
            "partition", "PriorityWeightPartition",
            "qos", "PriorityWeightQOS");

    public WhatIf {
        // In the order given: lines are printed in it.
        quotas = Collections.unmodifiableMap(new LinkedHashMap<>(quotas));
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        weights = Collections.unmodifiableMap(new LinkedHashMap<>(weights));
    }

    /** Reads a change. */
    public static WhatIf parse(String place, String text) {
        int racks = 0;
        int servers = 0;
        GpuType gpus = null;
        double arrivals = 1;
        Map<String, Integer> quotas = new LinkedHashMap<>();
        Map<String, String> parameters = new LinkedHashMap<>();
        Map<String, String> weights = new LinkedHashMap<>();
        for (String part : text.split(",", -1)) {
            Matcher change = CHANGE.matcher(part.strip());
            if (!change.matches()) {
                throw InputException.at(place, text, EXPECTED);
            }
            String what = change.group(1);
            String value = change.group(2);
            if (what.equals("racks")) {
                racks = (int) number(place, value, 1, 1000);
            } else if (what.equals("servers")) {
                servers = (int) number(place, value, 1, 10_000);
            } else if (what.equals("arrivals")) {
                arrivals = number(place, value, 0.01, 100);
            } else if (what.equals("gpus")) {
                gpus = type(place, value);
            } else if (what.startsWith("quota ")) {
                quotas.put(what.substring(6), (int) number(place, value, 0, 1_000_000));
            } else if (what.startsWith("priority ")) {
                String weight = WEIGHTS.get(what.substring(9));
                if (weight == null) {
                    throw InputException.at(place, what, "priority age, fairshare, jobsize, partition or qos");
                }
                weights.put(weight, Long.toString((long) number(place, value, 0, 4e9)));
            } else {
                parameters.put(what, value);
            }
        }
        return new WhatIf(text.strip(), racks, servers, gpus, arrivals, quotas, parameters, weights);
    }

    private static GpuType type(String place, String value) {
        GpuType type = GpuType.parse(value);
        if (type == null) {
            throw InputException.at(place, value, "a type of GPU such as H100, or NAME=SPEED");
        }
        return type;
    }

    private static double number(String place, String value, double least, double most) {
        try {
            double number = Double.parseDouble(value.startsWith("+") ? value.substring(1) : value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException wrong) {
            // Refused below.
        }
        throw InputException.at(place, value, "a number from %s to %s".formatted(least, most));
    }

    /** Whether it changes Slurm's configuration. */
    boolean configures() {
        return !parameters.isEmpty() || !weights.isEmpty();
    }

    /** The description of the cluster with its change. */
    public String cluster(String place, String description) {
        if (racks == 0 && servers == 0 && gpus == null) {
            return description;
        }
        Matcher shape = SHORTHAND.matcher(description);
        boolean hasRacks = shape.matches() && shape.group(1) != null;
        if (!shape.matches() || (hasRacks && servers > 0)) {
            throw InputException.at(
                    place, text, "a cluster given as SERVERSxGPUS or RACKSxSERVERSxGPUS (servers=+N: in one rack)");
        }
        int now = hasRacks ? Integer.parseInt(shape.group(1)) : 1;
        String type = gpus == null ? shape.group(4) == null ? "" : ":" + shape.group(4) : ":" + gpus.name();
        int perRack = Integer.parseInt(shape.group(2)) + servers;
        return (now + racks == 1 ? "" : (now + racks) + "x") + perRack + "x" + shape.group(3) + type;
    }

    /** Jobs as they would come and run; types of GPUs are no longer asked for where all become others. */
    List<TraceJob> jobs(List<TraceJob> jobs, double speedNow) {
        List<TraceJob> changed = new ArrayList<>();
        for (TraceJob job : jobs) {
            TraceJob one = arrivals == 1 ? job : job.ran(null).submittedAt(Math.round(job.submitNanos() / arrivals));
            if (gpus != null) {
                one = one.lasting(Math.max(1, Math.round(one.durationNanos() * speedNow / gpus.speed())))
                        .demanding(one.demand().onTypes(List.of()));
            }
            changed.add(quotas.isEmpty() ? one : LoggedJobs.inTenant(one));
        }
        return changed;
    }

    /** Slurm's files with changed parameters and weights. */
    public SlurmFiles files(SlurmFiles files) {
        List<String> lines = new ArrayList<>();
        List<String> said = new ArrayList<>();
        for (String line : files.conf()) {
            String key = line.strip().split("=", 2)[0].strip();
            if (key.equalsIgnoreCase("SchedulerParameters") && !parameters.isEmpty()) {
                for (String one :
                        line.strip().substring(line.strip().indexOf('=') + 1).split(",", -1)) {
                    if (!one.isBlank() && !parameters.containsKey(one.split("=", 2)[0].strip())) {
                        said.add(one.strip());
                    }
                }
            } else if (weights.keySet().stream().noneMatch(key::equalsIgnoreCase)) {
                lines.add(line);
            }
        }
        parameters.forEach((key, value) -> said.add(key + "=" + value));
        if (!parameters.isEmpty()) {
            lines.add("SchedulerParameters=" + String.join(",", said));
        }
        weights.forEach((key, value) -> lines.add(key + "=" + value));
        return files.with(lines);
    }

    /** The lines of {@code slurm.conf} that it changes, for one who wants to make the change. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (!parameters.isEmpty()) {
            List<String> said = new ArrayList<>();
            parameters.forEach((key, value) -> said.add(key + "=" + value));
            lines.add("SchedulerParameters=...," + String.join(",", said));
        }
        weights.forEach((key, value) -> lines.add(key + "=" + value));
        return lines;
    }

    /** Jobs of a log as they might have been. */
    private static final class LoggedJobs {
        private LoggedJobs() {}

        /** With its account as the tenant that a quota limits, where it names one. */
        static TraceJob inTenant(TraceJob job) {
            String account = job.terms().account();
            if (account == null) {
                return job;
            }
            return new TraceJob(
                    job.id(),
                    job.submitNanos(),
                    job.demand(),
                    job.durationNanos(),
                    job.model(),
                    job.user(),
                    job.group(),
                    account,
                    null,
                    job.hidden(),
                    job.plan(),
                    job.attached(),
                    job.terms());
        }
    }
}
