package org.trainyard.env.scheduling.preemption;

import java.util.Arrays;
import org.trainyard.env.simulation.FreeGpuIndex;
import org.trainyard.env.simulation.SimView;

/**
 * Tells without a search that a {@link PreemptionPlanner} can have no plan, because fewer servers have free GPUs than
 * jobs would have to migrate: those with no more time left than the pending job, one to a server, and none to a server
 * that is cleared. By the times that jobs have now, so that an answer holds until the next event.
 */
final class DisplacedJobs {
    private final SimView view;
    private final int from;
    private final int to;
    private final int widest;
    private final VictimTimes victims;
    private final ClearableServers clearable;
    private final ClearableServers.Failures failures;
    private long events;
    /** By number of GPUs, the servers of the cluster with at least so many free ones. */
    private final int[] targets;
    /** By number of GPUs, the jobs of one server with at least so many that have to migrate when it is cleared. */
    private final int[] displaced;
    /**
     * By number of GPUs and of targets, the servers that need so many when they are cleared, or that are so many less
     * themselves.
     */
    private final int[][] needs;

    DisplacedJobs(SimView view, int from, int to, VictimTimes victims, ClearableServers clearable) {
        this.view = view;
        this.from = from;
        this.to = to;
        this.victims = victims;
        this.clearable = clearable;
        widest = view.topology().widestServer();
        targets = new int[widest + 1];
        displaced = new int[widest + 1];
        needs = new int[widest + 1][widest + 2];
        int gpus = 0;
        for (int server = from; server < to; server++) {
            gpus += view.topology().gpusOn(server);
        }
        failures = new ClearableServers.Failures(gpus, this::mayHaveTargets);
    }

    /** Forgets all answers after an event. */
    void update() {
        events++;
    }

    /**
     * Whether there is certainly no plan for a pending job; false when it is not known. O(servers and their jobs), or
     * O(1) when that follows from an earlier answer.
     */
    boolean lackTargets(int gpus, double beneficiarySeconds) {
        return failures.fails(events, gpus, beneficiarySeconds);
    }

    private boolean mayHaveTargets(int gpus, double beneficiarySeconds) {
        countTargets();
        int full = clearable.fullServers(gpus);
        int found = 0;
        int without = 0;
        for (int server = from; server < to && without < full; server++) {
            boolean mayBe = clearable.isClearable(server - from, gpus, beneficiarySeconds)
                    && count(server, gpus, beneficiarySeconds);
            if (mayBe) {
                found++;
                without += displaced[1] == 0 ? 1 : 0;
                addNeeds(server);
            }
        }
        return without == full || (found >= full && areEnough(full));
    }

    private void countTargets() {
        FreeGpuIndex free = view.cluster().byFreeGpus();
        int servers = 0;
        for (int gpus = widest; gpus > 0; gpus--) {
            servers += free.count(gpus);
            targets[gpus] = servers;
            Arrays.fill(needs[gpus], 0);
        }
    }

    /** Counts the jobs that a server that is cleared displaces; returns false when it cannot be. */
    private boolean count(int server, int gpus, double beneficiarySeconds) {
        int missing =
                Math.min(gpus, view.topology().gpusOn(server)) - view.cluster().freeOn(server);
        Arrays.fill(displaced, 0);
        int jobs = missing <= 0 ? 0 : victims.read(server);
        int movable = 0;
        for (int n = 0; n < jobs; n++) {
            if (victims.seconds(server, n) > beneficiarySeconds) {
                missing -= victims.gpus(server, n);
            } else if (victims.isMovable(server, n)) {
                movable += victims.gpus(server, n);
                for (int width = victims.gpus(server, n); width > 0; width--) {
                    displaced[width]++;
                }
            }
        }
        if (missing < movable) {
            // Not all have to migrate; where some have to, one at least does.
            Arrays.fill(displaced, 0);
            displaced[1] = missing > 0 ? 1 : 0;
        }
        return missing <= movable && haveTargets(server);
    }

    private boolean haveTargets(int server) {
        for (int gpus = 1; gpus <= widest && displaced[gpus] > 0; gpus++) {
            if (displaced[gpus] > targets[gpus] - asTarget(server, gpus)) {
                return false;
            }
        }
        return true;
    }

    private void addNeeds(int server) {
        for (int gpus = 1; gpus <= widest; gpus++) {
            needs[gpus][displaced[gpus] == 0 ? 0 : displaced[gpus] + asTarget(server, gpus)]++;
        }
    }

    /** 1 for a server to which a job of so many GPUs could migrate, else 0. */
    private int asTarget(int server, int gpus) {
        return view.cluster().freeOn(server) >= gpus ? 1 : 0;
    }

    /** Whether there are targets for the servers that need fewest, for each number of GPUs. */
    private boolean areEnough(int full) {
        for (int gpus = 1; gpus <= widest; gpus++) {
            int left = full;
            int needed = 0;
            for (int need = 0; left > 0; need++) {
                int servers = Math.min(left, needs[gpus][need]);
                needed += servers * need;
                left -= servers;
            }
            if (needed > targets[gpus]) {
                return false;
            }
        }
        return true;
    }
}
