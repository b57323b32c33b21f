package org.trainyard.agents.heuristic.elastic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.trainyard.agents.heuristic.elastic.AllocationSearch.Candidate;
import org.trainyard.agents.heuristic.elastic.AllocationSearch.Speedup;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.agents.heuristic.queue.LiveJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.goodput.GoodputProfile;

/**
 * Allocation by goodput: every minute an {@link AllocationSearch} over the jobs that adapt their batch, whose goodput
 * is that of their present training stage.
 *
 * <p>A job may get up to twice the GPUs that it has run on so far. Rounds begin on whole minutes; between them nothing
 * changes. Jobs with other demands than whole GPUs of any type start where they fit and keep their GPUs.
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

    /**
     * The jobs of {@link GoodputRounds}: GPU time, restarts and GPUs tried so far, and from these their part in a
     * search.
     */
    private static final class GoodputJobs {
        /** GPU time and most GPUs that a job has been given so far, and its restarts. */
        private static final class Account {
            double gpuSeconds;
            int mostGpus;
            int restarts = -1;
        }

        private final ElasticSpeed speed;
        private final JobGoodput goodput;
        private final Map<Integer, Account> accounts = new HashMap<>();

        GoodputJobs(ElasticSpeed speed, JobGoodput goodput) {
            this.speed = speed;
            this.goodput = goodput;
        }

        void arrive(int job) {
            accounts.put(job, new Account());
        }

        private Account account(int job) {
            return accounts.computeIfAbsent(job, key -> new Account());
        }

        /** Adds a round on their present GPUs. */
        void account(SimView view, List<Integer> jobs, double seconds) {
            for (int job : jobs) {
                if (view.state(job) == JobState.RUNNING) {
                    account(job).gpuSeconds += seconds * view.placement(job).gpuCount();
                }
            }
        }

        double attainedGpuSeconds(int job) {
            return account(job).gpuSeconds;
        }

        /** Notes that the job starts again on so many GPUs, or stops. */
        void restart(int job, int gpus) {
            if (gpus > 0) {
                account(job).restarts++;
                account(job).mostGpus = Math.max(account(job).mostGpus, gpus);
            }
        }

        Candidate candidate(SimView view, int job, int jobs) {
            JobSpec spec = view.job(job);
            Demand demand = spec.demand();
            Topology topology = view.topology();
            Account account = account(job);
            int most = Math.min(
                    topology.gpus(), Math.max(demand.minGpus(), Math.min(demand.maxGpus(), 2 * account.mostGpus)));
            double ageSeconds = (view.nowNanos() - spec.submitNanos()) / 1e9;
            double restart = Math.max(0, ageSeconds - Math.max(0, account.restarts) * Pollux.DEFAULT_RESTART_SECONDS)
                    / (ageSeconds + Pollux.DEFAULT_RESTART_SECONDS);
            int share = Math.max(1, -Math.floorDiv(-topology.gpus(), jobs));
            int fair = Math.max(demand.minGpus(), Math.min(demand.maxGpus(), share));
            return new Candidate(job, demand.minGpus(), most, restart, speedup(view, job, fair, account));
        }

        private Speedup speedup(SimView view, int job, int fair, Account account) {
            JobSpec spec = view.job(job);
            GoodputProfile profile = spec.model().of(GoodputProfile.class);
            if (account.mostGpus == 0) {
                return (nodes, gpus) -> (double) gpus / fair;
            }
            if (profile == null) {
                return (nodes, gpus) -> speed.of(spec, gpus) / speed.of(spec, fair);
            }
            int feeds = profile.limits().mostReplicas();
            double alone = goodput.reference(view, job).of(1, Math.min(feeds, fair));
            JobGoodput.BySize now = goodput.now(view, job);
            return (nodes, gpus) -> now.of(Math.min(nodes, feeds), Math.min(gpus, feeds)) / alone;
        }
    }
}
