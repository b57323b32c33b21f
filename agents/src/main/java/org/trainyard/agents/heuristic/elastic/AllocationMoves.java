package org.trainyard.agents.heuristic.elastic;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;

/**
 * The decisions that bring jobs to new allocations, GPUs by server: stops first, then whoever fits, and where nobody fits a running job makes
 * room.
 */
public final class AllocationMoves {
    /** A job and its GPUs on each server. */
    private static final class Move {
        final int job;
        final int[] row;
        /** The servers on which it shall hold GPUs, and how many in all: most rows are empty but for one server. */
        final int[] servers;

        final int gpus;

        Move(int job, int[] row) {
            this.job = job;
            this.row = row;
            servers = IntStream.range(0, row.length)
                    .filter(server -> row[server] > 0)
                    .toArray();
            gpus = Arrays.stream(row).sum();
        }
    }

    private final List<Move> pending = new ArrayList<>();

    /** Forgets all moves. */
    public void clear() {
        pending.clear();
    }

    /** The job shall hold these GPUs on each server. */
    public void add(int job, int[] row) {
        pending.add(new Move(job, row));
    }

    /** The GPUs of a job on each server. */
    public static int[] row(SimView view, int job) {
        int[] row = new int[view.topology().servers()];
        if (view.state(job) == JobState.RUNNING) {
            Placement placement = view.placement(job);
            for (int i = 0; i < placement.serverCount(); i++) {
                row[placement.server(i)] = placement.gpusOn(i);
            }
        }
        return row;
    }

    /** Whether the job holds just these GPUs on each server. */
    public static boolean isAt(SimView view, int job, int[] row) {
        int held = 0;
        if (view.state(job) == JobState.RUNNING) {
            Placement placement = view.placement(job);
            held = placement.gpuCount();
            for (int i = 0; i < placement.serverCount(); i++) {
                if (row[placement.server(i)] != placement.gpusOn(i)) {
                    return false;
                }
            }
        }
        return Arrays.stream(row).sum() == held;
    }

    /** The next decision, or null when all jobs are where they should be; jobs that their quota keeps from it are dropped. */
    public @Nullable Decision next(SimView view) {
        pending.removeIf(move -> view.state(move.job) == JobState.DONE);
        for (Move move : pending) {
            if (move.gpus == 0) {
                pending.remove(move);
                return view.state(move.job) == JobState.RUNNING ? new Decision.Preempt(move.job) : next(view);
            }
        }
        for (Move move : pending) {
            if (fits(view, move)) {
                pending.remove(move);
                Placement where = placement(view, move);
                return view.state(move.job) == JobState.RUNNING
                        ? new Decision.Resize(move.job, where)
                        : new Decision.Start(move.job, where);
            }
        }
        for (Move move : pending) {
            if (view.state(move.job) == JobState.RUNNING) {
                return new Decision.Preempt(move.job);
            }
        }
        pending.clear();
        return null;
    }

    private static boolean fits(SimView view, Move move) {
        Placement now = view.state(move.job) == JobState.RUNNING ? view.placement(move.job) : null;
        for (int server : move.servers) {
            int at = now == null ? -1 : now.indexOf(server);
            int own = now == null || at < 0 ? 0 : now.gpusOn(at);
            if (move.row[server] > own + view.cluster().freeOn(server)) {
                return false;
            }
        }
        int more = move.gpus - (now == null ? 0 : now.gpuCount());
        return more <= 0 || view.isWithinQuota(move.job, more);
    }

    /** Its own GPUs of each server first. */
    private static Placement placement(SimView view, Move move) {
        Topology topology = view.topology();
        IntArrayList chosen = new IntArrayList();
        for (int server : move.servers) {
            int first = topology.firstGpu(server);
            int wanted = chosen.size() + move.row[server];
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
