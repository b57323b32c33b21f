package org.trainyard.agents.heuristic.elastic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.agents.heuristic.elastic.AllocationSearch.Candidate;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.agents.heuristic.queue.LiveJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * Allocation by goodput: every minute an {@link AllocationSearch} over the jobs that adapt their batch, whose
 * goodput is that of their present training stage.
 *
 * <p>A job may get up to twice the GPUs that it has run on so far. Rounds begin on whole minutes; between them
 * nothing changes. Jobs with other demands than whole GPUs of any type start where they fit and keep their GPUs.
 */
final class GoodputRounds implements Scheduler {
    private static final long ROUND_NANOS = Math.round(Pollux.DEFAULT_ROUND_SECONDS * 1e9);

    private final AllocationSearch search;
    private final GoodputJobs jobs;
    private final LiveJobs live = new LiveJobs();
    private final AllocationMoves moves = new AllocationMoves();
    private final UnplannedJobs unplanned = new UnplannedJobs(new BestFit());
    private long nextRoundNanos;

    GoodputRounds(ElasticSpeed speed, JobGoodput goodput, RandomGenerator random) {
        search = new AllocationSearch(random);
        jobs = new GoodputJobs(speed, goodput);
    }

    @Override
    public Decision decide(SimView view) {
        live.update(view, job -> {
            jobs.arrive(job);
            unplanned.arrive(view, job);
        });
        if (view.nowNanos() >= nextRoundNanos) {
            nextRoundNanos = (view.nowNanos() / ROUND_NANOS + 1) * ROUND_NANOS;
            allocate(view);
        }
        Decision move = moves.next(view);
        if (move != null) {
            return move;
        }
        Decision start = unplanned.start(view);
        if (start != null) {
            return start;
        }
        return live.list.isEmpty() ? Decision.WAIT : Decision.waitUntil(nextRoundNanos);
    }

    private void allocate(SimView view) {
        List<Integer> searched = new ArrayList<>();
        for (int i = 0; i < live.list.size(); i++) {
            int job = live.list.getInt(i);
            if (view.job(job).demand().isPlain()) {
                searched.add(job);
            }
        }
        jobs.account(view, searched, Pollux.DEFAULT_ROUND_SECONDS);
        searched.sort(Comparator.comparingDouble(jobs::attainedGpuSeconds).thenComparingInt(job -> job));
        if (searched.isEmpty()) {
            return;
        }
        int[][] present = new int[searched.size()][];
        int[] capacity = new int[view.topology().servers()];
        for (int server = 0; server < capacity.length; server++) {
            capacity[server] = view.cluster().freeOn(server);
        }
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < present.length; i++) {
            present[i] = GpusByServer.heldBy(view, searched.get(i)).table(capacity.length);
            candidates.add(jobs.candidate(view, searched.get(i), searched.size()));
            for (int server = 0; server < capacity.length; server++) {
                capacity[server] += present[i][server];
            }
        }
        int[][] best = search.best(candidates, capacity, present);
        moves.clear();
        for (int i = 0; i < present.length; i++) {
            if (!Arrays.equals(best[i], present[i])) {
                moves.add(searched.get(i), GpusByServer.of(best[i]));
                jobs.restart(searched.get(i), Arrays.stream(best[i]).sum());
            }
        }
    }
}
