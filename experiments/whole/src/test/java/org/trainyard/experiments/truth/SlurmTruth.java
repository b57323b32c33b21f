package org.trainyard.experiments.truth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a Slurm does, by few rules, independent of the program under test: multifactor priorities with the fair tree,
 * EASY backfill with one reservation for each partition, MaxTRESPU of each QOS, and maintenance that no limit may
 * cross.
 */
final class SlurmTruth {
    private static final double DAY = 86_400;
    private static final double HALF_LIFE = 7 * DAY;
    private static final double OLDEST = 7 * DAY;
    private static final int DEBUG_SERVERS = 2;
    private static final Map<String, Double> QOS = Map.of("low", 0.0, "normal", 0.1, "high", 0.5, "debug", 1.0);
    private static final Map<String, Double> PARTITION = Map.of("gpu", 0.1, "h100", 0.1, "debug", 1.0);

    /** GPUs of servers that a job will hold from an instant on. */
    private record Held(long at, int[] servers, int each) {}

    private final OperatorsSettings settings;
    private final List<TrueJob> jobs;
    private final int[] free;
    private final List<TrueJob> pending = new ArrayList<>();
    private final List<TrueJob> running = new ArrayList<>();
    private final Map<String, Integer> inUse = new HashMap<>();
    private final Map<String, Double> usage = new TreeMap<>();
    private final Map<String, String> accounts = new TreeMap<>();
    private final TreeMap<Long, int[]> rooms = new TreeMap<>();
    private long now;

    private SlurmTruth(OperatorsSettings settings, List<TrueJob> jobs) {
        this.settings = settings;
        this.jobs = jobs;
        free = new int[settings.a100() + settings.h100()];
        Arrays.fill(free, 8);
        jobs.forEach(job -> accounts.put(job.user, job.account));
        accounts.keySet().forEach(user -> usage.put(user, 0.0));
    }

    /** Runs all jobs; their starts, ends and servers are set. */
    static List<TrueJob> run(OperatorsSettings settings) {
        return run(settings, new OperatorsJobs(settings).all());
    }

    /** Runs these jobs, in order of submission. */
    static List<TrueJob> run(OperatorsSettings settings, List<TrueJob> jobs) {
        new SlurmTruth(settings, jobs).play();
        return jobs;
    }

    private void play() {
        TreeSet<Long> instants = new TreeSet<>();
        jobs.forEach(job -> instants.add(job.submit));
        jobs.stream().filter(job -> job.cancel != TrueJob.NEVER).forEach(job -> instants.add(job.cancel));
        settings.windows().forEach(window -> instants.add(window.endSeconds()));
        now = settings.startSeconds();
        int next = 0;
        while (!instants.isEmpty() && (now <= settings.lastSeconds() || isOpen())) {
            long at = instants.pollFirst();
            passTo(at);
            for (TrueJob job : List.copyOf(running)) {
                if (job.end == now) {
                    end(job);
                }
            }
            for (TrueJob job : List.copyOf(pending)) {
                if (job.cancel <= now) {
                    job.end = now;
                    pending.remove(job);
                }
            }
            for (; next < jobs.size() && jobs.get(next).submit <= now; next++) {
                pending.add(jobs.get(next));
            }
            schedule(instants);
        }
    }

    /** Whether some job of the log still waits or runs. */
    private boolean isOpen() {
        return Stream.concat(pending.stream(), running.stream()).anyMatch(job -> job.submit <= settings.lastSeconds());
    }

    /** Usage decays, and grows by the CPUs held. */
    private void passTo(long at) {
        double kept = Math.pow(0.5, (at - now) / HALF_LIFE);
        usage.replaceAll((user, used) -> used * kept);
        running.forEach(job -> usage.merge(job.user, (double) job.cpus() * (at - now), Double::sum));
        now = at;
    }

    private void end(TrueJob job) {
        running.remove(job);
        for (int server : job.servers) {
            free[server] += job.perNode();
        }
        inUse.merge(job.user + job.qos, -job.gpus, Integer::sum);
    }

    private void schedule(TreeSet<Long> instants) {
        Map<String, Double> factors = fairTree();
        Map<TrueJob, Double> priority = new HashMap<>();
        pending.forEach(job -> priority.put(job, priority(job, factors)));
        pending.sort(
                Comparator.comparingDouble((TrueJob job) -> -priority.get(job)).thenComparingInt(job -> job.number));
        Map<String, Held> reserved = new LinkedHashMap<>();
        foresee();
        for (TrueJob job : List.copyOf(pending)) {
            if (inUse.getOrDefault(job.user + job.qos, 0) + job.gpus
                    > settings.maxGpusPerUser().get(job.qos)) {
                continue;
            }
            int[] servers = isOpen(now, job) ? servers(job, now, reserved) : new int[0];
            if (servers.length > 0) {
                start(job, servers);
                instants.add(job.end);
                foresee();
            } else if (!reserved.containsKey(job.partition)) {
                reserve(job, reserved);
            }
        }
    }

    private void start(TrueJob job, int[] servers) {
        pending.remove(job);
        running.add(job);
        job.servers = servers;
        job.start = now;
        job.end = Math.min(now + Math.min(job.work, job.limit), Math.max(now + 1, job.cancel));
        for (int server : servers) {
            free[server] -= job.perNode();
        }
        inUse.merge(job.user + job.qos, job.gpus, Integer::sum);
    }

    /** Whether no maintenance begins before its limit. */
    private boolean isOpen(long at, TrueJob job) {
        return settings.windows().stream()
                .allMatch(window -> at + job.limit <= window.startSeconds() || at >= window.endSeconds());
    }

    /** The earliest time at which the job can start, by the limits of those that run. */
    private void reserve(TrueJob job, Map<String, Held> reserved) {
        TreeSet<Long> times = new TreeSet<>();
        running.forEach(one -> times.add(one.start + one.limit));
        settings.windows().forEach(window -> times.add(window.endSeconds()));
        for (long at : times) {
            int[] servers = at > now && isOpen(at, job) ? servers(job, at, reserved) : new int[0];
            if (servers.length > 0) {
                reserved.put(job.partition, new Held(at, servers, job.perNode()));
                return;
            }
        }
    }

    /** The fullest servers with room for the job from an instant on; none when there are too few. */
    private int[] servers(TrueJob job, long at, Map<String, Held> reserved) {
        int[] room = freeAt(at);
        int first = settings.a100() - DEBUG_SERVERS;
        int from = job.partition.equals("h100") ? settings.a100() : job.partition.equals("debug") ? first : 0;
        int to = job.partition.equals("h100") ? room.length : settings.a100();
        if (IntStream.range(from, to)
                        .filter(server -> room[server] >= job.perNode())
                        .count()
                < job.nodes()) {
            return new int[0];
        }
        for (Held held : reserved.values()) {
            if (held.at < at + job.limit) {
                int[] then = held.at > at ? freeAt(held.at) : room.clone();
                for (int server : held.servers) {
                    room[server] = Math.min(room[server], then[server] - held.each);
                }
            }
        }
        List<Integer> fitting = new ArrayList<>();
        for (int server = from; server < to; server++) {
            if (room[server] >= job.perNode()) {
                fitting.add(server);
            }
        }
        fitting.sort(Comparator.comparingInt(server -> room[server]));
        return fitting.size() < job.nodes()
                ? new int[0]
                : fitting.subList(0, job.nodes()).stream()
                        .mapToInt(x -> x)
                        .sorted()
                        .toArray();
    }

    /** Free GPUs of each server from an instant on, by the limits of those that run. */
    private int[] freeAt(long at) {
        return at <= now ? free.clone() : rooms.floorEntry(at).getValue().clone();
    }

    private void foresee() {
        rooms.clear();
        int[] room = free.clone();
        rooms.put(now, room);
        running.sort(Comparator.comparingLong(job -> job.start + job.limit));
        for (TrueJob job : running) {
            room = room.clone();
            for (int server : job.servers) {
                room[server] += job.perNode();
            }
            rooms.put(Math.max(now, job.start + job.limit), room);
        }
    }

    private double priority(TrueJob job, Map<String, Double> factors) {
        OperatorsSettings.Weights weights = settings.weights();
        return weights.age() * Math.min(1, (now - job.submit) / OLDEST)
                + weights.fairshare() * factors.get(job.user)
                + weights.qos() * QOS.get(job.qos)
                + weights.partition() * PARTITION.get(job.partition);
    }

    /** Factors of users by their places in the fair tree. */
    private Map<String, Double> fairTree() {
        Map<String, Double> ofAccount = new TreeMap<>();
        usage.forEach((user, used) -> ofAccount.merge(accounts.get(user), used, Double::sum));
        Comparator<String> byAccount = Comparator.comparingDouble(
                account -> ofAccount.get(account) / settings.shares().get(account));
        List<String> order = new ArrayList<>(usage.keySet());
        order.sort(Comparator.comparing((String user) -> accounts.get(user), byAccount.thenComparing(x -> x))
                .thenComparing(user -> usage.get(user))
                .thenComparing(user -> user));
        Map<String, Double> factors = new HashMap<>();
        for (int i = 0; i < order.size(); i++) {
            factors.put(order.get(i), (order.size() - i) / (double) order.size());
        }
        return factors;
    }
}
