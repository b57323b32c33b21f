package org.trainyard.agents.heuristic.victims;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import org.trainyard.env.simulation.FreeGpuIndex;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;

/** The GPUs of each server that are free once some jobs are preempted, and a choice of servers with most of them. */
final class ObtainableGpus {
    /** By server, GPUs that the jobs hold alone. */
    private int[] gained = new int[0];

    private boolean[] isChosen = new boolean[0];
    /** The servers on which jobs hold GPUs. */
    private final IntArrayList withGain = new IntArrayList();

    /** Counts the GPUs that jobs hold alone; no server is chosen yet. */
    void count(SimView view, IntArrayList jobs) {
        gained = new int[view.topology().servers()];
        isChosen = new boolean[gained.length];
        withGain.clear();
        for (int c = 0; c < jobs.size(); c++) {
            Placement placement = view.placement(jobs.getInt(c));
            for (int i = 0; i < placement.serverCount() && VictimSearch.holdsAlone(view, jobs.getInt(c)); i++) {
                int server = placement.server(i);
                if (gained[server] == 0 && placement.gpusOn(i) > 0) {
                    withGain.add(server);
                }
                gained[server] += placement.gpusOn(i);
            }
        }
    }

    /** GPUs of the server that are free once the jobs are preempted. */
    int obtainable(SimView view, int server) {
        return view.cluster().freeOn(server) + gained[server];
    }

    /**
     * Chooses one server more: with most obtainable GPUs up to a limit, of equals with most free GPUs, then the first;
     * there must be one left.
     *
     * @param most GPUs beyond which more do not count
     */
    int choose(SimView view, int most) {
        int best = nextWithoutGain(view);
        for (int i = 0; i < withGain.size(); i++) {
            int server = withGain.getInt(i);
            if (!isChosen[server] && (best == SimView.NONE || isBetter(view, server, best, most))) {
                best = server;
            }
        }
        isChosen[best] = true;
        return best;
    }

    /** The first of the servers with most free GPUs among those that have no jobs to preempt and are not chosen. */
    private int nextWithoutGain(SimView view) {
        FreeGpuIndex index = view.cluster().byFreeGpus();
        for (int free = view.topology().widestServer(); free >= 0; free--) {
            for (int server = index.next(free, 0); server != SimView.NONE; server = index.next(free, server + 1)) {
                if (!isChosen[server] && gained[server] == 0) {
                    return server;
                }
            }
        }
        return SimView.NONE;
    }

    private boolean isBetter(SimView view, int server, int than, int most) {
        int here = Math.min(most, obtainable(view, server));
        int there = Math.min(most, obtainable(view, than));
        int freeHere = view.cluster().freeOn(server);
        int freeThere = view.cluster().freeOn(than);
        if (here != there || freeHere != freeThere) {
            return here != there ? here > there : freeHere > freeThere;
        }
        return server < than;
    }

    boolean isChosen(int server) {
        return isChosen[server];
    }
}
