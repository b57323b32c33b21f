package org.trainyard.agents.heuristic.kueue;

import java.util.List;
import org.trainyard.agents.heuristic.kueue.PreemptionRule.Victim;

/** The head of a queue in a cycle: what it would get, who would have to go, and what came of it. */
final class CycleEntry {
    /** What came of it. */
    enum Outcome {
        /** There was no way, or nobody to displace. */
        INADMISSIBLE,
        /** It would have fitted, had another head not come first. */
        SKIPPED,
        /** Others were evicted for it. */
        PREEMPTING,
        ADMITTED
    }

    final KueueWorkload workload;
    final Assignment assignment;
    final List<Victim> victims;
    Outcome outcome = Outcome.INADMISSIBLE;

    CycleEntry(KueueWorkload workload, Assignment assignment, List<Victim> victims) {
        this.workload = workload;
        this.assignment = assignment;
        this.victims = victims;
    }

    List<KueueWorkload> victimWorkloads() {
        return victims.stream().map(Victim::workload).toList();
    }
}
