package org.trainyard.experiments.advice;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.trace.audit.LoadOverTime;
import org.trainyard.experiments.io.Durations;

/** Remarks on a log and on its replays that a reader of an {@link Advice} has to know. */
final class LogRemarks {
    /** Time between the first and the last submission below which a log says little of a cluster. */
    private static final double SHORT_SECONDS = 86_400;

    /** The part of the GPU time above what the cluster has that clocks of servers that differ do not explain. */
    private static final double OF_ANOTHER = 0.1;

    /** Jobs below which a log says little of its cluster. */
    static final int ENOUGH = 100;

    private LogRemarks() {}

    static void undated(int jobs, int dated, List<String> notes) {
        if (dated > 0 && dated < jobs) {
            notes.add(Counted.say(
                    "%,d jobs have no start in the log; all run, but the past is compared on the other %,d.",
                    jobs - dated, dated));
        }
    }

    /**
     * Compares the GPUs that the log held at once with those of the cluster, and says when they differ so much that it
     * may be another.
     *
     * @throws InputException when the log holds far more than there are, unless an answer is wanted all the same
     */
    static void size(AdviceQuestion question, List<TraceJob> jobs, List<String> notes) {
        LoadOverTime held = new LoadOverTime();
        jobs.forEach(held::hold);
        int gpus = question.topology().gpus();
        long most = (long) Math.ceil(held.mostGpus());
        if (held.partAbove(gpus) > OF_ANOTHER && !question.isPartial()) {
            throw InputException.at(
                    "--cluster",
                    question.topology().name(),
                    Counted.say(
                            "the cluster of this log, whose jobs held %,d GPUs at once; this one has %,d (--partial answers"
                                    + " all the same)",
                            most, gpus));
        }
        if (held.exceeds(gpus)) {
            notes.add(Counted.say(
                    "Jobs of the log held %,d GPUs at once, but the cluster has %,d: is --cluster the cluster of this log?",
                    most, gpus));
        } else if (jobs.size() >= ENOUGH && 0 < most && most < gpus / 2) {
            notes.add(Counted.say(
                    "Jobs of the log never held more than %,d of the %,d GPUs at once: is --cluster the cluster of this log?",
                    most, gpus));
        }
    }

    /** Says why the past may differ from all simulations. */
    static void past(AdviceQuestion question, @Nullable Reproduction reproduction, List<String> notes) {
        boolean hasTerms = question.jobs().stream()
                .anyMatch(job -> job.terms().qos() != null || job.terms().account() != null);
        if (reproduction != null && question.own() == null && hasTerms) {
            notes.add("The log names accounts or QOS; what they are worth, and who preempts whom, is in slurm.conf with"
                    + " assoc.txt and qos.txt beside it: --slurm FILE ranks that Slurm, too, and --search tunes it.");
        }
        LongSummaryStatistics submitted =
                question.jobs().stream().mapToLong(TraceJob::submitNanos).summaryStatistics();
        double span = (submitted.getMax() - submitted.getMin()) / 1e9;
        if (span < SHORT_SECONDS) {
            notes.add("The jobs of the log were submitted within %s; weeks say more of peaks and of rare wide jobs."
                    .formatted(Durations.human(span)));
        }
        if (reproduction != null
                && reproduction.trust() == Reproduction.Trust.WEAK
                && reproduction.nearest().waits().mean()
                        < reproduction.past().waits().mean() / 2) {
            notes.add("Jobs waited longer than any simulation explains: the log may lack jobs (failed or cancelled"
                    + " ones), or the cluster was smaller, or they waited for something else (quotas, data,"
                    + " reservations).");
        }
    }

    static void stopped(LogReplays replays, List<String> notes) {
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        replays.stopped()
                .forEach((name, why) ->
                        byReason.computeIfAbsent(why, any -> new ArrayList<>()).add(name));
        byReason.forEach((why, names) -> notes.add("Not compared: %s; %s.".formatted(String.join(", ", names), why)));
    }
}
