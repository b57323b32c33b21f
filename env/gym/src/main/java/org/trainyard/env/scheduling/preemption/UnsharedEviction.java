package org.trainyard.env.scheduling.preemption;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.SimView;

/** Clears servers of a range on a cluster whose GPUs are not shared, for a {@link PreemptionPlanner}. O(servers + jobs near the cheapest squared) for each server of the plan. */
final class UnsharedEviction implements ServerEviction {
    /** Bounds are kept in ranges of so many servers. */
    private static final int LEAST_KEPT = 16;

    private final SimView view;
    private final int from;
    private final int to;
    private final LeastLoss leastLoss;
    private final VictimChoice choice;
    private final PreemptionPlan plan = new PreemptionPlan();
    private final PlannedGpus planned;
    private final PreemptionPlan best = new PreemptionPlan();
    private double beneficiarySeconds;
    /** The servers under consideration. */
    private int first;

    private int end;
    /** By server of the range, a lower bound on the cost of clearing it, as close as it is known, and for how many workers. */
    private final double[] bounds;

    private int workers;
    private final IntConsumer boundAnew = this::boundAnew;
    /** Bounds for a plan that clears nothing yet, by server and by rack; null in ranges where that is not worth while. */
    private final @Nullable KeptBounds byServer;

    private @Nullable KeptBounds byRack;
    private int[] begins = {};
    /** The cheapest server of the present search. */
    private double least;

    private int chosen;
    /** Whether all servers of the range have as many GPUs. */
    private final boolean isUniform;
    /** The least bounds on the costs of servers so far, in ascending order. */
    private final double[] cheapest;

    UnsharedEviction(SimView view, int from, int to, LeastLoss leastLoss) {
        this.view = view;
        this.from = from;
        this.to = to;
        this.leastLoss = leastLoss;
        planned = new PlannedGpus(view, from, to);
        choice = new VictimChoice(view, leastLoss, plan, planned);
        bounds = new double[to - from];
        byServer = to - from < LEAST_KEPT ? null : new KeptBounds(to - from);
        cheapest = new double[to - from];
        isUniform = IntStream.range(from, to)
                .allMatch(server ->
                        view.topology().gpusOn(server) == view.topology().widestServer());
    }

    /** Begins the search for a beneficiary; there is no plan under construction. */
    void begin(double newBeneficiarySeconds) {
        beneficiarySeconds = newBeneficiarySeconds;
        leastLoss.targets().count(plan);
        choice.begin(beneficiarySeconds);
        KeptBounds servers = byServer;
        if (servers != null) {
            leastLoss.forEachChanged(i -> change(servers, i));
        }
    }

    private void change(KeptBounds servers, int i) {
        servers.change(i);
        if (byRack != null) {
            byRack.change(view.topology().rackOf(from + i) - view.topology().rackOf(from));
        }
    }

    @Override
    public PreemptionPlan plan() {
        return plan;
    }

    @Override
    public void resume(PreemptionPlan known) {
        planned.count(plan, -1);
        plan.copy(known);
        planned.count(plan, 1);
        leastLoss.targets().count(plan);
        choice.begin(beneficiarySeconds);
    }

    @Override
    public void leastCosts(int gpus, int[] newBegins, double[] costs) {
        if (byServer == null || plan.servers() > 0) {
            ServerEviction.super.leastCosts(gpus, newBegins, costs);
            return;
        }
        KeptBounds racks = byRack;
        if (racks == null || begins != newBegins) {
            begins = newBegins;
            racks = new KeptBounds(costs.length);
            byRack = racks;
        }
        racks.find(gpus, leastLoss.largestFree(), beneficiarySeconds, this::boundRack, costs);
    }

    private double boundRack(int rack, int gpus, double seconds) {
        return leastCost(gpus, begins[rack], begins[rack + 1], seconds, false);
    }

    @Override
    public double leastCost(int gpus, int newFirst, int newEnd, boolean isClose) {
        return leastCost(gpus, newFirst, newEnd, beneficiarySeconds, isClose);
    }

    private double leastCost(int gpus, int newFirst, int newEnd, double seconds, boolean isClose) {
        int widest = Math.max(1, view.topology().widestServer());
        int full = isUniform ? gpus / widest : 0;
        int rest = gpus - full * widest;
        Arrays.fill(cheapest, 0, full, Double.POSITIVE_INFINITY);
        double last = rest > 0 ? Double.POSITIVE_INFINITY : 0;
        for (int server = newFirst; server < newEnd; server++) {
            if (!planned.isCleared(server)) {
                if (rest > 0) {
                    last = Math.min(last, leastShare(server, rest, seconds, isClose, last));
                }
                if (full > 0) {
                    insertCheapest(full, leastShare(server, widest, seconds, isClose, cheapest[full - 1]));
                }
            }
        }
        double sum = plan.cost + last;
        for (int i = 0; i < full; i++) {
            sum += cheapest[i];
        }
        return sum;
    }

    /** Inserts a cost into the least so many ones. */
    private void insertCheapest(int count, double cost) {
        int at = count;
        while (at > 0 && cost < cheapest[at - 1]) {
            if (at < count) {
                cheapest[at] = cheapest[at - 1];
            }
            at--;
        }
        if (at < count) {
            cheapest[at] = cost;
        }
    }

    /** A bound on the share of a server, which is made close only where the loose one is below what others cost. */
    private double leastShare(int server, int left, double seconds, boolean isClose, double others) {
        int missing = planned.missingOn(server, left);
        if (missing <= 0) {
            return 0;
        }
        double loose = leastLoss.ofShares(server, missing, seconds);
        return isClose && loose < others
                ? leastLoss.nowShares(server, missing, seconds, !planned.isTaken(server))
                : loose;
    }

    @Override
    public boolean clear(int gpus, int newFirst, int newEnd, double limit) {
        first = newFirst;
        end = newEnd;
        bound(gpus);
        int left = gpus;
        boolean isLimited =
                limit < Double.POSITIVE_INFINITY && gpus > view.topology().widestServer();
        if (isLimited && leastCost(gpus, newFirst, newEnd, false) >= limit) {
            return false;
        }
        while (left > 0) {
            int cleared = clearCheapestServer(left, limit);
            if (cleared == 0 || plan.cost >= limit) {
                return false;
            }
            left -= cleared;
        }
        return true;
    }

    /** Adds the server that is cleared at the least cost to the plan, the first of equals; returns for how many workers, or 0 when none can be cleared. */
    private int clearCheapestServer(int left, double limit) {
        if (left < workers) {
            bound(left);
        }
        least = limit - plan.cost;
        chosen = SimView.NONE;
        int promising = mostPromising();
        if (promising == SimView.NONE || plan.cost + bounds[promising - from] >= limit) {
            return 0;
        }
        if (limit == Double.POSITIVE_INFINITY || mayBeCheapest(promising)) {
            consider(promising);
        }
        for (int server = first; server < end; server++) {
            double bound = bounds[server - from];
            if (server != promising && bound <= least && bound < Double.POSITIVE_INFINITY && mayBeCheapest(server)) {
                consider(server);
            }
        }
        if (chosen == SimView.NONE) {
            return 0;
        }
        int victims = plan.size();
        plan.servers.add(chosen);
        plan.addAll(best);
        plan.cost += least;
        planned.add(plan, chosen, victims, boundAnew);
        leastLoss.targets().count(plan);
        return Math.min(left, view.topology().gpusOn(chosen));
    }

    /** Bounds the cost of every server from below. */
    private void bound(int left) {
        workers = Math.min(left, view.topology().widestServer());
        if (byServer != null && plan.servers() == 0 && end - first == to - from) {
            byServer.find(workers, leastLoss.largestFree(), beneficiarySeconds, this::boundServer, bounds);
            return;
        }
        for (int server = first; server < end; server++) {
            boundAnew(server);
        }
    }

    private void boundAnew(int server) {
        bounds[server - from] = planned.isCleared(server)
                ? Double.POSITIVE_INFINITY
                : boundServer(server - from, workers, beneficiarySeconds);
    }

    private double boundServer(int i, int left, double seconds) {
        int missing = planned.missingOn(from + i, left);
        return missing <= 0 ? 0 : leastLoss.of(from + i, missing, seconds);
    }

    /** The server with the least bound; none when no server can be cleared. */
    private int mostPromising() {
        int promising = SimView.NONE;
        double lowest = Double.POSITIVE_INFINITY;
        for (int server = first; server < end; server++) {
            if (bounds[server - from] < lowest) {
                lowest = bounds[server - from];
                promising = server;
            }
        }
        return promising;
    }

    /** Whether a server may be the cheapest by a closer bound, which is kept while the plan leaves the server as it is. */
    private boolean mayBeCheapest(int server) {
        int missing = planned.missingOn(server, workers);
        if (missing <= 0) {
            return true;
        }
        double close = leastLoss.now(server, missing, beneficiarySeconds, !planned.isTaken(server));
        bounds[server - from] = Math.max(bounds[server - from], close);
        return close <= least;
    }

    private void consider(int server) {
        double cost = choice.clear(server, planned.missingOn(server, workers));
        if (cost < least || (cost == least && server < chosen)) {
            least = cost;
            chosen = server;
            best.clear();
            choice.addTo(best);
        }
    }
}
