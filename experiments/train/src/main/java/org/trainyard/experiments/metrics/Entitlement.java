package org.trainyard.experiments.metrics;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.workload.Demand;

/**
 * Share of its entitlement that a party, such as a user or an account, receives. The entitlement is an equal part of
 * the cluster among all parties with jobs in it, and counts at the times at which jobs of the party wait.
 *
 * <p>Ours. A party that holds half of its part while its jobs wait has 0.5; above 1 it has more than its part. A job
 * that was preempted counts as holding its GPUs evenly from its first start to its end. O(jobs x parties).
 */
public final class Entitlement {
    private record Change(long atNanos, String party, int present, int waiting, double gpus) {}

    /** The state of one party while the sweep goes on. */
    private static final class Standing {
        private int present;
        private int waiting;
        private double gpus;
        private double heldSeconds;
        private double entitledSeconds;
    }

    private Entitlement() {}

    /**
     * By party, GPU time held over GPU time that it was entitled to while its jobs waited; without those that never
     * waited.
     */
    public static Map<String, Double> of(Grouping parties, List<RunResult> episodes) {
        Map<String, Standing> all = new TreeMap<>();
        for (RunResult episode : episodes) {
            sweep(changes(parties.byName(episode.jobs())), episode.gpus(), all);
        }
        Map<String, Double> shares = new LinkedHashMap<>();
        all.forEach((party, standing) -> {
            if (standing.entitledSeconds > 0) {
                shares.put(party, standing.heldSeconds / standing.entitledSeconds);
            }
        });
        return shares;
    }

    private static List<Change> changes(Map<String, List<JobOutcome>> byParty) {
        List<Change> changes = new ArrayList<>();
        byParty.forEach((party, jobs) -> {
            for (JobOutcome job : jobs) {
                Demand demand = job.job().demand();
                double span = Math.max(1, job.endNanos() - job.firstStartNanos());
                double gpus = job.runNanos() / span * demand.gpus() * demand.gpuMilli() / Demand.WHOLE;
                changes.add(new Change(job.job().submitNanos() + job.heldNanos(), party, 1, 1, 0));
                changes.add(new Change(job.firstStartNanos(), party, 0, -1, gpus));
                changes.add(new Change(job.endNanos(), party, -1, 0, -gpus));
            }
        });
        changes.sort(Comparator.comparingLong(Change::atNanos));
        return changes;
    }

    private static void sweep(List<Change> changes, int gpus, Map<String, Standing> all) {
        Set<Standing> wanting = new LinkedHashSet<>();
        long now = 0;
        int present = 0;
        for (Change change : changes) {
            double seconds = (change.atNanos - now) / 1e9;
            if (seconds > 0 && present > 0) {
                double part = seconds * gpus / present;
                for (Standing one : wanting) {
                    one.heldSeconds += seconds * one.gpus;
                    one.entitledSeconds += part;
                }
            }
            now = change.atNanos;
            Standing standing = all.computeIfAbsent(change.party, party -> new Standing());
            present -= standing.present > 0 ? 1 : 0;
            standing.present += change.present;
            present += standing.present > 0 ? 1 : 0;
            standing.waiting += change.waiting;
            if (standing.waiting > 0) {
                wanting.add(standing);
            } else {
                wanting.remove(standing);
            }
            standing.gpus += change.gpus;
        }
        // Rounding leaves next to nothing, which must not go on to the next episode.
        all.values().forEach(standing -> standing.gpus = 0);
    }
}
