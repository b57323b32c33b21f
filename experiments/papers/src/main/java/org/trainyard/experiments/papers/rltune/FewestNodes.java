package org.trainyard.experiments.papers.rltune;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.trainyard.agents.heuristic.placing.GangBuilder;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * Where jobs go in the environment that RLTune's authors released for Philly: 16 servers of 2 GPUs and 20 of 8; a job
 * takes the fewest servers of one width that its GPUs need at all, or waits; up to 4 GPUs may be on either width, the
 * narrow one first; the first servers that will do.
 *
 * <p>Ours: a job of several servers takes those with the most free GPUs, the first of equals. Not there: the choice
 * among up to four such places by an integer program, which their scripts leave out unless asked.
 */
final class FewestNodes {
    private static final int NARROW = 2;
    private static final int NARROW_SERVERS = 16;
    private static final int WIDE = 8;
    private static final int WIDE_SERVERS = 20;
    private static final int MOST_ON_NARROW = 4;

    private static final int SERVERS = NARROW_SERVERS + WIDE_SERVERS;
    static final int GPUS = NARROW * NARROW_SERVERS + WIDE * WIDE_SERVERS;

    private final GangBuilder gang = new GangBuilder();
    private final int[] narrow = new int[NARROW + 1];
    private final int[] wide = new int[WIDE + 1];

    static Topology topology() {
        List<ServerSpec> servers = new ArrayList<>();
        for (int server = 0; server < SERVERS; server++) {
            servers.add(new ServerSpec(GpuType.P100, 1, server < NARROW_SERVERS ? NARROW : WIDE, false));
        }
        return new Topology.Builder("rltune", Fabric.DEFAULT).rack(servers).build();
    }

    /** Counts the free GPUs of all servers. */
    void read(SimView view) {
        Arrays.fill(narrow, 0);
        Arrays.fill(wide, 0);
        for (int server = 0; server < SERVERS; server++) {
            (server < NARROW_SERVERS ? narrow : wide)[view.cluster().freeOn(server)]++;
        }
    }

    /** Whether a job fits now. */
    boolean fits(int gpus) {
        return fitsNarrow(gpus) || fits(wide, gpus);
    }

    private boolean fitsNarrow(int gpus) {
        return gpus <= MOST_ON_NARROW && fits(narrow, gpus);
    }

    private static boolean fits(int[] serversWithFree, int gpus) {
        int width = serversWithFree.length - 1;
        int servers = (gpus + width - 1) / width;
        int left = gpus;
        for (int free = width; free > 0 && servers > 0; free--) {
            int taken = Math.min(servers, serversWithFree[free]);
            servers -= taken;
            left -= taken * free;
        }
        return left <= 0;
    }

    /** The place of a job that fits. */
    Placement place(SimView view, JobSpec job) {
        boolean isNarrow = fitsNarrow(job.gpus());
        int width = isNarrow ? NARROW : WIDE;
        int first = isNarrow ? 0 : NARROW_SERVERS;
        int servers = (job.gpus() + width - 1) / width;
        int[] chosen = IntStream.range(first, isNarrow ? NARROW_SERVERS : SERVERS)
                .filter(server -> servers > 1 || view.cluster().freeOn(server) >= job.gpus())
                .boxed()
                .sorted(Comparator.comparingInt(
                        server -> servers > 1 ? -view.cluster().freeOn(server) : 0))
                .limit(servers)
                .mapToInt(Integer::intValue)
                .toArray();
        PlacementBuilder builder = gang.on(view, job.demand());
        int left = job.gpus();
        for (int server : chosen) {
            int here = Math.min(left, view.cluster().freeOn(server));
            builder.take(server, here);
            left -= here;
        }
        return builder.build();
    }
}
