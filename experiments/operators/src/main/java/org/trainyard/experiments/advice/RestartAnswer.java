package org.trainyard.experiments.advice;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The best schedulers where a restart after a preemption costs so much.
 *
 * <p>Schedulers without preemptions keep their replay. Of the others the first {@value #TRIED} of the ranking are
 * replayed anew, and the learned policy.
 *
 * @param seconds that a restart costs
 * @param first names of the best three that decided differently, the best first; fewer where fewer did
 * @param value of the metric under the best, seconds; of a slowdown, a ratio
 */
@JsonPropertyOrder({"restart_s", "best", "value_s", "first"})
public record RestartAnswer(
        @JsonProperty("restart_s") double seconds,
        List<String> first,
        @JsonProperty("value_s") double value) {
    /** Costs of a restart, seconds, that every answer is tried with, beside the one that was asked for. */
    private static final double[] COSTS = {30, 300, 900};

    private static final int TRIED = 12;
    private static final int NAMED = 3;

    public RestartAnswer {
        first = List.copyOf(first);
    }

    /** Name of the best scheduler. */
    @JsonProperty
    public String best() {
        return first.get(0);
    }

    private static RestartAnswer of(double seconds, List<LogOutcome> ranked, AdviceQuestion question) {
        List<LogOutcome> first = new ArrayList<>();
        for (LogOutcome log : ranked) {
            if (first.size() < NAMED && first.stream().noneMatch(log::equalsIn)) {
                first.add(log);
            }
        }
        return new RestartAnswer(
                seconds,
                first.stream().map(log -> log.name().replaceFirst(" \\(.*", "")).toList(),
                ranked.get(0).value(question.metric()));
    }

    /**
     * The best schedulers for each cost; first for the cost that was asked for, then by rising cost.
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
        costs.add(of(
                question.limits().restartSeconds(),
                ranking.stream().map(RankedScheduler::log).toList(),
                question));
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
            if (seconds != question.limits().restartSeconds()) {
                List<LogOutcome> all = new ArrayList<>(kept);
                all.addAll(replays.apply(
                        again.stream().map(one -> one.restartingIn(seconds)).toList()));
                all.sort(Comparator.comparingDouble(log -> log.value(question.metric())));
                if (!all.isEmpty()) {
                    costs.add(of(seconds, all, question));
                }
            }
        }
        return costs;
    }
}
