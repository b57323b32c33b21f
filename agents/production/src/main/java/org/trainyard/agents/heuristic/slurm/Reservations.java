package org.trainyard.agents.heuristic.slurm;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmReservation;

/** The advance reservations of a cluster, and what they leave to jobs. */
final class Reservations {
    private final BitSet available;
    private final List<SlurmReservation> all = new ArrayList<>();

    /** @param available nodes that take jobs; read whenever it is asked */
    Reservations(BitSet available) {
        this.available = available;
    }

    void add(SlurmReservation reservation) {
        all.add(reservation);
    }

    /** Whether a reservation is open at a second; one that a job does not ask for always is. */
    boolean open(@Nullable String name, long second) {
        if (name == null) {
            return true;
        }
        for (SlurmReservation each : all) {
            if (each.name().equals(name)) {
                return each.startSecond() <= second && second < each.endSecond();
            }
        }
        return false;
    }

    /**
     * The nodes that reservations leave to a job for a span of time; null when its own reservation is not open.
     *
     * @param overlap is set where a reservation took nodes away
     */
    @Nullable BitSet leave(SlurmJob job, long from, long seconds, boolean[] overlap) {
        overlap[0] = false;
        BitSet nodes = (BitSet) available.clone();
        SlurmReservation own = null;
        if (job.request().reservation() != null) {
            for (SlurmReservation each : all) {
                own = each.name().equals(job.request().reservation()) ? each : own;
            }
            if (own == null || from < own.startSecond() || from > own.endSecond()) {
                return null;
            }
            nodes.and(own.nodes());
        }
        for (SlurmReservation each : all) {
            if (!each.equals(own)
                    && each.overlaps(from, from + seconds)
                    && !(own != null && (own.maintenance() || !each.nodes().intersects(nodes)))) {
                nodes.andNot(each.nodes());
                overlap[0] = true;
            }
        }
        return nodes;
    }

    /** The first end of a reservation at or after a second, rounded up; 0 for none. */
    long firstEnd(long from, long resolution) {
        long end = 0;
        for (SlurmReservation each : all) {
            if (from <= each.endSecond() && (end == 0 || each.endSecond() < end)) {
                end = each.endSecond();
            }
        }
        return (end + resolution - 1) / resolution * resolution;
    }
}
