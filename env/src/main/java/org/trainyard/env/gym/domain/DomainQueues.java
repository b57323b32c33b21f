package org.trainyard.env.gym.domain;

import java.util.Arrays;
import org.trainyard.env.scheduling.order.RemainingTimeEstimator;
import org.trainyard.env.scheduling.queue.JobQueue;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.JobSpec;

/**
 * Which waiting job is whose: every domain's queue, kept up to date from the simulator's journal.
 *
 * <p>A job arrives at the least loaded domain that is large enough for it (load: GPUs held plus GPUs asked for by waiting jobs, per
 * GPU), and can be forwarded from there.
 */
public final class DomainQueues {
    private final Domains domains;
    private final SimView view;
    private final JobQueue[] byWork;
    private final JobQueue[] byAge;
    private final JobQueue everywhere = new JobQueue();
    private final int[] queuedGpus;
    private final int[] inSystem;
    private int[] domainOf = new int[64];
    private int[] hops = new int[64];
    private double[] workLeft = new double[64];
    private final RemainingTimeEstimator forecast;
    private int cursor;
    private final int[] free;
    private final int[][] serversByFree;
    private final int widest;
    private final int[] firstWithFree;
    private final int[] tightestFirst;
    private final int[] next;
    private int freeAsOf = -1;

    public DomainQueues(Domains domains, SimView view) {
        this.domains = domains;
        this.view = view;
        forecast = new RemainingTimeEstimator(view);
        byWork = new JobQueue[domains.count()];
        byAge = new JobQueue[domains.count()];
        Arrays.setAll(byWork, d -> new JobQueue());
        Arrays.setAll(byAge, d -> new JobQueue());
        queuedGpus = new int[domains.count()];
        inSystem = new int[domains.count()];
        free = new int[domains.count()];
        widest = view.topology().widestServer();
        serversByFree = new int[domains.count() + 1][widest + 1];
        firstWithFree = new int[widest + 2];
        next = new int[widest + 1];
        tightestFirst = new int[view.topology().servers()];
    }

    /** Takes in what has happened since the last call. */
    public void sync() {
        for (; cursor < view.journalSize(); cursor++) {
            int job = view.journalJob(cursor);
            EventKind kind = view.journalKind(cursor);
            switch (kind) {
                case ARRIVE -> arrive(job);
                case START -> leaveQueue(job, domainOf[job]);
                case PREEMPT, KILL -> enterQueue(job, domainOf[job]);
                case FINISH -> {
                    inSystem[domainOf[job]]--;
                    forecast.finished(job);
                }
                case FORWARD, RESIZE, DOWN, UP -> {}
            }
        }
    }

    private void arrive(int job) {
        if (job >= domainOf.length) {
            domainOf = Arrays.copyOf(domainOf, Math.max(job + 1, 2 * domainOf.length));
            hops = Arrays.copyOf(hops, domainOf.length);
            workLeft = Arrays.copyOf(workLeft, domainOf.length);
        }
        forecast.arrived(job);
        JobSpec spec = view.job(job);
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
        domainOf[job] = domain;
        workLeft[job] = forecast.seconds(job) * view.job(job).gpus();
        queuedGpus[domain] += view.job(job).gpus();
        byWork[domain].add(job, workLeft[job]);
        byAge[domain].add(job, job);
        everywhere.add(job, workLeft[job]);
    }

    private void leaveQueue(int job, int domain) {
        queuedGpus[domain] -= view.job(job).gpus();
        byWork[domain].remove(job, workLeft[job]);
        byAge[domain].remove(job, job);
        everywhere.remove(job, workLeft[job]);
    }

    /** Moves a waiting job to another domain's queue. */
    public void forward(int job, int to) {
        int from = domainOf[job];
        leaveQueue(job, from);
        inSystem[from]--;
        inSystem[to]++;
        hops[job]++;
        enterQueue(job, to);
    }

    /** How soon each job is worth running. */
    public RemainingTimeEstimator forecast() {
        return forecast;
    }

    public boolean canEverHost(int domain, int gpus) {
        return domains.gpus(domain) >= gpus;
    }

    /** Free GPUs of the domain; counted anew only when something has happened. */
    public int freeIn(int domain) {
        count();
        return free[domain];
    }

    private void count() {
        if (freeAsOf == view.journalSize()) {
            return;
        }
        freeAsOf = view.journalSize();
        Arrays.fill(free, 0);
        for (int[] counts : serversByFree) {
            Arrays.fill(counts, 0);
        }
        for (int server = 0; server < view.topology().servers(); server++) {
            int domain = domains.domainOf(server);
            int freeHere = view.cluster().freeOn(server);
            free[domain] += freeHere;
            serversByFree[domain][freeHere]++;
            serversByFree[domains.count()][freeHere]++;
        }
        sortByFree();
    }

    /** A counting sort, in order of servers among equals. */
    private void sortByFree() {
        int[] counts = serversByFree[domains.count()];
        int at = 0;
        for (int freeHere = 0; freeHere <= widest; freeHere++) {
            firstWithFree[freeHere] = at;
            at += counts[freeHere];
        }
        firstWithFree[widest + 1] = at;
        System.arraycopy(firstWithFree, 0, next, 0, next.length);
        for (int server = 0; server < tightestFirst.length; server++) {
            tightestFirst[next[view.cluster().freeOn(server)]++] = server;
        }
    }

    /** Where in {@link #tightestFirst} servers begin with so many free GPUs or more; the number of servers when there is none. */
    public int firstWithFree(int gpus) {
        count();
        return gpus > widest ? tightestFirst.length : firstWithFree[gpus];
    }

    /** The i-th server of the cluster, those with the fewest free GPUs first. */
    public int tightestFirst(int i) {
        return tightestFirst[i];
    }

    /** Servers on which so many GPUs are free in the domain that take a gang now, the emptiest first; 0 when they do not suffice. */
    public int serversNeeded(int domain, int gpus) {
        return gpus > freeIn(domain) ? 0 : emptiestFirst(serversByFree[domain], gpus);
    }

    /** The same in the whole cluster. */
    public int serversNeeded(int gpus) {
        count();
        return gpus > view.cluster().free() ? 0 : emptiestFirst(serversByFree[domains.count()], gpus);
    }

    /** GPUs that stay free on the server of the domain that fits so many most tightly, or -1 when none does. */
    public int tightestLeftover(int domain, int gpus) {
        count();
        return tightestLeftover(serversByFree[domain], gpus);
    }

    /** The same in the whole cluster. */
    public int tightestLeftover(int gpus) {
        count();
        return tightestLeftover(serversByFree[domains.count()], gpus);
    }

    private int tightestLeftover(int[] counts, int gpus) {
        for (int freeHere = gpus; freeHere <= widest; freeHere++) {
            if (counts[freeHere] > 0) {
                return freeHere - gpus;
            }
        }
        return -1;
    }

    private int emptiestFirst(int[] counts, int gpus) {
        int left = gpus;
        int used = 0;
        for (int size = widest; size > 0 && left > 0; size--) {
            int servers = Math.min(counts[size], (left + size - 1) / size);
            left -= servers * size;
            used += servers;
        }
        return used;
    }

    /** Servers of the cluster's widest that a gang takes at least. */
    public int fewestServers(int gpus) {
        return (gpus + widest - 1) / widest;
    }

    /** GPUs held plus GPUs asked for by waiting jobs, per GPU of the domain. */
    public double load(int domain) {
        return loadWith(domain, 0);
    }

    public double loadWith(int domain, int moreGpus) {
        int held = domains.gpus(domain) - freeIn(domain);
        return (double) (held + queuedGpus[domain] + moreGpus) / domains.gpus(domain);
    }

    public int queuedGpus(int domain) {
        return queuedGpus[domain];
    }

    public int queued(int domain) {
        return byWork[domain].size();
    }

    /** Jobs submitted and not done that are the domain's. */
    public int inSystem(int domain) {
        return inSystem[domain];
    }

    public int domainOf(int job) {
        return domainOf[job];
    }

    public int hops(int job) {
        return hops[job];
    }

    /** All waiting jobs, least predicted work first. */
    public JobQueue everywhere() {
        return everywhere;
    }

    /** Predicted GPU seconds still to do when the waiting job entered the queue. */
    public double workLeft(int job) {
        return workLeft[job];
    }

    /** Waiting jobs of the domain, least predicted work first. */
    public JobQueue byWork(int domain) {
        return byWork[domain];
    }

    /** Waiting jobs of the domain, oldest first. */
    public JobQueue byAge(int domain) {
        return byAge[domain];
    }
}
