package org.trainyard.agents.heuristic.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.RunResult;

/**
 * Small random traces in whole units of time, for programs that walk through them unit by unit: ties, bursts and wide
 * gangs.
 */
final class SmallTraces {
    /** A job by its place in the trace. */
    record Job(int gpus, long submit, long duration) {}

    /** What became of a job. */
    record Answer(long start, long end, int preemptions) {}

    private static final int[] NARROW = {1, 1, 2, 2, 3, 4, 4, 5, 6, 8};
    private static final int[] WIDE = {1, 2, 4, 7, 8, 8, 9, 12, 13, 16, 20, 23, 24};

    private SmallTraces() {}

    /**
     * Three traces of 24 GPUs at most: one of many ties, one of wide gangs, one of all sorts; durations up to
     * {@code longest}.
     */
    static List<List<Job>> of(long seed, int longest) {
        RandomGenerator random = RandomStreams.stream(seed, "small traces");
        return List.of(
                draw(random, NARROW, longest, 4, longest / 20),
                draw(random, WIDE, longest, longest, longest / 5),
                draw(random, random.nextBoolean() ? NARROW : WIDE, longest, 40, longest / 10));
    }

    private static List<Job> draw(RandomGenerator random, int[] demands, int longest, int durations, int gap) {
        List<Job> jobs = new ArrayList<>();
        int count = 10 + random.nextInt(40);
        long submit = random.nextInt(3) * 7L;
        for (int job = 0; job < count; job++) {
            submit += random.nextInt(3) == 0 ? 0 : random.nextInt(gap + 1);
            long step = Math.max(1, longest / durations);
            long duration = step * (1 + random.nextInt(durations));
            // Most are short, or little would ever be preempted.
            duration = random.nextInt(3) == 0 ? duration : Math.max(1, duration / 10);
            jobs.add(new Job(demands[random.nextInt(demands.length)], submit, duration));
        }
        return jobs;
    }

    static TimedJobs toJobs(List<Job> trace, long unitNanos) {
        TimedJobs jobs = TimedJobs.list();
        for (int job = 0; job < trace.size(); job++) {
            Job drawn = trace.get(job);
            jobs.jobOfNanos("job" + job, drawn.gpus(), drawn.submit() * unitNanos, drawn.duration() * unitNanos);
        }
        return jobs;
    }

    /** The answers of a run in the unit; every time must be whole in it. */
    static List<Answer> answers(RunResult result, long unitNanos) {
        return result.jobs().stream()
                .map(job -> new Answer(
                        whole(job.firstStartNanos(), unitNanos), whole(job.endNanos(), unitNanos), job.preemptions()))
                .toList();
    }

    private static long whole(long nanos, long unitNanos) {
        if (nanos % unitNanos != 0) {
            throw new AssertionError("%d ns is not a multiple of %d ns".formatted(nanos, unitNanos));
        }
        return nanos / unitNanos;
    }
}
