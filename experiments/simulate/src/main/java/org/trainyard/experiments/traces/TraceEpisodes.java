package org.trainyard.experiments.traces;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.run.Episodes;

/** Windows of a trace; see {@link TraceSplit}. */
final class TraceEpisodes implements Episodes {
    private final Part train;
    private final int trainWindow;
    private final Windows validation;
    private final Windows test;
    private final long seed;
    private final List<String> remarks;

    private TraceEpisodes(
            Part train, int trainWindow, Windows validation, Windows test, long seed, List<String> remarks) {
        this.train = train;
        this.trainWindow = trainWindow;
        this.validation = validation;
        this.test = test;
        this.seed = seed;
        this.remarks = List.copyOf(remarks);
    }

    static TraceEpisodes of(List<TraceJob> trace, TraceSplit split, long seed) {
        requireShares(split);
        Episodes.requireEpisodes(split.validationEpisodes(), split.testEpisodes());
        if (split.jobs() < 2) {
            throw InputException.at("episode jobs", split.jobs(), "at least 2");
        }
        requireSorted(trace);
        if (trace.size() < 2) {
            throw InputException.at("trace", Counted.of(trace.size(), "job"), "at least 2 jobs in each part");
        }
        long first = trace.get(0).submitNanos();
        double span = trace.get(trace.size() - 1).submitNanos() - first;
        int validationFrom = TraceJob.firstAtOrAfter(trace, first + Math.round(split.trainShare() * span));
        int testFrom = TraceJob.firstAtOrAfter(
                trace, first + Math.round((split.trainShare() + split.validationShare()) * span));

        List<String> remarks = new ArrayList<>();
        WarmStart warmStart = split.isWarm() ? WarmStart.of(trace) : WarmStart.NONE;
        Part train = part("train", trace, 0, validationFrom, split.trainShare(), split, warmStart, remarks);
        Part validation =
                part("validation", trace, validationFrom, testFrom, split.validationShare(), split, warmStart, remarks);
        Part test = part("test", trace, testFrom, trace.size(), 1, split, warmStart, remarks);
        return new TraceEpisodes(
                train,
                Math.min(split.jobs(), train.size()),
                Windows.of("validation", validation, split.jobs(), split.validationEpisodes(), remarks),
                Windows.of("test", test, split.jobs(), split.testEpisodes(), remarks),
                seed,
                remarks);
    }

    /** Successive jobs of a trace. */
    private record Part(List<TraceJob> trace, int from, int size, WarmStart warmStart) {
        Jobs window(int start, int jobs) {
            return warmStart.episode(trace, from + start, jobs);
        }
    }

    private static Part part(
            String name,
            List<TraceJob> trace,
            int from,
            int to,
            double share,
            TraceSplit split,
            WarmStart warmStart,
            List<String> remarks) {
        int jobs = share > 0 ? to - from : 0;
        if (share > 0 && jobs < 2) {
            throw InputException.at(
                    "%s part of the trace".formatted(name),
                    Counted.of(jobs, "job"),
                    "at least 2 (a longer trace, or a larger share)");
        }
        if (share > 0 && jobs < split.jobs()) {
            remarks.add(Counted.say(
                    "the %s part of the trace has %d jobs, so its episodes have that many instead of %d",
                    name, jobs, split.jobs()));
        }
        return new Part(trace, from, jobs, warmStart);
    }

    /** Evenly spaced windows of a part. */
    private record Windows(Part part, int jobs, int count) {
        static Windows of(String name, Part part, int jobs, int wanted, List<String> remarks) {
            if (part.size() == 0) {
                return new Windows(part, 0, 0);
            }
            int window = Math.min(jobs, part.size());
            // More windows than places to start would be the same episode twice, which is no more evidence than once.
            int count = Math.min(wanted, part.size() - window + 1);
            if (count < wanted) {
                remarks.add("different episodes in the %s part of the trace: %d, instead of the %d asked for"
                        .formatted(name, count, wanted));
            }
            Windows windows = new Windows(part, window, count);
            if (windows.overlap()) {
                remarks.add(
                        ("the %d %s episodes of %d jobs overlap because the part has only %d jobs: they are not independent, "
                                        + "and intervals over them are too narrow")
                                .formatted(count, name, window, part.size()));
            }
            return windows;
        }

        boolean overlap() {
            return (long) count * jobs > part.size();
        }

        Jobs get(int index) {
            Objects.checkIndex(index, count);
            long room = part.size() - (long) jobs;
            int start = (int) (count == 1 ? room / 2 : index * room / (count - 1));
            return part.window(start, jobs);
        }
    }

    @Override
    public Jobs train(long index) {
        Objects.checkIndex(index, Long.MAX_VALUE);
        if (train.size() == 0) {
            throw InputException.at("episodes.train_share", 0, "a share above 0, for there is something to train");
        }
        int start = RandomStreams.stream(seed, "train/" + index).nextInt(train.size() - trainWindow + 1);
        return train.window(start, trainWindow);
    }

    @Override
    public Jobs validation(int index) {
        return validation.get(index);
    }

    @Override
    public Jobs test(int index) {
        return test.get(index);
    }

    @Override
    public int validationCount() {
        return validation.count();
    }

    @Override
    public int testCount() {
        return test.count();
    }

    @Override
    public boolean testsOverlap() {
        return test.overlap();
    }

    @Override
    public List<String> remarks() {
        return remarks;
    }

    private static void requireSorted(List<TraceJob> trace) {
        for (int i = 1; i < trace.size(); i++) {
            if (trace.get(i).submitNanos() < trace.get(i - 1).submitNanos()) {
                throw new IllegalArgumentException("job %s is submitted before the one ahead of it"
                        .formatted(trace.get(i).id()));
            }
        }
    }

    static void requireShares(TraceSplit split) {
        requireShare("train share", split.trainShare());
        requireShare("validation share", split.validationShare());
        if (split.trainShare() + split.validationShare() >= 1) {
            throw InputException.at(
                    "train share + validation share",
                    split.trainShare() + split.validationShare(),
                    "less than 1, the rest tests");
        }
    }

    private static void requireShare(String name, double share) {
        if (!(share >= 0 && share < 1)) {
            throw InputException.at(name, share, "at least 0 and below 1");
        }
    }

    /**
     * Running and waiting jobs at the beginning of a window of a trace. Running jobs are submitted at time 0 of the
     * window with their remaining time, in the order of their starts; waiting jobs follow with their whole time, in the
     * order of their submissions. In a trace without start times, jobs count as running from their submission on, which
     * leaves out the queue.
     *
     * <p>Schedulers do not know the attained service, the placement and the wait of a job before the window.
     */
    private static final class WarmStart {
        /** Every window begins with an empty cluster. */
        static final WarmStart NONE = new WarmStart(null);

        /**
         * By job, the last end of all jobs up to it, nanoseconds: no job further ahead can reach a window that begins
         * later. Null without warm starts.
         */
        private final long @Nullable [] lastEnds;

        private WarmStart(long @Nullable [] lastEnds) {
            this.lastEnds = lastEnds;
        }

        /** @param trace sorted by submission */
        static WarmStart of(List<TraceJob> trace) {
            long[] lastEnds = new long[trace.size()];
            long last = 0;
            for (int job = 0; job < lastEnds.length; job++) {
                last = Math.max(last, run(trace.get(job)).endNanos());
                lastEnds[job] = last;
            }
            return new WarmStart(lastEnds);
        }

        private static LoggedRun run(TraceJob job) {
            LoggedRun past = job.past();
            return past != null ? past : new LoggedRun(job.submitNanos(), job.submitNanos() + job.durationNanos());
        }

        /** The window of so many jobs from {@code first} on. O(jobs ahead that may still run). */
        Episodes.Jobs episode(List<TraceJob> trace, int first, int jobs) {
            long zero = trace.get(first).submitNanos();
            List<TraceJob> episode = new ArrayList<>();
            if (lastEnds != null) {
                for (int job = first - 1; job >= 0 && lastEnds[job] > zero; job--) {
                    if (run(trace.get(job)).endNanos() > zero) {
                        episode.add(trace.get(job));
                    }
                }
                episode.sort(Comparator.comparingLong((TraceJob job) -> Math.min(zero, run(job).startNanos()))
                        .thenComparingLong(TraceJob::submitNanos));
                episode.replaceAll(job -> atStart(job, zero));
            }
            int warm = episode.size();
            for (TraceJob job : trace.subList(first, first + jobs)) {
                episode.add(job.submittedAt(job.submitNanos() - zero));
            }
            return new Episodes.Jobs(List.copyOf(episode), warm);
        }

        private static TraceJob atStart(TraceJob job, long zero) {
            LoggedRun run = run(job);
            long left = run.startNanos() >= zero
                    ? job.durationNanos()
                    : Math.min(job.durationNanos(), run.endNanos() - zero);
            return job.ran(null).submittedAt(0).lasting(Math.max(1, left));
        }
    }
}
