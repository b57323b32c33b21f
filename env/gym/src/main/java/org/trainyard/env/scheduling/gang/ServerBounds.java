package org.trainyard.env.scheduling.gang;

import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;
import java.util.Arrays;
import java.util.IdentityHashMap;
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.scheduling.order.BoundedRank;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.scheduling.placement.InterferenceCost;
import org.trainyard.env.simulation.ServerChanges;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.TrainingPlan;

/**
 * Lower bounds, by server, on the cost of a gang that has free GPUs of that server alone, where fragmentation does not
 * count: of the harm to neighbours, only the part that is certain whenever they have started, and of the sets of GPUs
 * that come into question, the least cost. Kept for gangs of equal models, plans and workers; a server that has changed
 * is predicted anew when its bound is asked for.
 */
final class ServerBounds {
    /** Numbers kept at most, 16 MB, or those of one kind of gang. */
    private static final int MOST_NUMBERS = 1 << 21;
    /**
     * Numbers by server: the cost but for the harm; infinity without room, and less than any cost where it is to be
     * predicted.
     */
    private static final int OWN = 0;
    /** The harm if all neighbours stayed as long as the gang. */
    private static final int MOST = 1;
    /** The harm over 1 / the time that a gang stays, where that is longer than any neighbour stays. */
    private static final int SLOPE = 2;
    /**
     * The start of the line through the harm of a stay as long as the neighbour that ends last, and the one that ends
     * first.
     */
    private static final int START = 3;
    /** The rise of that line. */
    private static final int RISE = 4;
    /** How fast the share of these times that a neighbour has left sinks at most, 1/ns. */
    private static final int DECAY = 5;
    /** The least that it sinks to. */
    private static final int LEAST = 6;

    private static final int NUMBERS = 7;
    /** A neighbour with less than this times the least time that it may have left counts with that. */
    private static final double ALIKE = 1 + 1e-6;
    /** A slack by which rounding never lifts a bound above a cost. */
    private static final double SLACK = 1 - 1e-12;

    private final Topology topology;
    private final InterferenceCost costs;
    private final SetChoice choice;
    private final IdentityHashMap<ModelProfile, Integer> models = new IdentityHashMap<>();
    private final Long2ObjectLinkedOpenHashMap<Kind> kinds = new Long2ObjectLinkedOpenHashMap<>();

    /** @param costs of the search that asks for the bounds; they weigh neighbours by {@link ResidualTimeFloor} */
    ServerBounds(Topology topology, InterferenceCost costs, SetChoice choice) {
        this.topology = topology;
        this.costs = costs;
        this.choice = choice;
    }

    /** The bounds for gangs of one model and one number of workers, rings or not. */
    final class Kind {
        private final int workers;
        /** By server, {@link #NUMBERS} of them. */
        private final double[] numbers = new double[NUMBERS * topology.servers()];
        /** By server, the instant for which the harm was predicted. */
        private final long[] madeNanos = new long[topology.servers()];

        private final ServerChanges.Cursor changes = new ServerChanges.Cursor();
        private long epoch = -1;
        /** The servers of the sets that the last search has kept, which are cheap now, too. */
        private final int[] cheapest = new int[8];

        private int cheapestCount;

        private Kind(int workers) {
            this.workers = workers;
        }

        private void update(SimView view) {
            if (changes.advance(view.cluster()) || epoch != costs.epoch()) {
                epoch = costs.epoch();
                Arrays.fill(numbers, Double.NEGATIVE_INFINITY);
            }
            for (long change = changes.first(); change < changes.end(); change++) {
                numbers[NUMBERS * changes.server(change) + OWN] = Double.NEGATIVE_INFINITY;
            }
        }

        /**
         * The bound for a gang of this kind; infinity when the server has no room.
         *
         * @param perStay 1 over the time that the gang stays, seconds
         */
        double of(SimView view, int job, int server, double perStay) {
            int at = NUMBERS * server;
            if (numbers[at + OWN] == Double.NEGATIVE_INFINITY) {
                predict(view, job, server);
            }
            if (numbers[at + MOST] == 0) {
                return numbers[at + OWN];
            }
            double left = 1 - numbers[at + DECAY] * (view.nowNanos() - madeNanos[server]);
            return SLACK * (numbers[at + OWN] + Math.max(numbers[at + LEAST], left) * harm(at, perStay));
        }

        /**
         * The harm grows with 1 / the time that the gang stays, ever less, from 0 to the most: so chords are below it,
         * and of their lines the lowest is the chord.
         */
        private double harm(int at, double perStay) {
            double line = numbers[at + START] + numbers[at + RISE] * perStay;
            return Math.min(numbers[at + MOST], Math.min(numbers[at + SLOPE] * perStay, line));
        }

        /** Makes the bound closer, of a server that has one, by the time that neighbours have run since it was made. */
        void refine(SimView view, int job, int server) {
            if (numbers[NUMBERS * server + MOST] > 0) {
                costs.predictOwn(view, job, server, workers, false);
                predictHarm(view, server);
            }
        }

        private void predict(SimView view, int job, int server) {
            int free = view.cluster().freeOn(server);
            if (free < workers) {
                numbers[NUMBERS * server + OWN] = Double.POSITIVE_INFINITY;
                numbers[NUMBERS * server + MOST] = 0;
                return;
            }
            costs.predictOwn(view, job, server, workers, false);
            numbers[NUMBERS * server + OWN] = costs.own()
                    - 1
                    + PricedSet.LEFTOVER * ((double) (free - workers) / topology.gpusOn(server))
                    + choice.leastCost(view, view.job(job), server, workers);
            predictHarm(view, server);
        }

        private void predictHarm(SimView view, int server) {
            double most = 0;
            double slope = 0;
            double first = Double.POSITIVE_INFINITY;
            double last = 0;
            double decay = 0;
            double least = 1;
            for (int n = 0; n < view.cluster().jobsOn(server); n++) {
                double harm = costs.mostHarm(n);
                if (harm > 0) {
                    int neighbour = view.cluster().jobOn(server, n);
                    double leastSeconds = Math.max(ResidualTimeFloor.leastSeconds(view, neighbour), Double.MIN_NORMAL);
                    double seconds = ResidualTimeFloor.seconds(view, neighbour);
                    if (seconds > ALIKE * leastSeconds) {
                        least = Math.min(least, leastSeconds / seconds);
                        decay = Math.max(decay, decay(view, neighbour) / seconds);
                    } else {
                        seconds = leastSeconds;
                    }
                    most += harm;
                    slope += harm * seconds;
                    first = Math.min(first, seconds);
                    last = Math.max(last, seconds);
                }
            }
            double atLast = slope / last;
            double rise = first < last ? (most - atLast) / (1 / first - 1 / last) : 0;
            int at = NUMBERS * server;
            numbers[at + MOST] = most;
            numbers[at + SLOPE] = slope;
            numbers[at + START] = first < last ? atLast - rise / last : most;
            numbers[at + RISE] = rise;
            numbers[at + DECAY] = decay;
            numbers[at + LEAST] = least;
            madeNanos[server] = view.nowNanos();
        }

        /** Seconds that the remaining time of a job shrinks by in a nanosecond at most. */
        private static double decay(SimView view, int job) {
            double speed = BoundedRank.mostSpeed(view, job);
            return speed > 0 ? speed / 1e9 : 1;
        }

        /** Notes the servers of the sets that a search has kept. */
        void remember(CheapestSets kept) {
            cheapestCount = 0;
            for (int set = 0; set < kept.size() && cheapestCount < cheapest.length; set++) {
                cheapest[cheapestCount++] = kept.server(set, 0);
            }
        }

        /** Number of servers that the last search has kept. */
        int remembered() {
            return cheapestCount;
        }

        int remembered(int i) {
            return cheapest[i];
        }
    }

    Kind of(SimView view, int job, int workers) {
        costs.update(view);
        ModelProfile model = view.job(job).model();
        Integer known = models.get(model);
        int number = known == null ? models.size() : known;
        if (known == null) {
            models.put(model, number);
        }
        boolean isRing = view.job(job).plan() instanceof TrainingPlan.RingAllReduce;
        long key = ((long) number << 1 | (isRing ? 1 : 0)) << Integer.SIZE | workers;
        Kind kind = kinds.getAndMoveToLast(key);
        if (kind == null) {
            if ((kinds.size() + 1L) * (NUMBERS + 1) * topology.servers() > MOST_NUMBERS && !kinds.isEmpty()) {
                kinds.removeFirst();
            }
            kind = new Kind(workers);
            kinds.putAndMoveToLast(key, kind);
        }
        kind.update(view);
        return kind;
    }
}
