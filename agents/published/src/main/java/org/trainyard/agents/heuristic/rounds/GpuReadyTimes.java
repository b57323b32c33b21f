package org.trainyard.agents.heuristic.rounds;

import it.unimi.dsi.fastutil.doubles.DoubleComparators;
import it.unimi.dsi.fastutil.doubles.DoubleHeapPriorityQueue;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * When the GPUs of each type become free, by the predicted remaining times of the jobs that hold them. GPUs that are
 * out of order are left out.
 */
final class GpuReadyTimes {
    private static final double LEAST_SECONDS = 1;

    private final GpuKinds kinds;
    /**
     * By job and type: rates, and times over those at the ideal rate, of these specifications; null once the job is
     * forgotten.
     */
    private double[] @Nullable [] rates = new double[64][];

    private double[] @Nullable [] slowness = new double[64][];
    private @Nullable JobSpec[] specs = new JobSpec[64];

    GpuReadyTimes(GpuKinds kinds) {
        this.kinds = kinds;
    }

    /** Free GPUs by type. O(servers), with one type O(1). */
    int[] free(SimView view) {
        int[] free = new int[kinds.count()];
        if (free.length == 1) {
            free[0] = view.cluster().free();
        } else {
            for (int server = 0; server < view.topology().servers(); server++) {
                free[kinds.kindOfServer(server)] += view.cluster().freeOn(server);
            }
        }
        return free;
    }

    /** Whether some GPU of the type is in order. */
    boolean someAreInOrder(SimView view, int type) {
        return view.cluster().down() == 0 || gpusInOrder(view, type).findAny().isPresent();
    }

    private IntStream gpusInOrder(SimView view, int type) {
        Topology topology = view.topology();
        return IntStream.range(0, topology.gpus())
                .filter(gpu -> kinds.kindOfServer(topology.serverOf(gpu)) == type)
                .filter(gpu -> view.cluster().owner(gpu) != Cluster.DOWN);
    }

    /**
     * The earliest times by type, seconds from now, ascending: 0 for a free GPU, above 0 for others.
     *
     * @param most of each type
     */
    double[][] seconds(SimView view, int most) {
        return view.cluster().isShared() ? ofAllGpus(view, most) : ofRunningJobs(view, most);
    }

    private double[][] ofAllGpus(SimView view, int most) {
        double[][] ready = new double[kinds.count()][];
        for (int type = 0; type < ready.length; type++) {
            int here = type;
            ready[type] = gpusInOrder(view, type)
                    .mapToDouble(gpu -> view.cluster().owner(gpu) == Cluster.FREE ? 0 : busySeconds(view, gpu, here))
                    .sorted()
                    .limit(most)
                    .toArray();
        }
        return ready;
    }

    /** Predicted time until all jobs on the GPU have ended; of a GPU that jobs share, those on its server. */
    private double busySeconds(SimView view, int gpu, int type) {
        int owner = view.cluster().owner(gpu);
        if (owner >= 0) {
            return busySeconds(leftSeconds(view, owner, type));
        }
        double longest = LEAST_SECONDS;
        int server = view.topology().serverOf(gpu);
        for (int i = 0; i < view.cluster().jobsOn(server); i++) {
            longest = Math.max(longest, leftSeconds(view, view.cluster().jobOn(server, i), type));
        }
        return longest;
    }

    private static double busySeconds(double left) {
        return Math.max(LEAST_SECONDS, left);
    }

    /**
     * Computes the earliest times by type, seconds from now, on a cluster where each GPU has at most one job. O(running
     * jobs).
     */
    private double[][] ofRunningJobs(SimView view, int most) {
        int[] free = free(view);
        EarliestTimes[] earliest = new EarliestTimes[free.length];
        Arrays.setAll(earliest, type -> new EarliestTimes(Math.max(0, most - free[type])));
        boolean someAreBusy = Arrays.stream(free).anyMatch(gpus -> gpus < most);
        for (int job = someAreBusy ? view.firstRunning() : SimView.NONE;
                job != SimView.NONE;
                job = view.nextRunning(job)) {
            double remaining = view.predictedRemainingSeconds(job);
            double[] slowness = slowness(view, job);
            if (!someTake(earliest, remaining, slowness)) {
                continue;
            }
            Placement placement = view.placement(job);
            for (int i = 0; i < placement.serverCount(); i++) {
                int type = kinds.kindOfServer(placement.server(i));
                earliest[type].offer(busySeconds(remaining * slowness[type]), placement.gpusOn(i));
            }
        }
        double[][] ready = new double[free.length][];
        Arrays.setAll(ready, type -> earliest[type].after(Math.min(most, free[type])));
        return ready;
    }

    private static boolean someTake(EarliestTimes[] earliest, double remaining, double[] slowness) {
        for (int type = 0; type < slowness.length; type++) {
            if (earliest[type].takes(busySeconds(remaining * slowness[type]))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Predicted remaining time of a job on GPUs of the type, seconds; at its ideal rate where it fits on no type alone.
     */
    double leftSeconds(SimView view, int job, int type) {
        return view.predictedRemainingSeconds(job) * slowness(view, job)[type];
    }

    /** Time on each type over the time at the ideal rate; 1 where it fits on no type alone. */
    @SuppressWarnings("ReferenceEquality") // an equal specification costs only another computation
    private double[] slowness(SimView view, int job) {
        JobSpec spec = view.job(job);
        makeRoom(job);
        double[] known = slowness[job];
        if (known == null || specs[job] != spec) {
            known = Arrays.stream(rates(view, job))
                    .map(rate -> rate > 0 ? spec.idealIterationsPerSecond() / rate : 1)
                    .toArray();
            slowness[job] = known;
            specs[job] = spec;
        }
        return known;
    }

    private void makeRoom(int job) {
        if (job >= rates.length) {
            rates = Arrays.copyOf(rates, 2 * job);
            slowness = Arrays.copyOf(slowness, 2 * job);
            specs = Arrays.copyOf(specs, 2 * job);
        }
    }

    /** Forgets what is known of a job that is done. */
    void forget(int job) {
        if (job < rates.length) {
            rates[job] = null;
            slowness[job] = null;
            specs[job] = null;
        }
    }

    /** Iterations per second of a job by type; zero where it cannot run. */
    double[] rates(SimView view, int job) {
        makeRoom(job);
        double[] known = rates[job];
        if (known == null) {
            known = kinds.rates(view.job(job)).stream()
                    .mapToDouble(rate -> rate)
                    .toArray();
            rates[job] = known;
        }
        return known;
    }

    /** The earliest of some times, up to a number, in seconds. */
    private static final class EarliestTimes {
        private final int most;
        private final DoubleHeapPriorityQueue latestFirst =
                new DoubleHeapPriorityQueue(DoubleComparators.OPPOSITE_COMPARATOR);

        EarliestTimes(int most) {
            this.most = most;
        }

        /** Whether the time would be among them. */
        boolean takes(double seconds) {
            return latestFirst.size() < most || (most > 0 && seconds < latestFirst.firstDouble());
        }

        /** Adds a time so often, as far as it is among them. O(count log(most)). */
        void offer(double seconds, int count) {
            for (int i = 0; i < count && takes(seconds); i++) {
                if (latestFirst.size() == most) {
                    latestFirst.dequeueDouble();
                }
                latestFirst.enqueue(seconds);
            }
        }

        /** Takes them out: so many zeros, and after these the times, ascending. O(most log(most)). */
        double[] after(int zeros) {
            double[] times = new double[zeros + latestFirst.size()];
            for (int i = times.length - 1; i >= zeros; i--) {
                times[i] = latestFirst.dequeueDouble();
            }
            return times;
        }
    }
}
