package org.trainyard.agents.heuristic.lease;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.placement.RandomGpuPlacer;
import org.trainyard.env.scheduling.placement.SocketFit;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Locality;
import org.trainyard.env.topology.Topology;

/**
 * Dally: GPUs for a lease; who has been slowed most by where it ran goes first; everybody holds out for one server and then for one
 * rack, as long as timers say that learn from how long that took others.
 *
 * <p>A job's network sensitivity is the time its work so far would have taken ideally over the time it took on GPUs: 1 when nothing
 * slowed it, 0 before it has run. The lowest goes first; ties go by who has waited longest since it last had GPUs. Jobs wider than a
 * server take a rack at once, and jobs wider than a rack anything.
 *
 * <p>Source: A. Sharma, V. M. Bhasi, S. Singh, G. Kesidis, M. T. Kandemir, C. R. Das: GPU cluster scheduling for network-sensitive deep
 * learning, 2024,
 * by the public code of its simulator; the abstract claims up to 69 % less makespan, 83 % less mean JCT and 98 % less communication on a
 * congested network. Needs no predictions. Our deviations: (1) a restart is charged when a job resumes, where
 * there its GPUs come back late; (2) of units of one level the tightest is taken, not the first of a hash table, and of racks and wider
 * parts the one that needs the fewest servers; (3) ideal is what {@link org.trainyard.env.workload.JobSpec#idealIterationsPerSecond}
 * says, in our own worlds the best placement rather than no communication, and restarts count as time on GPUs; (4) with
 * {@code renewsLeases} a job stays past its lease until a waiting one would start in its place, and moves when it finds a
 * smaller part of the data centre, for the leases of (1) make jobs pay and wait again that nobody was waiting for; (5) parts below the
 * socket are none of ours, and pods count as wider than a rack; (6) demands for other than whole GPUs have no patience.
 */
public final class Dally implements Scheduler {
    /**
     * How it behaves.
     *
     * @param leaseSeconds how long GPUs are granted for, seconds, at least 1
     * @param windowLeases how long the tuner remembers a wait, leases, at least 1
     * @param timers how long jobs hold out; null to tune it
     * @param renewsLeases whether a job may stay past its lease while nobody minds
     */
    public record Settings(
            long leaseSeconds, int windowLeases, @Nullable FixedTimers timers, boolean renewsLeases) {
        /** An hour, after the unit in which its authors give the window; tuned over a day; leases end for everybody. */
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
     * Timers that stay as they are.
     *
     * @param serverLeases how long a job insists on one server, leases
     * @param rackLeases how long, in all, it insists on one rack, leases
     */
    public record FixedTimers(double serverLeases, double rackLeases) {
        /** Dally-noWait: takes any offer. */
        public static final FixedTimers NO_WAIT = new FixedTimers(0, 0);
        /** Dally-manual; that these are its values is inferred, not published. */
        public static final FixedTimers MANUAL = new FixedTimers(12, 24);
        /** Dally-fullyConsolidated: waits for the best level that can be, however long. */
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
    /** Sensitivities that differ by less are equal: they differ by rounding. */
    private static final double UNIT = 1e-9;

    private final LeaseScheduler rule;

    public Dally(Topology topology, Settings settings) {
        long leaseNanos = Math.multiplyExact(settings.leaseSeconds(), NANOS);
        rule = new LeaseScheduler(
                new LeastSensitive(),
                new SocketFit(),
                new Delay(topology, settings, leaseNanos),
                new LeaseScheduler.Terms(leaseNanos, settings.renewsLeases()));
    }

    private Dally(LeaseScheduler rule) {
        this.rule = rule;
    }

    /** Dally's order and leases on any free GPUs, drawn at random: the reference that knows nothing of the network. */
    public static Scheduler oblivious(Topology topology, Settings settings, long seed) {
        long leaseNanos = Math.multiplyExact(settings.leaseSeconds(), NANOS);
        return new Dally(new LeaseScheduler(
                Dally::networkSensitivity,
                new RandomGpuPlacer(seed),
                DelayPolicy.NONE,
                new LeaseScheduler.Terms(leaseNanos, settings.renewsLeases())));
    }

    /** Ideal time for the work done over the time it took, 0..1; 0 before the job has run. */
    static double networkSensitivity(SimView view, int job) {
        long ranNanos = view.runNanos(job);
        return ranNanos == 0 ? 0 : Math.rint(view.progressSeconds(job) / (ranNanos / 1e9) / UNIT) * UNIT;
    }

    @Override
    public Decision decide(SimView view) {
        return rule.decide(view);
    }

    /** Who has been slowed most goes first; past its lease a job makes way for whoever would start in its place. */
    private static final class LeastSensitive implements LeaseScheduler.Order {
        @Override
        public double rank(SimView view, int job) {
            return networkSensitivity(view, job);
        }

        @Override
        public boolean displaces(double newcomer, double holder) {
            return true;
        }
    }

    /** Delay scheduling. */
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
            // Rounds infinity to the greatest number there is.
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
