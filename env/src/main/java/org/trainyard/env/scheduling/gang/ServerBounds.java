package org.trainyard.env.scheduling.gang;

import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;
import java.util.Arrays;
import java.util.IdentityHashMap;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.scheduling.placement.InterferenceCost;
import org.trainyard.env.simulation.ServerChanges;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.ModelProfile;

/**
 * Lower bounds, by server, on the cost of a gang that has free GPUs of that server alone, where fragmentation does not count: of the harm to neighbours, only the part that is
 * certain whenever they have started. Kept for gangs of equal models and workers; a server that has changed is predicted anew when its bound is asked for.
 */
final class ServerBounds {
    /** Numbers kept at most, 16 MB, or those of one kind of gang. */
    private static final int MOST_NUMBERS = 1 << 21;
    /** So that rounding never lifts a bound above a cost. */
    private static final double SLACK = 1 - 1e-12;

    private final Topology topology;
    private final InterferenceCost costs;
    private final IdentityHashMap<ModelProfile, Integer> models = new IdentityHashMap<>();
    private final Long2ObjectLinkedOpenHashMap<Kind> kinds = new Long2ObjectLinkedOpenHashMap<>();

    /** @param costs of the search that asks for the bounds; they weigh neighbours by {@link ResidualTimeFloor} */
    ServerBounds(Topology topology, InterferenceCost costs) {
        this.topology = topology;
        this.costs = costs;
    }

    /** The bounds for gangs of one model and one number of workers. */
    final class Kind {
        private final int workers;
        /** By server, the cost but for the harm; infinity without room, and less than any cost where it is to be predicted. */
        private final double[] own = new double[topology.servers()];
        /** By server, the harm if all neighbours stayed as long as the gang, and the least time that one of them may stay, seconds. */
        private final double[] harm = new double[topology.servers()];

        private final double[] seconds = new double[topology.servers()];
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
                Arrays.fill(own, Double.NEGATIVE_INFINITY);
            }
            for (long change = changes.first(); change < changes.end(); change++) {
                own[changes.server(change)] = Double.NEGATIVE_INFINITY;
            }
        }

        /**
         * The bound for a gang of this kind; infinity when the server has no room.
         *
         * @param perStay 1 over the time that the gang stays, seconds
         */
        double of(SimView view, int job, int server, double perStay) {
            if (own[server] == Double.NEGATIVE_INFINITY) {
                predict(view, job, server);
            }
            return harm[server] == 0
                    ? own[server]
                    : SLACK * (own[server] + harm[server] * Math.min(1, seconds[server] * perStay));
        }

        private void predict(SimView view, int job, int server) {
            int free = view.cluster().freeOn(server);
            harm[server] = 0;
            seconds[server] = Double.MIN_NORMAL;
            if (free < workers) {
                own[server] = Double.POSITIVE_INFINITY;
                return;
            }
            costs.predictOwn(view, job, server, workers, false);
            own[server] = costs.own() - 1 + PricedSet.LEFTOVER * (double) (free - workers) / topology.gpusOn(server);
            harm[server] = costs.mostHarm(view, server);
            double least = Double.POSITIVE_INFINITY;
            for (int n = 0; n < view.cluster().jobsOn(server); n++) {
                least = Math.min(
                        least,
                        ResidualTimeFloor.leastSeconds(view, view.cluster().jobOn(server, n)));
            }
            seconds[server] = Math.max(least, Double.MIN_NORMAL);
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

    /** The bounds for the workers of a job. */
    Kind of(SimView view, int job, int workers) {
        costs.update(view);
        ModelProfile model = view.job(job).model();
        Integer known = models.get(model);
        int number = known == null ? models.size() : known;
        if (known == null) {
            models.put(model, number);
        }
        long key = (long) number << Integer.SIZE | workers;
        Kind kind = kinds.getAndMoveToLast(key);
        if (kind == null) {
            if ((kinds.size() + 1L) * 3 * topology.servers() > MOST_NUMBERS && !kinds.isEmpty()) {
                kinds.removeFirst();
            }
            kind = new Kind(workers);
            kinds.putAndMoveToLast(key, kind);
        }
        kind.update(view);
        return kind;
    }
}
