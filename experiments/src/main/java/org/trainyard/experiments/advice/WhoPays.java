package org.trainyard.experiments.advice;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.trace.TraceJob;

/**
 * Who would wait longer than in the past, and which schedulers keep a bound on that.
 *
 * @param payers groups of jobs under the best scheduler, the best without preemption and the best that managers run
 * @param bound that was asked for, or null
 * @param keepers schedulers of the ranking that keep it, best first
 */
public record WhoPays(List<Payer> payers, @Nullable WaitBound bound, List<String> keepers) {
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
                .map(one -> one.log().name())
                .toList();
        return new WhoPays(payers, bound, keepers);
    }

    /** The groups that would wait longer under a scheduler. */
    List<Payer> paying(String scheduler) {
        return payers.stream()
                .filter(one -> one.scheduler().equals(scheduler) && one.pays())
                .toList();
    }
}
