package org.trainyard.agents.heuristic.elastic;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;

/**
 * The decisions that bring jobs to new allocations, GPUs by server: stops first, then whoever fits, and where nobody
 * fits a running job makes room.
 *
 * <p>A job that does not fit is looked at again when one of its own decisions or another's frees GPUs on the server
 * that was too full. All decisions are made at one instant.
 */
public final class AllocationMoves {
    /** A job and its GPUs on each server, in the order in which they were added. */
    private record Move(int order, int job, GpusByServer gpus) implements Comparable<Move> {
        @Override
        public int compareTo(Move other) {
            return Integer.compare(order, other.order);
        }
    }

    private final Deque<Move> stops = new ArrayDeque<>();
    private final List<Move> moves = new ArrayList<>();
    private final PriorityQueue<Move> untried = new PriorityQueue<>();
    /** Moves that do not fit, by the server that is too full. */
    private final Int2ObjectOpenHashMap<List<Move>> waitingFor = new Int2ObjectOpenHashMap<>();
    /** Moves that a quota keeps from more GPUs. */
    private final List<Move> overQuota = new ArrayList<>();
    /** The moves before this one have been made or are of jobs that do not run. */
    private int nextToMakeRoom;

    /** Forgets all moves. */
    public void clear() {
        stops.clear();
        moves.clear();
        untried.clear();
        waitingFor.clear();
        overQuota.clear();
        nextToMakeRoom = 0;
    }

    /** The job shall hold these GPUs. */
    public void add(int job, GpusByServer gpus) {
        Move move = new Move(moves.size(), job, gpus);
        if (gpus.total() == 0) {
            stops.add(move);
        } else {
            moves.add(move);
            untried.add(move);
        }
    }

    /**
     * The next decision, or null when all jobs are where they should be; jobs that their quota keeps from it are
     * dropped.
     */
    public @Nullable Decision next(SimView view) {
        while (!stops.isEmpty()) {
            int job = stops.remove().job;
            if (view.state(job) == JobState.RUNNING && view.mayPreempt(job)) {
                return preempt(view, job);
            }
        }
        while (!untried.isEmpty()) {
            Move move = untried.remove();
            if (isLive(view, move.job) && fits(view, move)) {
                return make(view, move);
            }
        }
        for (; nextToMakeRoom < moves.size(); nextToMakeRoom++) {
            Move move = moves.get(nextToMakeRoom);
            boolean mayStop = view.state(move.job) == JobState.RUNNING && view.mayPreempt(move.job);
            if (mayStop && !move.gpus.areHeldBy(view, move.job)) {
                return preempt(view, move.job);
            }
        }
        clear();
        return null;
    }

    /** Whether the job runs or waits; one that was preempted may do neither for a while. */
    private static boolean isLive(SimView view, int job) {
        return view.state(job) == JobState.RUNNING || view.state(job) == JobState.WAITING;
    }

    private Decision preempt(SimView view, int job) {
        retryAfterLeaving(view.placement(job));
        return new Decision.Preempt(job);
    }

    private Decision make(SimView view, Move move) {
        Placement where = placement(view, move);
        if (view.state(move.job) != JobState.RUNNING) {
            return new Decision.Start(move.job, where);
        }
        retryAfterLeaving(view.placement(move.job));
        return new Decision.Resize(move.job, where);
    }

    /** Looks again at the moves that may fit when a job leaves these GPUs. */
    private void retryAfterLeaving(Placement placement) {
        for (int i = 0; i < placement.serverCount(); i++) {
            List<Move> waiting = waitingFor.remove(placement.server(i));
            if (waiting != null) {
                untried.addAll(waiting);
            }
        }
        untried.addAll(overQuota);
        overQuota.clear();
    }

    /** Whether a move can be made now; if not, keeps it until it may. */
    private boolean fits(SimView view, Move move) {
        Placement now = view.state(move.job) == JobState.RUNNING ? view.placement(move.job) : null;
        for (int i = 0; i < move.gpus.serverCount(); i++) {
            int server = move.gpus.server(i);
            int at = now == null ? -1 : now.indexOf(server);
            int own = now == null || at < 0 ? 0 : now.gpusOn(at);
            if (move.gpus.gpusOn(i) > own + view.cluster().freeOn(server)) {
                waitingFor.computeIfAbsent(server, none -> new ArrayList<>()).add(move);
                return false;
            }
        }
        int more = move.gpus.total() - (now == null ? 0 : now.gpuCount());
        boolean isAllowed = more <= 0 || view.isWithinQuota(move.job, more);
        if (!isAllowed) {
            overQuota.add(move);
        }
        return isAllowed;
    }

    /** Placement of a move, with the GPUs that the job has on each server first. */
    private static Placement placement(SimView view, Move move) {
        Topology topology = view.topology();
        IntArrayList chosen = new IntArrayList();
        for (int i = 0; i < move.gpus.serverCount(); i++) {
            int server = move.gpus.server(i);
            int first = topology.firstGpu(server);
            int wanted = chosen.size() + move.gpus.gpusOn(i);
            for (int owner : new int[] {move.job, Cluster.FREE}) {
                for (int gpu = first; gpu < first + topology.gpusOn(server) && chosen.size() < wanted; gpu++) {
                    if (view.cluster().owner(gpu) == owner) {
                        chosen.add(gpu);
                    }
                }
            }
        }
        return Placement.of(topology, chosen.toIntArray());
    }
}
