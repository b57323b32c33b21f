package org.trainyard.agents.heuristic.kueue;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.Assignment.Mode;
import org.trainyard.agents.heuristic.kueue.PreemptionRule.Victim;

/** The head of a queue in a cycle: the assignment that it would get, its victims, and the outcome. */
final class CycleEntry {
    /** Outcome of a cycle for a head. */
    enum Outcome {
        /** The head has no assignment, or no workload to displace. */
        INADMISSIBLE,
        /** The head would have fitted, had another head not come first. */
        SKIPPED,
        /** Other workloads were evicted for the head. */
        PREEMPTING,
        ADMITTED
    }

    final KueueWorkload workload;
    final Assignment assignment;
    final List<Victim> victims;
    /** The slice of its job whose quota it takes over; null for none. */
    final @Nullable KueueWorkload replaced;

    Outcome outcome = Outcome.INADMISSIBLE;

    CycleEntry(KueueWorkload workload, Assignment assignment, List<Victim> victims) {
        this.workload = workload;
        this.assignment = assignment;
        this.victims = victims;
        replaced = assignment.mode() == Mode.FIT || !victims.isEmpty() ? workload.replaced() : null;
    }

    List<KueueWorkload> victimWorkloads() {
        return victims.stream().map(Victim::workload).toList();
    }

    /** The workloads whose quota it has. */
    List<KueueWorkload> leaving() {
        return Stream.concat(Stream.ofNullable(replaced), victims.stream().map(Victim::workload))
                .toList();
    }
}
