package org.trainyard.agents.heuristic.reference;

import java.util.ArrayList;
import java.util.List;
import org.trainyard.agents.heuristic.reference.SmallTraces.Answer;
import org.trainyard.agents.heuristic.reference.SmallTraces.Job;

/**
 * The rules of the Tiresias simulator's {@code dlas-gpu}, second by second: slow, small and sharing nothing with ours.
 */
final class DlasTicks {
    private static final class Live {
        final Job job;
        long executed;
        int queue;
        boolean runs;
        long start = -1;
        long end = -1;
        int preempted;

        Live(Job job) {
            this.job = job;
        }
    }

    private static final long[] LIMITS = {3250, 7200};

    private final int gpus;
    private final List<Live> all = new ArrayList<>();
    private final List<Live> live = new ArrayList<>();
    private final List<List<Live>> queues = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    private long jump = Long.MAX_VALUE;

    private DlasTicks(int gpus, List<Job> trace) {
        this.gpus = gpus;
        trace.forEach(job -> all.add(new Live(job)));
    }

    static List<Answer> dlasGpu(int gpus, List<Job> trace) {
        DlasTicks ticks = new DlasTicks(gpus, trace);
        for (long now = 0; ticks.all.stream().anyMatch(job -> job.end < 0); now++) {
            ticks.tick(now);
        }
        return ticks.all.stream()
                .map(job -> new Answer(job.start, job.end, job.preempted))
                .toList();
    }

    private void tick(long now) {
        List<Live> ended = live.stream()
                .filter(job -> job.runs && job.executed == job.job.duration())
                .toList();
        List<Live> come = all.stream().filter(job -> job.job.submit() == now).toList();
        if (!ended.isEmpty() || !come.isEmpty() || now == jump) {
            ended.forEach(job -> job.end = now);
            live.removeAll(ended);
            queues.forEach(queue -> queue.removeAll(ended));
            live.addAll(come);
            queues.get(0).addAll(come);
            live.stream().filter(job -> job.runs).forEach(this::demote);
            deal(now);
            queues.forEach(DlasTicks::runningFirst);
            jump = nextJump(now);
        }
        live.stream().filter(job -> job.runs).forEach(job -> job.executed++);
    }

    private void demote(Live job) {
        if (job.queue < 2 && job.executed * job.job.gpus() >= LIMITS[job.queue]) {
            queues.get(job.queue).remove(job);
            job.queue++;
            queues.get(job.queue).add(job);
        }
    }

    private void deal(long now) {
        int free = gpus;
        for (List<Live> queue : queues) {
            for (Live job : queue) {
                boolean fits = job.job.gpus() <= free;
                if (fits) {
                    free -= job.job.gpus();
                    job.start = job.start < 0 ? now : job.start;
                } else if (job.runs) {
                    job.preempted++;
                }
                job.runs = fits;
            }
        }
    }

    private static void runningFirst(List<Live> queue) {
        List<Live> pending = queue.stream().filter(job -> !job.runs).toList();
        queue.removeAll(pending);
        queue.addAll(pending);
    }

    private long nextJump(long now) {
        return live.stream()
                .filter(job -> job.runs && job.queue < 2)
                .mapToLong(job -> now + (LIMITS[job.queue] - job.executed) / job.job.gpus())
                .min()
                .orElse(Long.MAX_VALUE);
    }
}
