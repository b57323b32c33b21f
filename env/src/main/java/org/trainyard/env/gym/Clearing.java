package org.trainyard.env.gym;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;

/**
 * Whom an agent would push out so that a job finds a place on as few servers of its domain as there can be.
 *
 * <p>Victims run in the domain alone and are predicted to take longer than the newcomer, so that nobody is pushed out by somebody whom
 * it could push out. The cost of a victim is the newcomer's predicted remaining time over its own: what the victim loses of its
 * own scale. Servers are chosen one after another by least cost; victims go longest first, and no more than are needed.
 */
final class Clearing {
    private final Domains domains;
    private final IntArrayList victims = new IntArrayList();
    private final IntArrayList onServer = new IntArrayList();
    private final IntArrayList best = new IntArrayList();
    private final IntArrayList servers = new IntArrayList();
    private double cost;
    private double newcomerSeconds;
    /** What {@link Remaining} said of each job, and when: it is asked again and again at one instant. */
    private double[] remaining = new double[64];

    private long[] saidAt = new long[64];

    Clearing(Domains domains) {
        this.domains = domains;
    }

    /** Whether there is a way; then {@link #victims} are who goes and {@link #cost} what they lose. */
    boolean find(SimView view, int agent, int job) {
        victims.clear();
        servers.clear();
        cost = 0;
        newcomerSeconds = Remaining.seconds(view, job);
        int left = view.job(job).gpus();
        while (left > 0) {
            int taken = clearOne(view, agent, left);
            if (taken == 0) {
                victims.clear();
                return false;
            }
            left -= taken;
        }
        return !victims.isEmpty();
    }

    /** Clears the cheapest server not used yet for as many workers as it can hold; returns how many, or 0 when none can be cleared. */
    private int clearOne(SimView view, int agent, int left) {
        int end = domains.firstServer(agent) + domains.servers(agent);
        double least = Double.POSITIVE_INFINITY;
        int chosen = SimView.NONE;
        for (int server = domains.firstServer(agent); server < end; server++) {
            int needed = Math.min(left, view.topology().gpusOn(server));
            if (servers.contains(server)) {
                continue;
            }
            double here = clear(view, agent, server, needed);
            if (here < least) {
                least = here;
                chosen = server;
                best.clear();
                best.addAll(onServer);
            }
        }
        if (chosen == SimView.NONE) {
            return 0;
        }
        servers.add(chosen);
        victims.addAll(best);
        cost += least;
        return Math.min(left, view.topology().gpusOn(chosen));
    }

    /** Fills {@link #onServer} with who must go so that so many GPUs are free; returns what they lose, infinity when there is no way. */
    private double clear(SimView view, int agent, int server, int needed) {
        onServer.clear();
        int missing = needed - view.cluster().freeOn(server);
        int running = view.cluster().jobsOn(server);
        for (int n = 0; n < running; n++) {
            if (victims.contains(view.cluster().jobOn(server, n))) {
                missing -= gpusOn(view, view.cluster().jobOn(server, n), server);
            }
        }
        double lost = 0;
        while (missing > 0) {
            int longest = longestOn(view, agent, server);
            if (longest == SimView.NONE) {
                return Double.POSITIVE_INFINITY;
            }
            onServer.add(longest);
            missing -= gpusOn(view, longest, server);
            lost += loss(view, longest);
        }
        for (int v = onServer.size() - 1; v >= 0; v--) {
            int gpus = gpusOn(view, onServer.getInt(v), server);
            if (missing + gpus <= 0) {
                missing += gpus;
                lost -= loss(view, onServer.getInt(v));
                onServer.removeInt(v);
            }
        }
        return lost;
    }

    private int longestOn(SimView view, int agent, int server) {
        int longest = SimView.NONE;
        double most = newcomerSeconds;
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int job = view.cluster().jobOn(server, n);
            double seconds = remaining(view, job);
            if (seconds > most && !onServer.contains(job) && !victims.contains(job) && isAtHome(view, agent, job)) {
                longest = job;
                most = seconds;
            }
        }
        return longest;
    }

    private boolean isAtHome(SimView view, int agent, int job) {
        Placement placement = view.placement(job);
        for (int i = 0; i < placement.serverCount(); i++) {
            if (domains.domainOf(placement.server(i)) != agent) {
                return false;
            }
        }
        return true;
    }

    private double loss(SimView view, int victim) {
        return newcomerSeconds / remaining(view, victim);
    }

    private double remaining(SimView view, int job) {
        if (job >= saidAt.length) {
            remaining = Arrays.copyOf(remaining, Math.max(job + 1, 2 * job));
            saidAt = Arrays.copyOf(saidAt, remaining.length);
        }
        long now = view.nowNanos() + 1; // never zero
        if (saidAt[job] != now) {
            saidAt[job] = now;
            remaining[job] = Remaining.seconds(view, job);
        }
        return remaining[job];
    }

    private static int gpusOn(SimView view, int job, int server) {
        Placement placement = view.placement(job);
        return placement.gpusOn(placement.indexOf(server));
    }

    /** Who goes, of the last call of {@link #find}; overwritten by the next. */
    IntArrayList victims() {
        return victims;
    }

    /** Newcomer's time over the victim's, over all victims. */
    double cost() {
        return cost;
    }
}
