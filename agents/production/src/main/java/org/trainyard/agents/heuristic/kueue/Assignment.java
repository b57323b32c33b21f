package org.trainyard.agents.heuristic.kueue;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The flavors that a workload would get, and whether other workloads must give way first. */
final class Assignment {
    /** How a workload fits, from worst to best. */
    enum Mode {
        NO_FIT,
        PREEMPT,
        FIT
    }

    /** Why a flavor does not do at once. */
    enum Obstacle {
        /** The pods ask for more than the queue can ever have. */
        CAPACITY,
        /** The free quota is not enough. */
        QUOTA,
        /** The flavor does not suit the pods. */
        FLAVOR,
        /** There is quota, and no part of the topology has room. */
        TOPOLOGY
    }

    /** By pod set and resource; -1 for none. */
    final int[][] flavors;
    /** By pod set and resource, where there is a flavor. */
    final Mode[][] modes;
    /** By pod set and resource; -1 when all flavors were tried. */
    final int[][] tried;
    /** By resource of a flavor. */
    final long[] usage;
    /** How far up the tree it borrows; 0 when it does not. */
    int borrowing;
    /** Whether a pod set got no flavor. */
    boolean failed;
    /**
     * By pod set, whether a flavor could not be had at once. Where none was short as a whole all counts as fitting,
     * even a resource that is: where displacing is better than borrowing, the worst of a flavor's resources may be one
     * that borrows, and hides another that is short. So it is in Kueue 0.17.
     */
    final boolean[] isShort;
    /** Result of the placement of pods; null where flavors alone decide. */
    @Nullable Mode decided;
    /** By pod set, pods on the leaves of the topology of a flavor: pairs of a leaf and a number; null without. */
    final int[] @Nullable [] pods;
    /** By pod set, the flavor of those leaves; -1 without. */
    final int[] podFlavors;
    /** By resource of a flavor, why it did not do; null where it did or was not tried. */
    final @Nullable Obstacle[] obstacles;

    Assignment(int sets, int resources, int size) {
        flavors = new int[sets][resources];
        modes = new Mode[sets][resources];
        tried = new int[sets][resources];
        for (int set = 0; set < sets; set++) {
            Arrays.fill(flavors[set], -1);
            Arrays.fill(modes[set], Mode.FIT);
            Arrays.fill(tried[set], -1);
        }
        usage = new long[size];
        pods = new int[sets][];
        podFlavors = new int[sets];
        Arrays.fill(podFlavors, -1);
        obstacles = new Obstacle[size];
        isShort = new boolean[sets];
    }

    /** The worst of its modes. */
    Mode mode() {
        if (failed) {
            return Mode.NO_FIT;
        } else if (decided != null) {
            return decided;
        }
        Mode worst = Mode.FIT;
        for (int set = 0; set < flavors.length; set++) {
            if (!isShort[set]) {
                continue;
            }
            for (int resource = 0; resource < flavors[set].length; resource++) {
                if (flavors[set][resource] >= 0 && modes[set][resource].compareTo(worst) < 0) {
                    worst = modes[set][resource];
                }
            }
        }
        return worst;
    }

    /** Counts the quota of another slice of the same flavors as its own. */
    void takeOver(Assignment replaced) {
        for (int at = 0; at < usage.length; at++) {
            usage[at] += replaced.usage[at];
        }
    }

    void setModes(int set, Mode mode) {
        Arrays.fill(modes[set], mode);
    }

    /** The resources of flavors that others must give up. */
    BitSet contested(int resources) {
        BitSet contested = new BitSet();
        for (int set = 0; set < flavors.length; set++) {
            for (int resource = 0; resource < resources; resource++) {
                if (flavors[set][resource] >= 0 && modes[set][resource] == Mode.PREEMPT) {
                    contested.set(flavors[set][resource] * resources + resource);
                }
            }
        }
        return contested;
    }

    /** Whether the assignment has any of the contested resources of flavors. */
    boolean uses(BitSet contested) {
        int resources = flavors.length == 0 ? 0 : flavors[0].length;
        for (int[] ofSet : flavors) {
            for (int resource = 0; resource < resources; resource++) {
                if (ofSet[resource] >= 0 && contested.get(ofSet[resource] * resources + resource)) {
                    return true;
                }
            }
        }
        return false;
    }
}
