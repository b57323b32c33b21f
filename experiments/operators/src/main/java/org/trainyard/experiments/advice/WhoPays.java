package org.trainyard.experiments.advice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;

/**
 * Groups of jobs that would wait longer than in the past, and the schedulers that keep a bound on waits.
 *
 * @param payers groups of jobs under the best scheduler, the best without preemption and the best that managers run
 * @param bound that was asked for, or null
 * @param keepers schedulers of the ranking that keep it, best first
 */
public record WhoPays(List<Payer> payers, @Nullable WaitBound bound, List<String> keepers) {
    private static final int NAMED = 4;

    static final WhoPays UNKNOWN = new WhoPays(List.of(), null, List.of());

    public WhoPays {
        payers = List.copyOf(payers);
        keepers = List.copyOf(keepers);
    }

    /**
     * Compares a ranking with the past.
     *
     * @param dated places of the jobs with a past
     * @param shown schedulers whose groups are compared
     */
    static WhoPays of(
            List<TraceJob> jobs,
            int[] dated,
            LogOutcome past,
            List<RankedScheduler> ranking,
            List<RankedScheduler> shown,
            @Nullable WaitBound bound) {
        List<TraceJob> told = Arrays.stream(dated).mapToObj(jobs::get).toList();
        List<Payer> payers = shown.stream()
                .flatMap(one -> Payer.of(told, past, one.log().over(dated)).stream())
                .toList();
        if (bound == null) {
            return new WhoPays(payers, null, List.of());
        }
        int[] places = bound.places(told);
        List<String> keepers = ranking.stream()
                .filter(one -> bound.isKept(past, one.log().over(dated), places))
                .map(RankedScheduler::name)
                .toList();
        return new WhoPays(payers, bound, keepers);
    }

    /** The groups that would wait longer under a scheduler. */
    List<Payer> paying(String scheduler) {
        return payers.stream()
                .filter(one -> one.scheduler().equals(scheduler) && one.pays())
                .toList();
    }

    /** Sentences on groups that wait longer than in the past, and on the fairness of waits among accounts or users. */
    List<String> sentences(LogOutcome past, LogOutcome then) {
        List<String> sentences = new ArrayList<>();
        List<Payer> paying = paying(then.name());
        if (!paying.isEmpty()) {
            String more = paying.size() > NAMED ? "; and %d more".formatted(paying.size() - NAMED) : "";
            sentences.add("Who pays under %s: %s%s."
                    .formatted(
                            then.name(),
                            paying.stream().limit(NAMED).map(Payer::payment).collect(Collectors.joining("; ")),
                            more));
        }
        Fairness fairness = fairness(past, then);
        if (fairness != null) {
            sentences.add(
                    "Fairness: under %s %s waits longest, %.1f times as long as all jobs on average; in the past it was %s, %.1f times."
                            .formatted(
                                    then.name(),
                                    fairness.by + " " + fairness.worst,
                                    fairness.timesMeanWait,
                                    fairness.by + " " + fairness.worstPast,
                                    fairness.timesMeanWaitPast));
        }
        return sentences;
    }

    /**
     * The account, or where jobs name none the user, whose jobs wait longest on average.
     *
     * @param by account or user
     * @param worst its name
     * @param timesMeanWait its mean wait over that of all jobs, under the scheduler
     * @param worstPast likewise in the past
     */
    record Fairness(String by, String worst, double timesMeanWait, String worstPast, double timesMeanWaitPast) {}

    /** Fairness of waits; null where there are fewer than two large groups, or no waits. */
    @Nullable Fairness fairness(LogOutcome past, LogOutcome then) {
        double before = past.waits().mean();
        double after = then.waits().mean();
        for (String kind : List.of("account", "user")) {
            List<Payer> groups = payers.stream()
                    .filter(one ->
                            one.scheduler().equals(then.name()) && one.by().equals(kind) && one.isLarge())
                    .toList();
            if (groups.size() > 1 && before > 0 && after > 0) {
                Payer worst = Collections.max(
                        groups,
                        Comparator.comparingDouble(one -> one.then().waitS().mean()));
                Payer worstOfPast = Collections.max(
                        groups,
                        Comparator.comparingDouble(one -> one.past().waitS().mean()));
                return new Fairness(
                        kind,
                        worst.name(),
                        worst.then().waitS().mean() / after,
                        worstOfPast.name(),
                        worstOfPast.past().waitS().mean() / before);
            }
        }
        return null;
    }
}
