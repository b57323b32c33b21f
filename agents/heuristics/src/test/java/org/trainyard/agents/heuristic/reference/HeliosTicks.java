package org.trainyard.agents.heuristic.reference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.reference.SmallTraces.Answer;
import org.trainyard.agents.heuristic.reference.SmallTraces.Job;

/**
 * The rules of the Helios simulator's {@code srtf}, word for word and second by second: slow, small and sharing nothing
 * with ours.
 */
final class HeliosTicks {
    private static final class Live {
        final Job job;
        long remain;
        boolean runs;
        long start = -1;
        long end = -1;
        int checkpoints;
        int @Nullable [] held;

        Live(Job job) {
            this.job = job;
            remain = job.duration();
        }
    }

    private final int[] free;
    private final List<Live> all = new ArrayList<>();
    private final List<Live> pending = new ArrayList<>();
    private final List<Live> running = new ArrayList<>();

    private HeliosTicks(int servers, List<Job> trace) {
        free = new int[servers];
        Arrays.fill(free, 8);
        trace.forEach(job -> all.add(new Live(job)));
    }

    static List<Answer> srtf(int servers, List<Job> trace) {
        HeliosTicks ticks = new HeliosTicks(servers, trace);
        for (long now = 0; ticks.all.stream().anyMatch(live -> live.end < 0); now++) {
            ticks.tick(now);
        }
        return ticks.all.stream()
                .map(live -> new Answer(live.start, live.end, live.checkpoints))
                .toList();
    }

    private void tick(long now) {
        for (Live live : List.copyOf(running)) {
            if (live.remain == 0) {
                live.end = now;
                release(live);
                running.remove(live);
            } else {
                live.remain--;
            }
        }
        all.stream().filter(live -> live.job.submit() == now).forEach(pending::add);
        List<Live> order = new ArrayList<>(pending);
        order.addAll(running);
        order.sort(Comparator.comparingLong(live -> live.remain));
        int quota = 8 * free.length;
        List<Live> starting = new ArrayList<>();
        List<Live> stopping = new ArrayList<>();
        for (Live live : order) {
            if (live.job.gpus() <= quota) {
                quota -= live.job.gpus();
                if (!live.runs) {
                    starting.add(live);
                }
            } else if (live.runs) {
                stopping.add(live);
            }
        }
        stopping.forEach(this::stop);
        starting.forEach(live -> start(live, now));
    }

    private void stop(Live live) {
        int gpus = live.job.gpus();
        live.remain += gpus == 1 ? 7 : gpus <= 8 ? 30 : 60;
        live.checkpoints++;
        live.runs = false;
        release(live);
        running.remove(live);
        pending.add(live);
    }

    private void start(Live live, long now) {
        int[] place = live.job.gpus() <= 8 ? fullest(live.job.gpus()) : whole(live.job.gpus());
        if (place == null) {
            return;
        }
        for (int node = 0; node < free.length; node++) {
            free[node] -= place[node];
        }
        live.held = place;
        live.runs = true;
        live.start = live.start < 0 ? now : live.start;
        pending.remove(live);
        running.add(live);
    }

    private void release(Live live) {
        int[] held = live.held;
        for (int node = 0; held != null && node < free.length; node++) {
            free[node] += held[node];
        }
        live.held = null;
    }

    private int @Nullable [] fullest(int gpus) {
        int best = -1;
        for (int node = 0; node < free.length; node++) {
            if (free[node] >= gpus && (best < 0 || free[node] < free[best])) {
                best = node;
            }
        }
        if (best < 0) {
            return null;
        }
        int[] place = new int[free.length];
        place[best] = gpus;
        return place;
    }

    /** Nodes in order of most free GPUs: whole ones first, the next for the rest. */
    private int @Nullable [] whole(int gpus) {
        List<Integer> nodes = new ArrayList<>();
        for (int node = 0; node < free.length; node++) {
            nodes.add(node);
        }
        nodes.sort(Comparator.comparingInt(node -> -free[node]));
        int[] place = new int[free.length];
        int left = gpus;
        for (int node : nodes) {
            int wanted = Math.min(8, left);
            if (free[node] < wanted) {
                return null;
            }
            place[node] = wanted;
            left -= wanted;
            if (left == 0) {
                return place;
            }
        }
        return null;
    }
}
