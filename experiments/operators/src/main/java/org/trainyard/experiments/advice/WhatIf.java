package org.trainyard.experiments.advice;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.MaintenanceWindow;
import org.trainyard.env.simulation.Outage;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TraceLimits;
import org.trainyard.env.workload.log.LogClock;
import org.trainyard.env.workload.log.TraceFieldException;
import org.trainyard.env.workload.trace.slurm.SlurmText;

/**
 * A change of a cluster, of its load or of its Slurm, such as {@code racks=+2, arrivals=1.3} or {@code bf_window=2880}.
 *
 * @param racks more than there are
 * @param servers more than there are, each after the last that is alike and in its rack
 * @param serversOf the type of GPU of these, as in the cluster; null where it has one
 * @param gpus type that all GPUs become, or null
 * @param arrivals by which submissions are denser
 * @param quotas GPUs at most by account, or by virtual cluster where jobs name no account
 * @param parameters of {@code SchedulerParameters}
 * @param limits the longest time limit by partition, nanoseconds; of the key "" for all
 * @param shares of accounts in {@code assoc.txt}
 * @param window begin and end of a maintenance of all servers, as given; or null
 * @param weights lines of {@code slurm.conf}, {@code PriorityWeightAge} and the like
 */
public record WhatIf(
        String text,
        int racks,
        int servers,
        @Nullable String serversOf,
        @Nullable GpuType gpus,
        double arrivals,
        Map<String, Integer> quotas,
        Map<String, Long> limits,
        Map<String, Integer> shares,
        @Nullable String window,
        Map<String, String> parameters,
        Map<String, String> weights) {
    /** Words of every message about a change that cannot be read. */
    private static final String EXPECTED =
            "changes such as \"racks=+2\", \"servers=+4\", \"servers=+4 of H100\", \"gpus=H100\", \"quota research=128\","
                    + " \"arrivals=1.3\", \"limit=24h\", \"limit h100=24h\", \"share bio=60\", \"window=120h..128h\","
                    + " \"bf_window=2880\" or \"priority age=2000\", several separated by commas";

    private static final Pattern CHANGE = Pattern.compile(
            "(racks|servers|gpus|arrivals|limit|limit \\S+|window|quota \\S+|share \\S+|priority \\w+|[a-z]+(?:_\\w+)+)"
                    + " *= *(\\S+)(?: +of +(\\S+))?");
    private static final Pattern SHORTHAND = Pattern.compile("(?:(\\d+)x)?(\\d+)x(\\d+)(?::(.+))?");
    private static final Pattern SPAN = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?)(d|h|min|s)");
    private static final Map<String, Integer> UNITS = Map.of("d", 86_400, "h", 3_600, "min", 60, "s", 1);
    private static final Map<String, String> WEIGHTS = Map.of(
            "age", "PriorityWeightAge",
            "fairshare", "PriorityWeightFairshare",
            "jobsize", "PriorityWeightJobSize",
            "partition", "PriorityWeightPartition",
            "qos", "PriorityWeightQOS");

    public WhatIf {
        // In the order given: lines are printed in it.
        quotas = Collections.unmodifiableMap(new LinkedHashMap<>(quotas));
        limits = Collections.unmodifiableMap(new LinkedHashMap<>(limits));
        shares = Collections.unmodifiableMap(new LinkedHashMap<>(shares));
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        weights = Collections.unmodifiableMap(new LinkedHashMap<>(weights));
    }

    /** A change of {@code slurm.conf} alone. */
    public static WhatIf ofSlurm(String text, Map<String, String> parameters, Map<String, String> weights) {
        return new WhatIf(text, 0, 0, null, null, 1, Map.of(), Map.of(), Map.of(), null, parameters, weights);
    }

    /** Reads a change. */
    public static WhatIf parse(String place, String text) {
        int racks = 0;
        int servers = 0;
        String of = null;
        String window = null;
        Map<String, Long> limits = new LinkedHashMap<>();
        Map<String, Integer> shares = new LinkedHashMap<>();
        GpuType gpus = null;
        double arrivals = 1;
        Map<String, Integer> quotas = new LinkedHashMap<>();
        Map<String, String> parameters = new LinkedHashMap<>();
        Map<String, String> weights = new LinkedHashMap<>();
        for (String part : text.split(",", -1)) {
            Matcher change = CHANGE.matcher(part.strip());
            boolean isServers = change.matches() && change.group(1).equals("servers");
            if (!change.matches() || (change.group(3) != null && !isServers)) {
                throw InputException.at(place, text, EXPECTED);
            }
            String what = change.group(1);
            String value = change.group(2);
            if (what.equals("racks")) {
                racks = (int) number(place, value, 1, 1000);
            } else if (what.equals("servers")) {
                servers = (int) number(place, value, 1, 10_000);
                of = change.group(3);
            } else if (what.startsWith("limit")) {
                limits.put(what.substring(5).strip(), nanos(place, value));
            } else if (what.startsWith("share ")) {
                shares.put(what.substring(6), (int) number(place, value, 0, 1_000_000));
            } else if (what.equals("window")) {
                window = value;
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
        return new WhatIf(
                text.strip(), racks, servers, of, gpus, arrivals, quotas, limits, shares, window, parameters, weights);
    }

    /** A span of time such as {@code 24h}, {@code 90min}, {@code 2d} or {@code 1-12:00:00}. */
    private static long nanos(String place, String value) {
        Matcher unit = SPAN.matcher(value);
        if (unit.matches()) {
            return (long) (Double.parseDouble(unit.group(1)) * UNITS.getOrDefault(unit.group(2), 1) * 1e9);
        }
        long seconds = value.contains(":") ? SlurmText.seconds(place, value) : -1;
        if (seconds < 0 || seconds > TraceLimits.NANOS / 1_000_000_000L) {
            throw InputException.at(place, value, "a span of time such as 24h, 90min, 2d or 1-12:00:00");
        }
        return 1_000_000_000L * seconds;
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
        return !parameters.isEmpty() || !weights.isEmpty() || !shares.isEmpty();
    }

    /**
     * Refuses what cannot be tried, before anything runs.
     *
     * @param resolve gives the topology of a description
     * @param files of the cluster's Slurm, or of the scheduler; null for none
     * @param scheduler that was named, or null
     * @param zeroNanos time 0 of the log, nanoseconds since 1970; 0 where it has no dates
     */
    public void check(
            String place,
            String description,
            Topology topology,
            Function<String, Topology> resolve,
            List<TraceJob> jobs,
            @Nullable SlurmFiles files,
            @Nullable String scheduler,
            long zeroNanos) {
        int after = cluster(place, description, topology, resolve).after();
        if (servers > 0 && files != null) {
            files.grown(servers, after);
        }
        windows(place, topology, zeroNanos);
        boolean isSlurm = scheduler == null ? files != null : scheduler.startsWith("slurm");
        if (configures() && !isSlurm) {
            throw InputException.at(
                    place,
                    text,
                    "--scheduler slurm or slurm:PATH/slurm.conf, for %s"
                            .formatted(
                                    scheduler == null
                                            ? "no slurm.conf lies beside the log"
                                            : scheduler + " is not Slurm"));
        }
        if (!shares.isEmpty()) {
            if (files == null || files.associations() == null) {
                throw InputException.at(place, text, "a slurm.conf with assoc.txt beside it, which has the shares");
            }
            files.sharing(place, shares);
        }
        for (String partition : limits.keySet()) {
            if (!partition.isEmpty()
                    && jobs.stream()
                            .noneMatch(job -> partition.equals(job.terms().partition()))) {
                throw InputException.at(
                        place,
                        "limit " + partition,
                        "a partition of the log: "
                                + jobs.stream()
                                        .map(job -> String.valueOf(job.terms().partition()))
                                        .distinct()
                                        .sorted()
                                        .limit(12)
                                        .collect(Collectors.joining(", ")));
            }
        }
    }

    /** The maintenance that it adds: none or one window. */
    List<MaintenanceWindow> windows(String place, Topology topology, long zeroNanos) {
        if (window == null) {
            return List.of();
        }
        String[] ends = window.split("\\.\\.", -1);
        if (ends.length != 2) {
            throw InputException.at(
                    place, window, "begin and end such as 120h..128h or 2026-01-31T06:00..2026-01-31T14:00");
        }
        long from = instant(place, ends[0], zeroNanos);
        long until = instant(place, ends[1], zeroNanos);
        if (from < 0 || until <= from) {
            throw InputException.at(place, window, "a begin after the first submission, and an end after the begin");
        }
        return List.of(new MaintenanceWindow(
                new Outage(from, until),
                IntStream.range(0, topology.servers()).boxed().toList()));
    }

    private static long instant(String place, String text, long zeroNanos) {
        if (!text.contains("-") || SPAN.matcher(text).matches()) {
            return nanos(place, text);
        }
        if (zeroNanos == 0) {
            throw InputException.at(
                    place, text, "a time after the first submission such as 120h, for the log has no dates");
        }
        try {
            return new LogClock(null).nanos(place, text, 0) - zeroNanos;
        } catch (TraceFieldException e) {
            throw InputException.at(place, text, e.expected());
        }
    }

    /** A cluster with its change, and the number of the server after which new ones stand. */
    record Changed(String description, Topology topology, int after) {}

    /** The cluster with its change. */
    Changed cluster(String place, String description, Topology now, Function<String, Topology> resolve) {
        if (racks == 0 && servers == 0 && gpus == null) {
            return new Changed(description, now, now.servers() - 1);
        }
        Matcher shape = SHORTHAND.matcher(description);
        boolean hasRacks = shape.matches() && shape.group(1) != null;
        if (serversOf != null || !shape.matches() || (hasRacks && servers > 0)) {
            if (racks > 0 || gpus != null) {
                throw InputException.at(
                        place,
                        text,
                        "servers=+N of TYPE alone, or a cluster given as SERVERSxGPUS or RACKSxSERVERSxGPUS");
            }
            int after = lastOf(place, now);
            String added = "+%d of %s".formatted(servers, type(now, after));
            return new Changed(description + " " + added, widened(now, after), after);
        }
        String changed = described(shape, hasRacks);
        return new Changed(changed, resolve.apply(changed), now.servers() - 1);
    }

    private static String type(Topology topology, int server) {
        return topology.server(server).gpuType().name();
    }

    /** The last server of the type that new ones have. */
    private int lastOf(String place, Topology now) {
        Set<String> types = IntStream.range(0, now.servers())
                .mapToObj(server -> type(now, server))
                .collect(Collectors.toCollection(TreeSet::new));
        String wanted =
                serversOf != null ? GpuType.nameIn(serversOf) : types.iterator().next();
        if (serversOf == null && types.size() > 1) {
            throw InputException.at(
                    place, text, "servers=+%d of one of %s".formatted(servers, String.join(", ", types)));
        }
        return IntStream.range(0, now.servers())
                .filter(server -> type(now, server).equalsIgnoreCase(wanted))
                .max()
                .orElseThrow(() -> InputException.at(
                        place, text, "a type of GPU that the cluster has: " + String.join(", ", types)));
    }

    /** The cluster with more servers like one, behind it in its rack; switches and links stay. */
    private Topology widened(Topology now, int after) {
        Topology.Builder builder = new Topology.Builder(now.name(), now.fabric()).wiring(now.wiring());
        List<String> names = new ArrayList<>();
        for (int rack = 0; rack < now.racks(); rack++) {
            List<ServerSpec> specs = new ArrayList<>();
            List<Link> nics = new ArrayList<>();
            for (int i = 0; i < now.serversIn(rack); i++) {
                int server = now.firstServer(rack) + i;
                for (int copy = 0; copy <= (server == after ? servers : 0); copy++) {
                    specs.add(now.server(server));
                    nics.add(now.nic(server));
                    names.add(copy == 0 ? now.serverName(server) : "added" + copy);
                }
            }
            builder.rack(specs, nics, 1);
        }
        boolean isNamed = IntStream.range(0, now.servers())
                .anyMatch(server -> !now.serverName(server).equals("server " + server));
        return (isNamed ? builder.serverNames(names) : builder).build();
    }

    private String described(Matcher shape, boolean hasRacks) {
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
            Long limit = limits.getOrDefault(String.valueOf(job.terms().partition()), limits.get(""));
            if (limit != null) {
                one = limited(one, limit);
            }
            if (gpus != null) {
                one = one.lasting(Math.max(1, Math.round(one.durationNanos() * speedNow / gpus.speed())))
                        .demanding(one.demand().onTypes(List.of()));
            }
            changed.add(quotas.isEmpty() ? one : LoggedJobs.inTenant(one));
        }
        return changed;
    }

    /** A job that asks for no more time, and ends then. */
    private static TraceJob limited(TraceJob job, long limit) {
        long asked = job.terms().limitNanos();
        TraceJob shorter = job.durationNanos() > limit ? job.ran(null).lasting(limit) : job;
        return asked > 0 && asked <= limit
                ? shorter
                : shorter.on(shorter.terms().but().limitNanos(limit).build());
    }

    /** The jobs that would be cut at its limits, and what they did after these, as a sentence; null for none. */
    @Nullable String cut(List<TraceJob> jobs) {
        long count = 0;
        double hours = 0;
        for (TraceJob job : jobs) {
            Long limit = limits.getOrDefault(String.valueOf(job.terms().partition()), limits.get(""));
            if (limit != null && job.durationNanos() > limit) {
                count++;
                hours += job.gpuHours() * (1 - (double) limit / job.durationNanos());
            }
        }
        return limits.isEmpty()
                ? null
                : String.format(
                        Locale.ROOT,
                        "%s: longer limits are cut to it; %s of the log %s longer and end there, without %,.1f GPU-hours of their work.",
                        text,
                        Counted.of(count, "job"),
                        Counted.verb(count, "run"),
                        hours);
    }

    /** Slurm's files with changed parameters, weights and shares. */
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
        return shares.isEmpty() ? files.with(lines) : files.with(lines).sharing("--what-if", shares);
    }

    /** Whether it changes weights of priorities. */
    boolean weighs() {
        return !weights.isEmpty();
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

        /** Returns the job with its account as the tenant that a quota limits, where it names one. */
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
