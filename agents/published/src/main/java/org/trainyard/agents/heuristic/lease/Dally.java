package org.trainyard.agents.heuristic.lease;

import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.RandomGpuPlacer;
import org.trainyard.agents.heuristic.placing.SocketFit;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Locality;
import org.trainyard.env.topology.Topology;

/**
 * Dally: GPUs are leased; the job slowed most by its past placements goes first; delay scheduling keeps jobs on one
 * server, then in one rack, with timers tuned by the waits of earlier jobs.
 *
 * <p>The network sensitivity of a job is the ideal time of its completed work over its time on GPUs: 1 when nothing
 * slowed it, 0 before it has run. The lowest goes first; ties go to the job that has waited longest since it last had
 * GPUs. Jobs wider than a server accept a rack at once, and jobs wider than a rack any placement.
 *
 * <p>Source: A. Sharma, V. M. Bhasi, S. Singh, G. Kesidis, M. T. Kandemir, C. R. Das: GPU cluster scheduling for
 * network-sensitive deep learning, 2024, by the public code of its simulator; the abstract claims up to 69 % less
 * makespan, 83 % less mean JCT and 98 % less communication on a congested network. Needs no predictions. Our
 * deviations: (1) a restart is charged when a job resumes, where in that simulator its GPUs become free late; (2) of
 * units of one level the tightest is taken, not the first of a hash table, and of racks and wider parts the one that
 * needs the fewest servers; (3) the ideal rate is {@link org.trainyard.env.workload.JobSpec#idealIterationsPerSecond},
 * here that of the best placement rather than of no communication, and restarts count as time on GPUs; (4) with
 * {@code renewsLeases} a job keeps its GPUs past its lease until a pending job would start in its place, and moves when
 * it finds a smaller part of the data centre, because with (1) an expired lease costs a restart and a wait even when no
 * job needs the GPUs; (5) there are no levels below the socket, and pods count as wider than a rack; (6) demands for
 * other than whole GPUs are not delayed.
 */
public final class Dally implements Scheduler {
    /**
     * Leases and delay timers.
     *
     * @param leaseSeconds length of a lease, seconds, at least 1
     * @param windowLeases time for which the tuner keeps a wait, leases, at least 1
     * @param timers fixed delay timers; null to tune them
     * @param renewsLeases whether a job keeps its GPUs past its lease while no pending job would start in its place
     */
    public record Settings(
            long leaseSeconds, int windowLeases, @Nullable FixedTimers timers, boolean renewsLeases) {
        /**
         * Leases of an hour, after the unit in which the authors give the window; timers tuned over a day; no renewal.
         */
        public static final Settings PUBLISHED = new Settings(3_600, 24, null, false);

        public Settings {
            if (leaseSeconds < 1 || windowLeases < 1) {
                throw new IllegalArgumentException(
                        "lease (%d s) and window (%d leases) must be at least 1".formatted(leaseSeconds, windowLeases));
            }
        }

        public Settings with(FixedTimers newTimers) {
            return new Settings(leaseSeconds, windowLeases, newTimers, renewsLeases);
        }

        public Settings renewingLeases() {
            return new Settings(leaseSeconds, windowLeases, timers, true);
        }
    }

    /**
     * Delay timers that are not tuned.
     *
     * @param serverLeases how long a job accepts only one server, leases
     * @param rackLeases how long, in all, it accepts at most one rack, leases
     */
    public record FixedTimers(double serverLeases, double rackLeases) {
        /** Dally-noWait: accepts any placement. */
        public static final FixedTimers NO_WAIT = new FixedTimers(0, 0);
        /** Dally-manual; these values are inferred, not published. */
        public static final FixedTimers MANUAL = new FixedTimers(12, 24);
        /** Dally-fullyConsolidated: waits for the best possible level without a limit. */
        public static final FixedTimers FULLY_CONSOLIDATED =
                new FixedTimers(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

        public FixedTimers {
            if (!(serverLeases >= 0 && rackLeases >= 0)) {
                throw new IllegalArgumentException(
                        "timers (server %s, rack %s leases) must not be negative".formatted(serverLeases, rackLeases));
            }
        }
    }

    private static final long NANOS = 1_000_000_000L;
    /** Resolution of sensitivities; smaller differences are rounding errors. */
    private static final double UNIT = 1e-9;

    private final LeaseScheduler rule;

    public Dally(Topology topology, Settings settings) {
        long leaseNanos = Math.multiplyExact(settings.leaseSeconds(), NANOS);
        rule = new LeaseScheduler(
                topology,
                Dally::networkSensitivity,
                new SocketFit(),
                new Delay(topology, settings, leaseNanos),
                new LeaseScheduler.Terms(leaseNanos, settings.renewsLeases()));
    }

    private Dally(LeaseScheduler rule) {
        this.rule = rule;
    }

    /** Dally's order and leases on free GPUs drawn at random: the network-oblivious reference. */
    public static Scheduler oblivious(Topology topology, Settings settings, long seed) {
        long leaseNanos = Math.multiplyExact(settings.leaseSeconds(), NANOS);
        return new Dally(new LeaseScheduler(
                topology,
                Dally::networkSensitivity,
                new RandomGpuPlacer(seed),
                DelayPolicy.NONE,
                new LeaseScheduler.Terms(leaseNanos, settings.renewsLeases())));
    }

    /** Ideal time of the completed work over the time on GPUs, 0..1; 0 before the job has run. */
    static double networkSensitivity(SimView view, int job) {
        long ranNanos = view.runNanos(job);
        return ranNanos == 0 ? 0 : Math.rint(view.progressSeconds(job) / (ranNanos / 1e9) / UNIT) * UNIT;
    }

    @Override
    public Decision decide(SimView view) {
        return rule.decide(view);
    }

    /** Delay scheduling with Dally's timers. */
    private static final class Delay implements DelayPolicy {
        private final int serverGpus;
        private final int rackGpus;
        private final long leaseNanos;
        private final @Nullable FixedTimers fixed;
        private final DallyTuner tuner;
        private int tunedGpus = -1;
        private long tunedAtNanos = -1;
        private DallyTuner.Timers tuned = new DallyTuner.Timers(0, 0);

        Delay(Topology topology, Settings settings, long leaseNanos) {
            serverGpus = topology.widestServer();
            rackGpus = Tiresias.widestRack(topology);
            this.leaseNanos = leaseNanos;
            fixed = settings.timers();
            tuner = new DallyTuner(leaseNanos, settings.windowLeases());
        }

        @Override
        public long acceptsNanos(SimView view, int job, Locality span) {
            int gpus = view.job(job).gpus();
            if (span.compareTo(Locality.RACK) < 0 || gpus > rackGpus || (span == Locality.RACK && gpus > serverGpus)) {
                return Long.MIN_VALUE;
            }
            DallyTuner.Timers timers = timers(view, gpus);
            double leases = span == Locality.RACK
                    ? timers.serverLeases()
                    : gpus > serverGpus ? timers.rackLeases() : Math.max(timers.serverLeases(), timers.rackLeases());
            // The cast maps infinity to Long.MAX_VALUE.
            long patienceNanos = (long) (leases * leaseNanos);
            return patienceNanos > Long.MAX_VALUE - view.queuedSinceNanos(job)
                    ? Long.MAX_VALUE
                    : view.queuedSinceNanos(job) + patienceNanos;
        }

        private DallyTuner.Timers timers(SimView view, int gpus) {
            if (fixed != null) {
                return new DallyTuner.Timers(fixed.serverLeases(), fixed.rackLeases());
            }
            if (gpus != tunedGpus || view.nowNanos() != tunedAtNanos) {
                tuned = tuner.timers(gpus, view.nowNanos());
                tunedGpus = gpus;
                tunedAtNanos = view.nowNanos();
            }
            return tuned;
        }

        @Override
        public void accepted(SimView view, int job, Locality span) {
            long waited = view.nowNanos() - view.queuedSinceNanos(job);
            tuner.record(view.job(job).gpus(), span, view.nowNanos(), waited);
            tunedAtNanos = -1;
        }
    }
}
