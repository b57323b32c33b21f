package org.trainyard.agents.heuristic.backfill;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.SimView;

/**
 * Whether all reservations can be had no later beside a start, on other servers. What was found not to be possible in a
 * pass is remembered: jobs that are alike would ask again, and are answered by the reservations up to the one that
 * cannot be had.
 */
final class PlansAnew {
    /** A start beside which the last of these reservations cannot be had when those before it are. */
    private record Refusal(Reservation start, List<Reservation> reservations) {
        boolean refuses(Reservation wanted, List<Reservation> inOrder) {
            boolean isAlike = wanted.endNanos() == start.endNanos()
                    && wanted.gpuCount() == start.gpuCount()
                    && reservations.size() <= inOrder.size()
                    && wanted.hasServersOf(start);
            for (int i = 0; isAlike && i < reservations.size(); i++) {
                isAlike = reservations.get(i).asksLike(inOrder.get(i));
            }
            return isAlike;
        }
    }

    private final RunTimeEstimate estimate;
    private final ReservedGpus trial;
    private final EarliestStart earliest;
    private final List<Refusal> refusals = new ArrayList<>();

    PlansAnew(FreeGpusOverTime future, RunTimeEstimate estimate) {
        this.estimate = estimate;
        trial = new ReservedGpus(future);
        earliest = new EarliestStart(trial);
    }

    /** Begins a pass, with other free GPUs. */
    void begin() {
        refusals.clear();
    }

    /**
     * The reservations anew, or null when they cannot be had.
     *
     * @param start from now on
     * @param before the reservations in their order; those of any GPUs are planned first, for those of servers begin
     *     after them
     */
    @Nullable List<Reservation> beside(SimView view, Reservation start, List<Reservation> before) {
        List<Reservation> inOrder = new ArrayList<>(before);
        inOrder.sort(Comparator.comparing(reservation -> !reservation.isAnywhere()));
        for (Refusal refusal : refusals) {
            if (refusal.refuses(start, inOrder)) {
                return null;
            }
        }
        trial.clear();
        trial.add(start);
        List<Reservation> anew = new ArrayList<>();
        for (Reservation old : inOrder) {
            Reservation other = earliest.find(view, old, estimate.nanos(view, old.job()));
            if (other == null) {
                refusals.add(new Refusal(start, List.copyOf(inOrder.subList(0, anew.size() + 1))));
                return null;
            }
            trial.add(other);
            anew.add(other);
        }
        return anew;
    }
}
