package org.trainyard.agents.heuristic.kueue;

import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.Assignment.Mode;
import org.trainyard.agents.heuristic.kueue.Assignment.Obstacle;
import org.trainyard.agents.heuristic.kueue.PodSet.TopologyRequest;

/** Whether the pods of a workload find places in the topologies of their flavors, and which. */
final class PodPlacement {
    private final KueueState state;

    PodPlacement(KueueState state) {
        this.state = state;
    }

    /** Whether a flavor has the nodes and the levels that pods ask for. */
    boolean suits(KueueWorkload workload, int set, int flavor) {
        PodSet pods = workload.podSets.get(set);
        TopologyTree topology = state.topology(flavor);
        TopologyRequest request = pods.topology;
        boolean suits;
        if (request == null) {
            suits = topology == null || state.isTopologyAlone(workload.queue);
        } else {
            suits = topology != null && has(topology, request.level()) && has(topology, request.sliceLevel());
        }
        return suits && pods.flavors.test(flavor);
    }

    private static boolean has(TopologyTree topology, @Nullable String level) {
        return level == null || topology.labels.contains(level);
    }

    /** Places the pods where there is quota; where there is no room, others would have to go, if that helps. */
    void place(KueueWorkload workload, Assignment assignment) {
        if (!flavors(workload, assignment)) {
            return;
        }
        if (assignment.mode() == Mode.FIT) {
            int without = search(workload, assignment, false);
            if (without < 0) {
                return;
            }
            assignment.setModes(without, Mode.PREEMPT);
            assignment.decided = Mode.PREEMPT;
            obstacle(workload, assignment, without);
        }
        if (assignment.mode() == Mode.PREEMPT) {
            int without = search(workload, assignment, true);
            clear(assignment);
            if (without >= 0) {
                assignment.setModes(without, Mode.NO_FIT);
                assignment.decided = Mode.NO_FIT;
                obstacle(workload, assignment, without);
                return;
            }
            assignment.decided = Mode.PREEMPT;
            for (int set = 0; set < assignment.podFlavors.length; set++) {
                if (assignment.podFlavors[set] >= 0) {
                    assignment.setModes(set, Mode.PREEMPT);
                }
            }
        }
    }

    private void obstacle(KueueWorkload workload, Assignment assignment, int set) {
        for (int resource = 0; resource < state.tree.resources.size(); resource++) {
            if (workload.podSets.get(set).total(resource) > 0 && assignment.flavors[set][resource] >= 0) {
                assignment.obstacles[state.tree.at(assignment.flavors[set][resource], resource)] = Obstacle.TOPOLOGY;
            }
        }
    }

    /** Finds the flavor with a topology of each pod set that needs one; false when there is nothing to place. */
    private boolean flavors(KueueWorkload workload, Assignment assignment) {
        boolean any = false;
        boolean alone = state.isTopologyAlone(workload.queue);
        for (int set = 0; set < assignment.podFlavors.length; set++) {
            if (workload.podSets.get(set).topology == null && !alone) {
                continue;
            }
            int only = -1;
            boolean several = false;
            for (int flavor : assignment.flavors[set]) {
                if (flavor >= 0 && state.topology(flavor) != null) {
                    several |= only >= 0 && only != flavor;
                    only = flavor;
                }
            }
            assignment.failed |= several || only < 0;
            assignment.podFlavors[set] = only;
            any = true;
        }
        return any && !assignment.failed;
    }

    /** Places all pod sets; the first that finds no room, or -1. */
    private int search(KueueWorkload workload, Assignment assignment, boolean empty) {
        long[][][] assumed = new long[state.tree.flavors.size()][][];
        for (int set = 0; set < assignment.podFlavors.length; set++) {
            int flavor = assignment.podFlavors[set];
            TopologyTree topology = flavor < 0 ? null : state.topology(flavor);
            if (topology == null) {
                continue;
            }
            PodSet pods = workload.podSets.get(set);
            int[] found = TopologySearch.find(topology, pods, empty, assumed[flavor]);
            if (found == null) {
                clear(assignment);
                return set;
            }
            assignment.pods[set] = found;
            if (assumed[flavor] == null) {
                assumed[flavor] = new long[topology.leaves.size()][state.tree.resources.size()];
            }
            for (int i = 0; i < found.length; i += 2) {
                for (int resource = 0; resource < state.tree.resources.size(); resource++) {
                    assumed[flavor][found[i]][resource] += found[i + 1] * pods.perPod[resource];
                }
            }
        }
        return -1;
    }

    private static void clear(Assignment assignment) {
        for (int set = 0; set < assignment.podFlavors.length; set++) {
            assignment.pods[set] = null;
        }
    }

    /** Whether all pods find room as things are; places nothing. */
    boolean hasRoom(KueueWorkload workload, Assignment assignment) {
        int without = search(workload, assignment, false);
        clear(assignment);
        return without < 0;
    }

    /** Whether the first pod set finds room on the empty nodes of a flavor. */
    boolean hasRoomOnEmpty(KueueWorkload workload, int flavor) {
        TopologyTree topology = state.topology(flavor);
        return topology == null || TopologySearch.find(topology, workload.podSets.get(0), true, null) != null;
    }

    /**
     * Reserves places for a workload that waits for others to go: without them, or, where there are none, on empty
     * nodes.
     */
    void reserve(KueueWorkload workload, Assignment assignment, Iterable<KueueWorkload> victims) {
        if (assignment.mode() == Mode.PREEMPT) {
            state.takeAway(victims);
            search(workload, assignment, !victims.iterator().hasNext());
            state.bringBack(victims);
        }
    }
}
