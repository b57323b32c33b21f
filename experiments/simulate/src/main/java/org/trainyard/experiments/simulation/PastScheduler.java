package org.trainyard.experiments.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.env.Counted;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * Starts each job when it started in a log, on the servers where it ran, as many GPUs on each as go evenly, the lowest
 * free ones. A job whose servers the log does not name, or that they cannot hold, goes where it fits best. A job that
 * does not fit at its instant waits until it does.
 */
public final class PastScheduler implements Scheduler {
    /**
     * Logged start of a job.
     *
     * @param waitNanos from its submission to its start
     * @param servers of its run, ascending; none when not known
     * @param named whether the log names servers at all
     */
    public record Start(long waitNanos, List<Integer> servers, boolean named) {
        public Start {
            servers = List.copyOf(servers);
        }
    }

    private record Due(int job, long nanos, Demand demand, Start start) {}

    private final Function<String, Start> log;
    private final Placer bestFit = new BestFit();
    private final Queue<Due> coming =
            new PriorityQueue<>(Comparator.comparingLong(Due::nanos).thenComparingInt(Due::job));
    private final Queue<Due> due = new ArrayDeque<>();
    private int arrived;
    private int late;
    private int elsewhere;
    private long longestNanos;

    /** @param log by the name of a job */
    public PastScheduler(Function<String, Start> log) {
        this.log = log;
    }

    @Override
    public Decision decide(SimView view) {
        for (; arrived < view.arrived(); arrived++) {
            JobSpec job = view.job(arrived);
            Start start = log.apply(job.name());
            coming.add(new Due(arrived, job.submitNanos() + start.waitNanos, job.demand(), start));
        }
        while (!coming.isEmpty() && coming.element().nanos <= view.nowNanos()) {
            due.add(coming.remove());
        }
        for (Iterator<Due> each = due.iterator(); each.hasNext(); ) {
            Due next = each.next();
            boolean hasRoom = next.demand.gpus() <= view.cluster().mostWorkers(next.demand);
            Placement placement = hasRoom ? place(view, next.job, next.start) : null;
            if (placement != null) {
                each.remove();
                late += view.nowNanos() > next.nanos ? 1 : 0;
                longestNanos = Math.max(longestNanos, view.nowNanos() - next.nanos);
                return new Decision.Start(next.job, placement);
            }
        }
        return coming.isEmpty() ? Decision.WAIT : Decision.waitUntil(coming.element().nanos);
    }

    private @Nullable Placement place(SimView view, int job, Start start) {
        JobSpec spec = view.job(job);
        if (!start.servers.isEmpty() && canHold(view.topology(), spec.demand(), start.servers)) {
            Placement there = onServers(view, spec.demand(), start.servers);
            if (there != null || !isIdle(view, start.servers)) {
                return there;
            }
        }
        Placement placement = bestFit.place(view, spec);
        elsewhere += placement != null && start.named ? 1 : 0;
        return placement;
    }

    private static boolean canHold(Topology topology, Demand demand, List<Integer> servers) {
        int gpus = 0;
        for (int server : servers) {
            gpus += topology.gpusOn(server);
        }
        return gpus >= demand.gpus();
    }

    private static boolean isIdle(SimView view, List<Integer> servers) {
        for (int server : servers) {
            if (view.jobsOn(server) > 0) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable Placement onServers(SimView view, Demand demand, List<Integer> servers) {
        if (demand.gpus() == 0) {
            return view.cluster().room(demand, servers.get(0)) > 0
                    ? Placement.onServer(view.topology(), servers.get(0))
                    : null;
        }
        int[] share = shares(view, demand, servers);
        List<Integer> gpus = new ArrayList<>(demand.gpus());
        for (int i = 0; i < servers.size(); i++) {
            int first = view.topology().firstGpu(servers.get(i));
            for (int gpu = first; share[i] > 0; gpu++) {
                if (view.cluster().fitsOn(gpu, demand)) {
                    gpus.add(gpu);
                    share[i]--;
                }
            }
        }
        if (gpus.size() < demand.gpus()) {
            return null;
        }
        Placement placement = Placement.of(
                view.topology(), gpus.stream().mapToInt(Integer::intValue).toArray());
        return view.cluster().fits(demand, placement) ? placement : null;
    }

    /** GPUs of each server: one on each in turn, as far as there is room. */
    private static int[] shares(SimView view, Demand demand, List<Integer> servers) {
        int[] share = new int[servers.size()];
        int left = demand.gpus();
        boolean hasRoom = true;
        while (left > 0 && hasRoom) {
            hasRoom = false;
            for (int i = 0; i < servers.size() && left > 0; i++) {
                if (share[i] < view.cluster().room(demand, servers.get(i))) {
                    share[i]++;
                    left--;
                    hasRoom = true;
                }
            }
        }
        return share;
    }

    /** Differences of the run from the log, sentences without their full stops. */
    List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        if (late > 0) {
            remarks.add(Counted.say(
                    "%,d jobs did not fit when and where the log starts them and waited, at most %,.0f s: the log and the cluster disagree",
                    late, longestNanos / 1e9));
        }
        if (elsewhere > 0) {
            remarks.add(Counted.say(
                    "%,d jobs run on other servers than in the log, for the cluster has none of their names or they cannot hold the job",
                    elsewhere));
        }
        return remarks;
    }
}
