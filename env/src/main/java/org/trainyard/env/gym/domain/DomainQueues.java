package org.trainyard.env.gym.domain;

import java.util.Arrays;
import org.trainyard.env.scheduling.order.RemainingTimeEstimator;
import org.trainyard.env.scheduling.placement.ServersByFreeGpus;
import org.trainyard.env.scheduling.queue.JobQueue;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.JobSpec;

/**
 * The queue of waiting jobs of every domain, kept up to date from the simulator's journal.
 *
 * <p>A submitted job joins the queue of the least loaded domain that is large enough for it and may be forwarded
 * from there. The load of a domain is the number of its GPUs that are held plus the number that its waiting jobs
 * demand, divided by the number of its GPUs.
 */
public final class DomainQueues {
    private final Domains domains;
    private final SimView view;
    private final JobQueue[] byWork;
    private final JobQueue[] byAge;
    private final JobQueue everywhere = new JobQueue();
    private final int[] queuedGpus;
    private final int[] inSystem;
    private final long[] changes;
    private int[] domainOf = new int[64];
    private int[] hops = new int[64];
    private double[] workLeft = new double[64];
    private int[] gpus = new int[64];
    private boolean[] hasQuota = new boolean[64];
    private final DemandSizes sizes = new DemandSizes();
    private final RemainingTimeEstimator estimator = new RemainingTimeEstimator();
    private int cursor;
    private final ServersByFreeGpus free;

    public DomainQueues(Domains domains, SimView view) {
        this.domains = domains;
        this.view = view;
        byWork = new JobQueue[domains.count()];
        byAge = new JobQueue[domains.count()];
        Arrays.setAll(byWork, d -> new JobQueue());
        Arrays.setAll(byAge, d -> new JobQueue());
        queuedGpus = new int[domains.count()];
        inSystem = new int[domains.count()];
        changes = new long[domains.count()];
        free = new ServersByFreeGpus(view, domains.count(), domains::domainOf);
    }

    /** Reads the journal from where the last call ended. */
    public void sync() {
        for (; cursor < view.journalSize(); cursor++) {
            int job = view.journalJob(cursor);
            estimator.update(view, cursor + 1);
            switch (view.journalKind(cursor)) {
                case ARRIVE -> arrive(job);
                case START -> leaveQueue(job, domainOf[job]);
                case PREEMPT, KILL -> enterQueue(job, domainOf[job]);
                case FINISH -> inSystem[domainOf[job]]--;
                case FORWARD, RESIZE, DOWN, UP, REJECT, FREEZE, HOST_CPU, HOST_MEMORY -> {}
            }
        }
    }

    private void arrive(int job) {
        if (job >= domainOf.length) {
            domainOf = Arrays.copyOf(domainOf, Math.max(job + 1, 2 * domainOf.length));
            hops = Arrays.copyOf(hops, domainOf.length);
            workLeft = Arrays.copyOf(workLeft, domainOf.length);
            gpus = Arrays.copyOf(gpus, domainOf.length);
            hasQuota = Arrays.copyOf(hasQuota, domainOf.length);
        }
        JobSpec spec = view.job(job);
        gpus[job] = spec.gpus();
        hasQuota[job] = view.tenant(job) != SimView.NONE;
        sizes.add(spec.gpus());
        int best = -1;
        for (int domain = 0; domain < domains.count(); domain++) {
            boolean hosts = canEverHost(domain, spec.gpus());
            boolean bestHosts = best >= 0 && canEverHost(best, spec.gpus());
            if (best < 0 || (hosts == bestHosts ? load(domain) < load(best) : hosts)) {
                best = domain;
            }
        }
        hops[job] = 0;
        inSystem[best]++;
        enterQueue(job, best);
    }

    private void enterQueue(int job, int domain) {
        changes[domain]++;
        domainOf[job] = domain;
        workLeft[job] = estimator.seconds(view, job) * gpus[job];
        queuedGpus[domain] += gpus[job];
        byWork[domain].add(job, workLeft[job]);
        byAge[domain].add(job, job);
        everywhere.add(job, workLeft[job]);
    }

    private void leaveQueue(int job, int domain) {
        changes[domain]++;
        queuedGpus[domain] -= gpus[job];
        byWork[domain].remove(job, workLeft[job]);
        byAge[domain].remove(job, job);
        everywhere.remove(job, workLeft[job]);
    }

    /** Moves a waiting job to another domain's queue, which counts as a hop. */
    public void forward(int job, int to) {
        int from = domainOf[job];
        leaveQueue(job, from);
        inSystem[from]--;
        inSystem[to]++;
        hops[job]++;
        enterQueue(job, to);
    }

    /** Estimated remaining times, as of the last {@link #sync}. */
    public RemainingTimeEstimator estimator() {
        return estimator;
    }

    /** Whether the domain has so many GPUs. */
    public boolean canEverHost(int domain, int gpus) {
        return domains.gpus(domain) >= gpus;
    }

    /** Servers by their number of free GPUs, with the domains as parts. */
    public ServersByFreeGpus free() {
        return free;
    }

    /** The load of the domain. */
    public double load(int domain) {
        return loadWith(domain, 0);
    }

    /** The load of the domain if its waiting jobs demanded so many GPUs more. */
    public double loadWith(int domain, int moreGpus) {
        int held = domains.gpus(domain) - free.free(domain);
        return (double) (held + queuedGpus[domain] + moreGpus) / domains.gpus(domain);
    }

    /** GPUs that the domain's waiting jobs demand. */
    public int queuedGpus(int domain) {
        return queuedGpus[domain];
    }

    /** Counts how often a job has entered or left the domain's queue. */
    public long changes(int domain) {
        return changes[domain];
    }

    /** Number of waiting jobs of the domain. */
    public int queued(int domain) {
        return byWork[domain].size();
    }

    /** Number of waiting and running jobs of the domain. */
    public int inSystem(int domain) {
        return inSystem[domain];
    }

    /** The domain that the job belongs to; it stays when the job starts on borrowed GPUs. */
    public int domainOf(int job) {
        return domainOf[job];
    }

    /** How often the job has been forwarded. */
    public int hops(int job) {
        return hops[job];
    }

    /** The waiting jobs of all domains, least estimated work first. */
    public JobQueue everywhere() {
        return everywhere;
    }

    /** GPUs that the job demands: those of its {@link JobSpec}, in an array. */
    public int gpus(int job) {
        return gpus[job];
    }

    /** Whether the quota of the job's virtual cluster, if there is one, allows as many GPUs more as the job demands. */
    public boolean isWithinQuota(int job) {
        return !hasQuota[job] || view.isWithinQuota(job, gpus[job]);
    }

    /** The different numbers of GPUs that jobs have demanded. */
    public DemandSizes sizes() {
        return sizes;
    }

    /** Estimated remaining work of a waiting job when it entered the queue, GPU-seconds. */
    public double workLeft(int job) {
        return workLeft[job];
    }

    /** The waiting jobs of the domain, least estimated work first. */
    public JobQueue byWork(int domain) {
        return byWork[domain];
    }

    /** The waiting jobs of the domain, first submitted first. */
    public JobQueue byAge(int domain) {
        return byAge[domain];
    }
}
