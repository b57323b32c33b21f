package org.trainyard.agents.heuristic.reference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.trainyard.agents.heuristic.reference.SmallTraces.Answer;
import org.trainyard.agents.heuristic.reference.SmallTraces.Job;

/**
 * The rules of the sorting policies of Muri's simulator and, with GPUs merely counted, of Tiresias': small, and sharing
 * nothing with ours.
 */
final class MuriEvents {
    private static final class Live {
        final Job job;
        long left;
        boolean runs;
        long start = -1;
        long end = -1;
        int preempted;

        Live(Job job) {
            this.job = job;
            left = job.duration();
        }
    }

    private final int servers;
    private final int serverGpus;
    private final Comparator<Live> order;
    private final List<Live> all = new ArrayList<>();
    private final List<Live> list = new ArrayList<>();

    private MuriEvents(int servers, int serverGpus, String policy, List<Job> trace) {
        this.servers = servers;
        this.serverGpus = serverGpus;
        order = switch (policy) {
            case "srtf" -> Comparator.comparingLong(live -> live.left);
            case "srsf" -> Comparator.comparingLong(live -> live.left * live.job.gpus());
            case "sjf" -> Comparator.comparingInt(live -> live.job.gpus());
            default -> throw new IllegalArgumentException(policy);
        };
        trace.forEach(job -> all.add(new Live(job)));
    }

    /** With one server as large as the cluster, GPUs are merely counted. */
    static List<Answer> run(int servers, int serverGpus, String policy, List<Job> trace) {
        MuriEvents events = new MuriEvents(servers, serverGpus, policy, trace);
        long now = 0;
        while (events.all.stream().anyMatch(live -> live.end < 0)) {
            long next = events.next(now);
            events.step(now, next);
            now = next;
        }
        return events.all.stream()
                .map(live -> new Answer(live.start, live.end, live.preempted))
                .toList();
    }

    private long next(long now) {
        long arrival = all.stream()
                .filter(live -> !list.contains(live) && live.end < 0)
                .mapToLong(live -> live.job.submit())
                .min()
                .orElse(Long.MAX_VALUE);
        long end = list.stream()
                .filter(live -> live.runs)
                .mapToLong(live -> now + live.left)
                .min()
                .orElse(Long.MAX_VALUE);
        return Math.min(arrival, end);
    }

    private void step(long before, long now) {
        for (Live live : List.copyOf(list)) {
            live.left -= live.runs ? now - before : 0;
            if (live.left == 0) {
                live.end = now;
                list.remove(live);
            }
        }
        all.stream()
                .filter(live -> live.end < 0 && live.job.submit() == now && !list.contains(live))
                .forEach(list::add);
        list.sort(order);
        int[] free = new int[servers];
        Arrays.fill(free, serverGpus);
        for (Live live : list) {
            boolean fits = place(free, live.job.gpus());
            live.preempted += live.runs && !fits ? 1 : 0;
            live.start = fits && live.start < 0 ? now : live.start;
            live.runs = fits;
        }
    }

    /** One node for who fits on one; else idle nodes, and another for the rest. */
    private boolean place(int[] free, int gpus) {
        int[] after = free.clone();
        int whole = gpus <= serverGpus ? 0 : gpus / serverGpus;
        int rest = gpus - whole * serverGpus;
        boolean[] used = new boolean[servers];
        for (int node = 0; node < servers && whole > 0; node++) {
            if (free[node] == serverGpus) {
                after[node] = 0;
                used[node] = true;
                whole--;
            }
        }
        for (int node = 0; node < servers && rest > 0; node++) {
            if (!used[node] && free[node] >= rest) {
                after[node] -= rest;
                rest = 0;
            }
        }
        if (whole > 0 || rest > 0) {
            return false;
        }
        System.arraycopy(after, 0, free, 0, servers);
        return true;
    }
}
