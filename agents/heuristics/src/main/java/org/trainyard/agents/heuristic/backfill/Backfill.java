package org.trainyard.agents.heuristic.backfill;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.CandidateServers;
import org.trainyard.agents.heuristic.placing.GangBuilder;
import org.trainyard.env.Invalid;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * Reservations for the first jobs of a queue that cannot start, and the rule by which later jobs may pass them: a job
 * starts when no reservation begins later for it. One reservation is EASY backfill (D. A. Lifka: The ANL/IBM SP
 * scheduling system, JSSPP 1995), one for every waiting job is conservative backfill (A. W. Mu'alem, D. G. Feitelson:
 * Utilization, predictability, workloads, and user runtime estimates in scheduling the IBM SP2 with backfilling, TPDS
 * 2001).
 *
 * <p>At each decision the caller goes through the waiting jobs in its order ({@link #begin}); it {@link #visit visits}
 * each, and starts it where {@link #mayStart} allows or gives it a reservation ({@link #reserve}). A job that has one
 * keeps it unless an earlier one is found, as when Mu'alem and Feitelson compress a schedule. When estimates are true,
 * no job with a reservation starts after it, but for jobs that come before it in the order.
 *
 * <p>Our deviations: (1) as soon as a job comes that needs few servers, one server or certain GPUs, reservations are of
 * servers, and no longer of a number of GPUs; where a job that starts would take its servers, other servers at the same
 * time will do, but only while there are at most {@value #MOST_PLANNED_ANEW} reservations; (2) a job that no more than
 * its quota keeps from starting has no reservation; (3) the cost of restarts and the slowdown by other jobs are in no
 * estimate; and those of {@link FreeGpusOverTime}.
 */
public final class Backfill {
    private static final int MOST_PLANNED_ANEW = 64;

    private final int most;
    private final RunTimeEstimate estimate;
    private final FreeGpusOverTime future;
    private final ReservedGpus reserved;
    private final EarliestStart earliest;
    private final PlansAnew plans;
    private final GangBuilder gang = new GangBuilder();
    /** Reservations that were made anew or found to stand in this pass. */
    private final List<Reservation> standing = new ArrayList<>();
    /** Reservations of earlier passes, in their order. */
    private final List<Reservation> earlier = new ArrayList<>();
    /** Waiting jobs that have been visited. */
    private final IntOpenHashSet known = new IntOpenHashSet();
    /** Whether any job needed certain servers: then all reservations that are new are of servers. */
    private boolean needServers;

    /** The reservation that the visited job had, which is taken out while its start is tried. */
    private @Nullable Reservation own;

    /** @param most the most reservations at once, at least 1; {@link Integer#MAX_VALUE} for one for every job */
    public Backfill(int most, RunTimeEstimate estimate) {
        Invalid.when(most < 1, "reservations (%d) must be at least 1", most);
        this.most = most;
        this.estimate = estimate;
        future = new FreeGpusOverTime(estimate);
        reserved = new ReservedGpus(future);
        earliest = new EarliestStart(reserved);
        plans = new PlansAnew(future, estimate);
    }

    /**
     * Begins a pass through the waiting jobs.
     *
     * @param keeps whether reservations of earlier passes stand; not where jobs are preempted for others, which are
     *     then planned for first
     */
    public void begin(SimView view, boolean keeps) {
        future.update(view);
        List<Reservation> before = new ArrayList<>(standing);
        before.addAll(earlier);
        if (own != null) {
            before.add(own);
        }
        standing.clear();
        earlier.clear();
        own = null;
        reserved.clear();
        plans.begin();
        for (Reservation reservation : before) {
            // A start that was planned for an instant that has passed was planned with estimates that were wrong.
            boolean isToCome = reservation.startNanos() >= view.nowNanos();
            if (keeps && isToCome && isWaiting(view, reservation.job())) {
                earlier.add(reservation);
                reserved.add(reservation);
            }
        }
        if (known.size() > 64 + 2 * view.waitingCount()) {
            known.removeIf(job -> !isWaiting(view, job));
        }
    }

    private static boolean isWaiting(SimView view, int job) {
        return view.state(job) == JobState.WAITING;
    }

    /** Whether no further job gets a reservation in this pass. */
    public boolean isFull() {
        return standing.size() >= most;
    }

    /** How long a waiting job is expected to run. */
    public long expectedNanos(SimView view, int job) {
        return estimate.nanos(view, job);
    }

    /**
     * The longest run of a job of so many GPUs, of those that are free now, that leaves the reservations their number
     * of GPUs. Once {@link #isFull all reservations are made}, a job that runs longer cannot start on any servers: each
     * reservation begins as early as the others allow, so none moves for it.
     */
    public long longestNanos(SimView view, int gpus) {
        long until = reserved.untilFewer(gpus);
        return until == Long.MAX_VALUE ? until : until - view.nowNanos();
    }

    /** Whether a job that was visited in this pass has a reservation. */
    public boolean hasStanding() {
        return !standing.isEmpty();
    }

    /** Comes to the next job in the order. */
    public void visit(SimView view, int job) {
        own = null;
        needServers |= view.cluster().isShared() || !view.job(job).demand().isPlain();
        for (int i = 0; i < earlier.size(); i++) {
            if (earlier.get(i).job() == job) {
                own = earlier.remove(i);
                reserved.remove(own);
                break;
            }
        }
        if (own == null && known.add(job)) {
            // The jobs behind a newcomer made their plans without it.
            dropEarlier();
        }
    }

    private void dropEarlier() {
        earlier.forEach(reserved::remove);
        earlier.clear();
    }

    /** Whether the visited job may start there now. If so, it is to be started. */
    public boolean mayStart(SimView view, int job, Placement where) {
        // Where GPUs are shared, no other placement would be tried.
        boolean isDue = own != null && own.startNanos() <= view.nowNanos();
        boolean isLastChance = view.cluster().isShared() && view.runningCount() == 0 && isDue;
        if (reserved.isAny() && !isLastChance) {
            Reservation start = taken(view, job, where);
            if (!isFree(view, start) && !plansAnew(view, start)) {
                return false;
            }
        }
        known.remove(job);
        own = null;
        return true;
    }

    /** The GPUs that a start takes, as a reservation from now on. */
    private Reservation taken(SimView view, int job, Placement where) {
        int[] servers = new int[where.serverCount()];
        int[] gpus = new int[servers.length];
        for (int i = 0; i < where.gpuCount(); i++) {
            int gpu = where.gpu(i);
            gpus[where.indexOf(view.topology().serverOf(gpu))] += view.cluster().owner(gpu) == Cluster.FREE ? 1 : 0;
        }
        for (int i = 0; i < servers.length; i++) {
            servers[i] = where.server(i);
        }
        long now = view.nowNanos();
        long end = now + estimate.nanos(view, job);
        return new Reservation(
                job, Integer.MAX_VALUE, now, end, Arrays.stream(gpus).sum(), servers, gpus);
    }

    private boolean isFree(SimView view, Reservation wanted) {
        if (!view.cluster().isShared()
                && reserved.ofCluster().least(view.nowNanos(), wanted.endNanos()) < wanted.gpuCount()) {
            return false;
        }
        for (int i = 0; i < wanted.serverCount(); i++) {
            int needed = wanted.gpus(i);
            if (needed > 0 && reserved.least(view, wanted.server(i), wanted.startNanos(), wanted.endNanos()) < needed) {
                return false;
            }
        }
        return true;
    }

    /** Whether all reservations can be had no later beside a start, on other servers; they are changed then. */
    private boolean plansAnew(SimView view, Reservation start) {
        if (standing.size() + earlier.size() > MOST_PLANNED_ANEW) {
            return false;
        }
        List<Reservation> before = new ArrayList<>(standing);
        before.addAll(earlier);
        List<Reservation> anew = plans.beside(view, start, before);
        if (anew == null) {
            return false;
        }
        reserved.clear();
        anew.forEach(reserved::add);
        standing.replaceAll(old -> of(anew, old.job()));
        earlier.replaceAll(old -> of(anew, old.job()));
        return true;
    }

    private static Reservation of(List<Reservation> reservations, int job) {
        return reservations.stream()
                .filter(reservation -> reservation.job() == job)
                .findFirst()
                .orElseThrow();
    }

    /** A placement of the visited job on GPUs that no reservation needs, or null. O(servers). */
    public @Nullable Placement beside(SimView view, JobSpec job, int mostServers) {
        PlacementBuilder builder = reserved.isAny() ? gang.ifRoom(view, job) : null;
        if (builder == null || job.gpus() == 0 || view.cluster().isShared()) {
            return null;
        }
        Topology topology = view.topology();
        long now = view.nowNanos();
        long end = now + estimate.nanos(view, job.id());
        int[] room = new int[topology.servers()];
        for (int server = 0; server < room.length; server++) {
            int free = builder.available(server);
            room[server] = free == 0 ? 0 : Math.min(free, reserved.least(view, server, now, end));
        }
        int one = CandidateServers.lowest(0, room.length, s -> room[s] >= job.gpus(), s -> room[s]);
        if (one != SimView.NONE) {
            builder.take(one, job.gpus());
            return builder.build();
        }
        int left = job.gpus();
        for (int used = 0; left > 0; used++) {
            int widest = CandidateServers.lowest(0, room.length, s -> room[s] > 0, s -> -room[s]);
            if (widest == SimView.NONE || used == mostServers || job.demand().oneServer()) {
                builder.begin(job.demand());
                return null;
            }
            int taken = Math.min(left, room[widest]);
            builder.take(widest, taken);
            left -= taken;
            room[widest] = 0;
        }
        return builder.build();
    }

    private @Nullable Reservation find(SimView view, int job, boolean isAnywhere, int mostServers, long latestNanos) {
        long length = estimate.nanos(view, job);
        return isAnywhere
                ? earliest.anywhere(view, job, length, latestNanos)
                : earliest.onServers(view, job, length, mostServers, latestNanos);
    }

    /**
     * Gives the visited job, which does not start, a reservation, if it is among the first.
     *
     * @param mostServers the most servers on which it is to run
     */
    public void reserve(SimView view, int job, int mostServers) {
        if (isFull()) {
            return;
        }
        Reservation kept = own != null && own.startNanos() > view.nowNanos() ? own : null;
        long latest = kept == null ? Long.MAX_VALUE : kept.startNanos();
        needServers |= mostServers < Integer.MAX_VALUE;
        boolean isAnywhere = own == null ? !needServers : own.isAnywhere();
        Reservation found = find(view, job, isAnywhere, mostServers, latest);
        Reservation made = found == null ? kept : found;
        own = null;
        if (made == null) {
            return;
        }
        standing.add(made);
        reserved.add(made);
        if (isFull()) {
            dropEarlier();
        }
    }

    /** The first instant at which a reservation begins; the greatest long without one. */
    public long nextStartNanos() {
        return standing.stream().mapToLong(Reservation::startNanos).min().orElse(Long.MAX_VALUE);
    }

    /** The job whose reservation begins first; {@link SimView#NONE} without one. */
    public int firstJob() {
        return standing.stream()
                .min(Comparator.comparingLong(Reservation::startNanos))
                .map(Reservation::job)
                .orElse(SimView.NONE);
    }

    /** The instant from which GPUs are reserved for a job; the greatest long when there are none. */
    public long startNanos(int job) {
        return standing.stream()
                .filter(reservation -> reservation.job() == job)
                .mapToLong(Reservation::startNanos)
                .findFirst()
                .orElse(Long.MAX_VALUE);
    }
}
