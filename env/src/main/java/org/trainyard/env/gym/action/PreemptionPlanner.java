package org.trainyard.env.gym.action;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.scheduling.order.RemainingTimeEstimator;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;

/**
 * Whom an agent would push out, or move, so that a job finds a place on as few servers of its domain as there can be.
 *
 * <p>Who is moved runs on one server and finds another with room at once; it pays a restart and no more. Who is pushed out must wait,
 * and ranks behind the newcomer ({@link RemainingTimeEstimator}), so that nobody is pushed out by somebody whom it could push out. The cost of the one is
 * the newcomer's rank over its own: what it loses of its own scale; the cost of the other is the restart in the same scale. Servers are chosen
 * one after another by least cost; on a server the cheapest go first, and no more than are needed.
 */
public final class PreemptionPlanner {
    /** What a restart is thought to cost who is moved, seconds. */
    private static final double MOVE_SECONDS = 60;
    /** So many servers of each number of free GPUs are looked at for who is moved. */
    private static final int LOOKED_AT = 8;
    /** A server left empty but for one GPU is as bad for who is moved as being slowed down by so much: gangs shall find room. */
    private static final double MOVED_LEFTOVER = 1.0 / 4;

    private final Domains domains;
    private final DomainQueues queues;
    private final RemainingTimeEstimator forecast;
    private final PlacementPreview outlook;
    private final PreemptionSet victims = new PreemptionSet();
    private final PreemptionSet onServer = new PreemptionSet();
    private final PreemptionSet best = new PreemptionSet();
    private final IntArrayList servers = new IntArrayList();
    private final List<@Nullable Placement> moves = new ArrayList<>();
    private final SimView view;
    /** By agent and GPUs, the least rank for which there was no way, as long as nothing happens. */
    private final double[][] hopeless;

    private final int[] hopelessAsOf;
    private long instant = -1;
    private double cost;
    private double newcomerSeconds;

    public PreemptionPlanner(SimView view, Domains domains, DomainQueues queues, PlacementPreview outlook) {
        this.view = view;
        this.domains = domains;
        this.queues = queues;
        this.outlook = outlook;
        forecast = queues.forecast();
        hopeless = new double[domains.count()][domains.mostGpus() + 1];
        hopelessAsOf = new int[domains.count()];
    }

    /** Whether there is a way; then {@link #victims} are who goes and {@link #cost} what they lose. */
    public boolean find(int agent, int job) {
        int gpus = view.job(job).gpus();
        newcomerSeconds = forecast.seconds(job);
        forgetWhenStale(agent);
        victims.clear();
        if (gpus > domains.gpus(agent) || newcomerSeconds >= hopeless[agent][gpus]) {
            return false;
        }
        boolean found = clear(agent, gpus);
        if (!found) {
            hopeless[agent][gpus] = newcomerSeconds;
        }
        return found;
    }

    /** What was hopeless may be so no more when something has happened, or time has passed. */
    private void forgetWhenStale(int agent) {
        if (instant != view.nowNanos()) {
            instant = view.nowNanos();
            Arrays.fill(hopelessAsOf, -1);
        }
        if (hopelessAsOf[agent] != view.journalSize()) {
            hopelessAsOf[agent] = view.journalSize();
            Arrays.fill(hopeless[agent], Double.POSITIVE_INFINITY);
        }
    }

    private boolean clear(int agent, int gpus) {
        servers.clear();
        cost = 0;
        int left = gpus;
        while (left > 0) {
            int taken = clearOne(agent, left);
            if (taken == 0) {
                victims.clear();
                return false;
            }
            left -= taken;
        }
        return victims.count() > 0;
    }

    /** Clears the cheapest server not used yet for as many workers as it can hold; returns how many, or 0 when none can be cleared. */
    private int clearOne(int agent, int left) {
        int end = domains.firstServer(agent) + domains.servers(agent);
        double least = Double.POSITIVE_INFINITY;
        int chosen = SimView.NONE;
        for (int server = domains.firstServer(agent); server < end; server++) {
            int needed = Math.min(left, view.topology().gpusOn(server));
            if (servers.contains(server)) {
                continue;
            }
            double here = clearServer(server, needed);
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
    private double clearServer(int server, int needed) {
        onServer.clear();
        int missing = needed - freeOn(server);
        while (missing > 0) {
            if (!addCheapest(server)) {
                return Double.POSITIVE_INFINITY;
            }
            missing -= gpusOn(onServer.job(onServer.count() - 1), server);
        }
        double lost = 0;
        for (int v = onServer.count() - 1; v >= 0; v--) {
            int gpus = gpusOn(onServer.job(v), server);
            if (missing + gpus <= 0) {
                missing += gpus;
                onServer.remove(v);
            } else {
                lost += onServer.loss(v);
            }
        }
        return lost;
    }

    /** GPUs free on the server once the victims so far have gone. */
    private int freeOn(int server) {
        int free = view.cluster().freeOn(server);
        for (int v = 0; v < victims.count(); v++) {
            free += gpusOn(victims.job(v), server);
        }
        return free - takenBy(victims, server) - takenBy(onServer, server);
    }

    private int takenBy(PreemptionSet movers, int server) {
        int gpus = 0;
        for (int v = 0; v < movers.count(); v++) {
            gpus += movers.target(v) == server ? view.job(movers.job(v)).gpus() : 0;
        }
        return gpus;
    }

    private boolean addCheapest(int server) {
        int cheapest = SimView.NONE;
        int where = SimView.NONE;
        double least = Double.POSITIVE_INFINITY;
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int job = view.cluster().jobOn(server, n);
            if (onServer.contains(job) || victims.contains(job)) {
                continue;
            }
            double seconds = forecast.seconds(job);
            int target = target(job, server);
            double loss = target != SimView.NONE
                    ? MOVE_SECONDS / Math.max(MOVE_SECONDS, seconds)
                    : seconds > newcomerSeconds ? newcomerSeconds / seconds : Double.POSITIVE_INFINITY;
            if (loss < least) {
                least = loss;
                cheapest = job;
                where = target;
            }
        }
        if (cheapest == SimView.NONE) {
            return false;
        }
        onServer.add(cheapest, where, least);
        return true;
    }

    /** The server that would fit the job most tightly if it left this one, or none. */
    private int target(int job, int from) {
        Placement placement = view.placement(job);
        if (placement.serverCount() > 1) {
            return SimView.NONE;
        }
        for (int i = queues.firstWithFree(placement.gpuCount());
                i < view.topology().servers();
                i++) {
            int server = queues.tightestFirst(i);
            if (canMoveTo(server, from) && !onServer.isTarget(server)) {
                return server;
            }
        }
        return SimView.NONE;
    }

    /** Whether somebody may move there: not to where room is made, nor to where somebody else moves. */
    private boolean canMoveTo(int server, int from) {
        return server != from && !servers.contains(server) && !victims.isTarget(server);
    }

    private int gpusOn(int job, int server) {
        Placement placement = view.placement(job);
        int at = placement.indexOf(server);
        return at < 0 ? 0 : placement.gpusOn(at);
    }

    /**
     * Pushes out whom {@link #find} has found, and moves those who are moved: not to the tightest server but to the kindest, of a few of
     * each number of free GPUs the one of least {@link PlacementPreview#costOn}.
     *
     * @param builder an empty one, which is empty again afterwards
     */
    public void carryOut(PlacementBuilder builder, ActionExecutor.Orders orders) {
        // Places are made before anybody goes: GPUs are to be the same whether orders are carried out at once or later.
        moves.clear();
        for (int v = 0; v < victims.count(); v++) {
            moves.add(victims.target(v) == SimView.NONE ? null : place(v, builder));
        }
        for (int v = 0; v < victims.count(); v++) {
            orders.preempt(victims.job(v));
        }
        for (int v = 0; v < victims.count(); v++) {
            Placement target = moves.get(v);
            if (target != null) {
                orders.start(victims.job(v), target);
            }
        }
    }

    private Placement place(int v, PlacementBuilder builder) {
        int job = victims.job(v);
        victims.setTarget(v, kindest(job, victims.target(v)));
        builder.take(victims.target(v), view.job(job).gpus());
        return builder.build();
    }

    private int kindest(int job, int tightest) {
        int from = view.placement(job).server(0);
        int kindest = tightest;
        double least = outlook.costOn(view, job, tightest, MOVED_LEFTOVER);
        for (int free = view.job(job).gpus(); free <= view.topology().widestServer(); free++) {
            int end = Math.min(queues.firstWithFree(free + 1), queues.firstWithFree(free) + LOOKED_AT);
            for (int i = queues.firstWithFree(free); i < end; i++) {
                int server = queues.tightestFirst(i);
                double cost = canMoveTo(server, from)
                        ? outlook.costOn(view, job, server, MOVED_LEFTOVER)
                        : Double.POSITIVE_INFINITY;
                if (cost < least) {
                    least = cost;
                    kindest = server;
                }
            }
        }
        return kindest;
    }

    /** Who goes, of the last call of {@link #find}; overwritten by the next. */
    public PreemptionSet victims() {
        return victims;
    }

    /** What they lose, over all of them. */
    public double cost() {
        return cost;
    }
}
