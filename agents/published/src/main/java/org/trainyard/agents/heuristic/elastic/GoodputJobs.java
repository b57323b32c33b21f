package org.trainyard.agents.heuristic.elastic;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.agents.heuristic.elastic.AllocationSearch.Candidate;
import org.trainyard.agents.heuristic.elastic.AllocationSearch.Speedup;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.goodput.GoodputProfile;

/**
 * The jobs of {@link GoodputRounds}: GPU time, restarts and GPUs tried so far, and from these their part in a search.
 */
final class GoodputJobs {
    /** What a job has been given so far. */
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
        int most =
                Math.min(topology.gpus(), Math.max(demand.minGpus(), Math.min(demand.maxGpus(), 2 * account.mostGpus)));
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
