package org.trainyard.env.performance.bounds;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;

/**
 * An estimate of the best mean JCT with preemption: gangs in order of least remaining GPU time, with true run
 * times, without interference, fragmentation or restart costs.
 *
 * <p>An estimate and not a bound: for gangs, which need several GPUs at once, the order of least remaining work is
 * not optimal. A gang that does not fit is skipped. Of several GPU types a gang gets the fastest that are free: its
 * slowest GPU is as fast as possible, and of the GPUs that are no slower it takes the slowest. O(jobs x jobs in the
 * system x log).
 */
public final class PreemptiveEstimate {
    private static final double ROUNDING = 1e-9;

    private PreemptiveEstimate() {}

    /** Mean JCT of an episode, seconds. */
    public static double meanJctSeconds(Workload workload, Topology topology, RingPerformance truth) {
        return meanJctSeconds(LeastWork.of(workload, topology, truth), GpuCapacity.of(topology));
    }

    /** A submitted job and its remaining share of work. */
    private static final class Active {
        private final LeastWork work;
        private double left = 1;
        /** On its present GPUs. */
        private double stretch = 1;

        Active(LeastWork work) {
            this.work = work;
        }

        double seconds() {
            return work.seconds() * stretch;
        }

        double leftSeconds() {
            return left * seconds();
        }

        double leftGpuSeconds() {
            return left * work.gpuSeconds();
        }
    }

    /** @param jobs in order of submission, at least one */
    static double meanJctSeconds(List<LeastWork> jobs, GpuCapacity gpus) {
        List<Active> active = new ArrayList<>();
        double sum = 0;
        double now = 0;
        int next = 0;
        while (next < jobs.size() || !active.isEmpty()) {
            List<Active> running = running(active, gpus);
            double until = next < jobs.size() ? jobs.get(next).releaseSeconds() : Double.POSITIVE_INFINITY;
            for (Active job : running) {
                until = Math.min(until, now + job.leftSeconds());
            }
            for (Active job : running) {
                double left = job.leftSeconds() - (until - now);
                job.left = left <= ROUNDING * job.seconds() ? 0 : left / job.seconds();
                if (job.left == 0) {
                    sum += until - job.work.releaseSeconds();
                }
            }
            active.removeIf(job -> job.left == 0);
            now = until;
            while (next < jobs.size() && jobs.get(next).releaseSeconds() <= now) {
                active.add(new Active(jobs.get(next++)));
            }
        }
        return sum / jobs.size();
    }

    /** The jobs that run, in order, as long as there are GPUs; sorts the list. */
    private static List<Active> running(List<Active> active, GpuCapacity gpus) {
        active.sort(Comparator.comparingDouble(Active::leftGpuSeconds));
        List<Active> running = new ArrayList<>();
        double[] free = gpus.gpus().stream().mapToDouble(count -> count).toArray();
        double rounding = ROUNDING * gpus.all();
        for (Active job : active) {
            if (takes(job, free, rounding)) {
                running.add(job);
            }
        }
        return running;
    }

    /** Takes GPUs for the job if enough are free; the types are ordered from the fastest. */
    private static boolean takes(Active job, double[] free, double rounding) {
        double width = job.work.width();
        double room = 0;
        for (int slowest = 0; slowest < free.length; slowest++) {
            double stretch = job.work.stretch().get(slowest);
            room += stretch < Double.POSITIVE_INFINITY ? free[slowest] : 0;
            if (stretch < Double.POSITIVE_INFINITY && width <= room + rounding) {
                job.stretch = stretch;
                double left = width;
                for (int type = slowest; type >= 0; type--) {
                    boolean isAllowed = job.work.stretch().get(type) < Double.POSITIVE_INFINITY;
                    double taken = !isAllowed ? 0 : type == 0 ? left : Math.min(left, free[type]);
                    free[type] -= taken;
                    left -= taken;
                }
                return true;
            }
        }
        return false;
    }
}
