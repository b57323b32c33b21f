package org.trainyard.env.scheduling.preemption;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;

/**
 * Chooses whom to push out so that a newcomer gets its GPUs on at most so many servers.
 *
 * <p>Victims rank worse than the newcomer by more than a margin. The servers are those where most GPUs could be had, then those with most
 * free; the victims there the worst of rank, the latest submitted first, and no more than are needed. O(running log running + servers x
 * servers used). Each victim is found anew from the state, so there is no plan to keep.
 */
public final class FewestServersPreemption {
    private final Rank rank;
    private final double margin;
    private final IntArrayList victims = new IntArrayList();
    private double[] ranks = new double[64];
    private int[] free = new int[0];
    private int[] gettable = new int[0];

    public FewestServersPreemption(Rank rank, double margin) {
        this.rank = rank;
        this.margin = margin;
    }

    /** The next job to push out, or {@link SimView#NONE} when pushing out would not help; only for demands that are plain. */
    public int victim(SimView view, double newcomerRank, int gpus, int mostServers) {
        listVictims(view, newcomerRank + margin);
        if (victims.isEmpty()) {
            return SimView.NONE;
        }
        if (countGpus(view) < gpus) {
            return SimView.NONE;
        }
        boolean[] isChosen = choose(view, gpus, mostServers);
        int missing = gpus;
        int gained = 0;
        for (int server = 0; server < isChosen.length; server++) {
            missing -= isChosen[server] ? free[server] : 0;
        }
        int count = 0;
        while (count < victims.size() && gained < missing) {
            gained += gain(view, victims.getInt(count++), isChosen);
        }
        if (gained < missing) {
            return SimView.NONE;
        }
        int first = SimView.NONE;
        for (int i = count - 1; i >= 0; i--) {
            int gain = gain(view, victims.getInt(i), isChosen);
            if (gain > 0 && gained - gain < missing) {
                first = victims.getInt(i);
            } else {
                gained -= gain;
            }
        }
        return first;
    }

    private void listVictims(SimView view, double limit) {
        victims.clear();
        if (ranks.length < view.arrived()) {
            ranks = new double[2 * view.arrived()];
        }
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            ranks[job] = rank.of(view, job);
            boolean mayShare =
                    view.cluster().isShared() && view.job(job).demand().gpuMilli() < Demand.WHOLE;
            if (ranks[job] > limit && !mayShare) {
                victims.add(job);
            }
        }
        IntArrays.quickSort(victims.elements(), 0, victims.size(), (a, b) -> {
            int byRank = Double.compare(ranks[b], ranks[a]);
            return byRank != 0 ? byRank : Integer.compare(b, a);
        });
    }

    /** Counts what is free and what could be had, and returns the sum of the latter. */
    private int countGpus(SimView view) {
        int servers = view.topology().servers();
        if (free.length < servers) {
            free = new int[servers];
            gettable = new int[servers];
        }
        int sum = view.cluster().free();
        for (int server = 0; server < servers; server++) {
            free[server] = view.cluster().freeOn(server);
            gettable[server] = free[server];
        }
        for (int i = 0; i < victims.size(); i++) {
            Placement placement = view.placement(victims.getInt(i));
            sum += placement.gpuCount();
            for (int n = 0; n < placement.serverCount(); n++) {
                gettable[placement.server(n)] += placement.gpusOn(n);
            }
        }
        return sum;
    }

    private boolean[] choose(SimView view, int gpus, int mostServers) {
        boolean[] isChosen = new boolean[view.topology().servers()];
        if (mostServers >= isChosen.length) {
            Arrays.fill(isChosen, true);
            return isChosen;
        }
        for (int i = 0; i < mostServers; i++) {
            int best = SimView.NONE;
            for (int server = 0; server < isChosen.length; server++) {
                if (!isChosen[server] && (best == SimView.NONE || isBetter(server, best, gpus))) {
                    best = server;
                }
            }
            isChosen[best] = true;
        }
        return isChosen;
    }

    /** Whether more can be had on the one than on the other, or as much with more of it free; more than is needed is worth no more. */
    private boolean isBetter(int one, int other, int gpus) {
        int byGettable = Integer.compare(Math.min(gpus, gettable[one]), Math.min(gpus, gettable[other]));
        return byGettable != 0 ? byGettable > 0 : free[one] > free[other];
    }

    private static int gain(SimView view, int victim, boolean[] isChosen) {
        Placement placement = view.placement(victim);
        int gain = 0;
        for (int i = 0; i < placement.serverCount(); i++) {
            gain += isChosen[placement.server(i)] ? placement.gpusOn(i) : 0;
        }
        return gain;
    }
}
