package org.trainyard.experiments.advice;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The best scheduler where a restart after a preemption costs so much.
 *
 * <p>Schedulers without preemptions keep their replay. Of the others the first {@value #TRIED} of the ranking are
 * replayed anew, and the learned policy.
 *
 * @param seconds that a restart costs
 * @param best name of the scheduler
 * @param value of the metric under it, seconds; of a slowdown, a ratio
 */
public record RestartAnswer(double seconds, String best, double value) {
    /** Costs of a restart, seconds, that every answer is tried with, beside the one that was asked for. */
    private static final double[] COSTS = {30, 300, 900};

    private static final int TRIED = 12;

    /**
     * The best scheduler for each cost; first for the cost that was asked for, then by rising cost.
     *
     * @param ranking at the cost that was asked for
     * @param candidates all that ran
     * @param replays the log under some candidates, of those that end in time
     */
    static List<RestartAnswer> of(
            AdviceQuestion question,
            List<RankedScheduler> ranking,
            List<LogReplays.Candidate> candidates,
            Function<List<LogReplays.Candidate>, List<LogOutcome>> replays) {
        List<RestartAnswer> costs = new ArrayList<>();
        costs.add(new RestartAnswer(
                question.restartSeconds(),
                ranking.get(0).log().name(),
                ranking.get(0).value()));
        List<String> preempting = ranking.stream()
                .map(RankedScheduler::log)
                .filter(log -> log.preemptions() > 0)
                .map(LogOutcome::name)
                .toList();
        Set<String> tried = Set.copyOf(preempting.subList(0, Math.min(TRIED, preempting.size())));
        List<LogReplays.Candidate> again = candidates.stream()
                .filter(one -> tried.contains(one.name()) || one.name().equals(Advice.LEARNED))
                .filter(one -> preempting.contains(one.name()))
                .toList();
        List<LogOutcome> kept = ranking.stream()
                .map(RankedScheduler::log)
                .filter(log -> log.preemptions() == 0)
                .toList();
        for (double seconds : COSTS) {
            if (seconds != question.restartSeconds()) {
                List<LogOutcome> all = new ArrayList<>(kept);
                all.addAll(replays.apply(
                        again.stream().map(one -> one.restartingIn(seconds)).toList()));
                all.stream()
                        .min(Comparator.comparingDouble(log -> log.value(question.metric())))
                        .ifPresent(best -> costs.add(new RestartAnswer(
                                seconds, best.name().replaceFirst(" \\(.*", ""), best.value(question.metric()))));
            }
        }
        return costs;
    }
}
