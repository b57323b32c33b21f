package org.trainyard.experiments.advice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;

/**
 * Groups of jobs that would wait longer than today, and the schedulers that keep a bound on waits.
 *
 * @param now the jobs with a past today: simulated where a replay of today exists, else as logged; null without a past
 * @param payers groups of jobs under the best scheduler, the best without preemption and the best that managers run
 * @param bound that was asked for, or null
 * @param keepers schedulers of the ranking that keep it, best first
 */
public record WhoPays(
        @Nullable LogOutcome now,
        List<Payer> payers,
        @Nullable WaitBound bound,
        List<String> keepers) {
    private static final int NAMED = 4;

    static final WhoPays UNKNOWN = new WhoPays(null, List.of(), null, List.of());

    public WhoPays {
        payers = List.copyOf(payers);
        keepers = List.copyOf(keepers);
    }

    /**
     * Compares a ranking with today.
     *
     * @param dated places of the jobs with a past
     * @param shown schedulers whose groups are compared
     */
    static WhoPays of(
            List<TraceJob> jobs,
            int[] dated,
            LogOutcome now,
            List<RankedScheduler> ranking,
            List<RankedScheduler> shown,
            @Nullable WaitBound bound) {
        List<TraceJob> told = Arrays.stream(dated).mapToObj(jobs::get).toList();
        List<Payer> payers = shown.stream()
                .flatMap(one -> Payer.of(told, now, one.log().over(dated)).stream())
                .toList();
        if (bound == null) {
            return new WhoPays(now, payers, null, List.of());
        }
        int[] places = bound.places(told);
        List<String> keepers = ranking.stream()
                .filter(one -> bound.isKept(now, one.log().over(dated), places))
                .map(RankedScheduler::name)
                .toList();
        return new WhoPays(now, payers, bound, keepers);
    }

    /** The groups that would wait longer under a scheduler. */
    List<Payer> paying(String scheduler) {
        return payers.stream()
                .filter(one -> one.scheduler().equals(scheduler) && one.pays())
                .toList();
    }

    /** Sentences on groups that wait longer than today, and on the fairness of waits among accounts or users. */
    List<String> sentences(LogOutcome then) {
        List<String> sentences = new ArrayList<>();
        List<Payer> paying = paying(then.name());
        if (!paying.isEmpty()) {
            String more = paying.size() > NAMED ? "; and %d more".formatted(paying.size() - NAMED) : "";
            sentences.add("Who pays under %s, against %s: %s%s."
                    .formatted(
                            then.name(),
                            today(),
                            paying.stream().limit(NAMED).map(Payer::payment).collect(Collectors.joining("; ")),
                            more));
        }
        Fairness fairness = fairness(then);
        if (fairness != null) {
            sentences.add(
                    "Fairness: under %s %s waits longest, %.1f times as long as all jobs on average; under %s it is %s, %.1f times."
                            .formatted(
                                    then.name(),
                                    fairness.by + " " + fairness.worst,
                                    fairness.timesMeanWait,
                                    today(),
                                    fairness.by + " " + fairness.worstNow,
                                    fairness.timesMeanWaitNow));
        }
        return sentences;
    }

    private String today() {
        String name = Objects.requireNonNull(now).name();
        return LogReplays.isOwn(name) ? "today's settings" : name;
    }

    /**
     * The account, or where jobs name none the user, whose jobs wait longest on average.
     *
     * @param by account or user
     * @param worst its name
     * @param timesMeanWait its mean wait over that of all jobs, under the scheduler
     * @param worstNow likewise today
     */
    record Fairness(String by, String worst, double timesMeanWait, String worstNow, double timesMeanWaitNow) {}

    /** Fairness of waits; null where there are fewer than two large groups, or no waits. */
    @Nullable Fairness fairness(LogOutcome then) {
        double before = now == null ? 0 : now.waits().mean();
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
                Payer worstNow = Collections.max(
                        groups,
                        Comparator.comparingDouble(one -> one.now().waitS().mean()));
                return new Fairness(
                        kind,
                        worst.name(),
                        worst.then().waitS().mean() / after,
                        worstNow.name(),
                        worstNow.now().waitS().mean() / before);
            }
        }
        return null;
    }
}
