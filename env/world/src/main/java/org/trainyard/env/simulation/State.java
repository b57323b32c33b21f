package org.trainyard.env.simulation;

import it.unimi.dsi.fastutil.ints.IntLinkedOpenHashSet;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.FreezableModel;
import org.trainyard.env.workload.JobSlots;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;

/**
 * The mutable state of a run, in rows by dense job id, which is also its read-only view.
 *
 * <p>A job of a streamed workload has a {@link JobSlots slot} until it is forgotten; in other runs its slot is its id.
 */
final class State implements SimView {
    final Topology topology;
    final Workload workload;
    final JobSlots slots;
    final Cluster cluster;
    final JobList waiting;
    final JobList running;
    final Rates rates;
    final TenantQuotas quotas;
    final OutageClock outages;
    final Maintenance maintenance;
    final FrozenLayers frozen;
    final HostGrants grants;
    final TimeLimits limits;
    final StartConditions held;
    /** The instants at which preempted jobs wait again, where a cluster requeues them with a delay. */
    final EventQueue requeues;

    /** Time from a preemption until the job waits again; 0 for at once. */
    final long requeueNanos;

    /** By slot. */
    private @Nullable JobRow[] rows;

    long nowNanos;
    int arrived;
    int done;

    private final RestartCost restart;
    private final PreemptionRules rules;
    private final boolean isPreemptionFree;
    private final Journal journal;
    private int corrections;

    /** The state of a world, whose outages may be other than those of its options. */
    State(World world, Workload workload, Outages outages) {
        Simulator.Options options = world.options();
        topology = world.topology();
        this.workload = workload;
        slots = workload.slots();
        int jobs = workload.size();
        journal = new Journal(jobs);
        cluster = new Cluster(topology);
        maintenance = new Maintenance(outages, topology.servers());
        cluster.heed(maintenance, 0);
        waiting = new JobList(slots);
        running = new JobList(slots);
        rows = new JobRow[jobs];
        Arrays.setAll(rows, job -> new JobRow(maintenance.bound(workload.job(job))));
        this.quotas = new TenantQuotas(options.quotas(), workload, maintenance.isPlanned());
        this.outages = new OutageClock(topology, outages);
        frozen = new FrozenLayers(workload);
        grants = new HostGrants(workload);
        rates = new Rates(this, world.truth().copy());
        limits = new TimeLimits(slots, !(outages instanceof Outages.Reported));
        held = StartConditions.of(this, workload, this::hasFailed);
        restart = options.restart();
        // A real cluster requeues its jobs itself and reports it.
        rules = options.preemption();
        isPreemptionFree = rules.leastRunNanos() == 0 && rules.mostPerJob() == PreemptionRules.NO_LIMIT;
        requeueNanos = outages instanceof Outages.Reported ? 0 : rules.requeueNanos();
        requeues = new EventQueue(slots);
    }

    /** Makes room for another job of a live cluster. */
    void admit(JobSpec job) {
        quotas.admit(job);
        workload.append(job);
        enter(job);
    }

    /**
     * Draws the next job of a streamed workload once all drawn ones have arrived: there is one more than have arrived
     * until the last.
     */
    void draw() {
        if (arrived == workload.size() && workload.draw()) {
            quotas.admit(workload.job(arrived));
            enter(workload.job(arrived));
        }
    }

    /**
     * Forgets a job of a streamed workload that is done, and the events before the arrival of the oldest that is not
     * forgotten.
     */
    void forget(int job) {
        workload.forget(job);
        journal.forgetBefore(slots.oldest());
    }

    private void enter(JobSpec job) {
        if (slots.room() > rows.length) {
            int jobs = Math.max(64, 2 * rows.length);
            rows = Arrays.copyOf(rows, jobs);
            rates.grow(jobs);
        }
        int slot = slots.of(job.id());
        rows[slot] = new JobRow(maintenance.bound(job));
        rates.enter(slot);
    }

    /** Gives a job the values of an image, which becomes its own. */
    void restore(int job, JobRow image) {
        rows[slots.of(job)] = image;
    }

    /** The values of a job that is not forgotten. */
    JobRow row(int job) {
        return rows[slots.of(job)];
    }

    /** Whether the job is done without ever having started. */
    boolean isRejected(int job) {
        return row(job).state == JobState.DONE && row(job).firstStartNanos < 0;
    }

    /** Whether the job was preempted and does not wait again yet. */
    boolean isRequeued(int job) {
        return state(job) == JobState.HELD && row(job).firstStartNanos >= 0;
    }

    /** Whether the job was killed at its time limit or turned away. */
    boolean hasFailed(int job) {
        return row(job).timedOut || isRejected(job);
    }

    /** Takes back all entries of the journal from this one on. */
    void rewindJournal(int size) {
        if (journal.rewind(size)) {
            correctPast();
        }
    }

    /** Changes the version because the past is not as it was. */
    void correctPast() {
        corrections++;
    }

    void record(EventKind kind, int job) {
        journal.add(kind, job);
    }

    /** Short, so that it is compiled into its callers. */
    private int known(int job) {
        if (job >= arrived || slots.isForgotten(job)) {
            throw unknown(job);
        }
        return job;
    }

    private IllegalArgumentException unknown(int job) {
        String why = job >= arrived ? "has not been submitted yet" : "has ended and is forgotten";
        return new IllegalArgumentException("job (%d) %s".formatted(job, why));
    }

    @Override
    public long nowNanos() {
        return nowNanos;
    }

    @Override
    public Topology topology() {
        return topology;
    }

    @Override
    public Cluster cluster() {
        return cluster;
    }

    @Override
    public int arrived() {
        return arrived;
    }

    @Override
    public <T> @Nullable T run(int job, Class<T> type) {
        return workload.run(known(job), type);
    }

    @Override
    public JobSpec job(int job) {
        return row(known(job)).spec;
    }

    /** Gives the job the host resources of a demand. */
    void provision(int job, Demand demand) {
        grants.set(workload.job(job), demand);
        specify(job);
    }

    /** Brings the job up to date with its granted host share and its frozen layers. */
    void specify(int job) {
        row(job).spec = maintenance.bound(grants.granted(frozen.left(workload.job(job))));
    }

    @Override
    public JobState state(int job) {
        return job < arrived && slots.isForgotten(job) ? JobState.DONE : row(known(job)).state;
    }

    @Override
    public int waitingCount() {
        return waiting.size();
    }

    @Override
    public int firstWaiting() {
        return waiting.first();
    }

    @Override
    public int nextWaiting(int job) {
        return waiting.next(job);
    }

    @Override
    public int runningCount() {
        return running.size();
    }

    @Override
    public int firstRunning() {
        return running.first();
    }

    @Override
    public int nextRunning(int job) {
        return running.next(job);
    }

    @Override
    public Placement placement(int job) {
        Placement where = row(known(job)).placement;
        if (where == null) {
            throw notRunning(job);
        }
        return where;
    }

    private IllegalArgumentException notRunning(int job) {
        return new IllegalArgumentException("job (%d) does not run: it is %s".formatted(job, row(job).state));
    }

    @Override
    public double rate(int job) {
        return rates.rate(known(job));
    }

    @Override
    public double slowdown(int job) {
        return rates.slowdown(known(job));
    }

    @Override
    public double rateAlone(int job) {
        return rates.rateAlone(known(job));
    }

    @Override
    public long queuedSinceNanos(int job) {
        return row(known(job)).queuedSinceNanos;
    }

    @Override
    public long firstStartNanos(int job) {
        return row(known(job)).firstStartNanos;
    }

    @Override
    public long startedNanos(int job) {
        return row(known(job)).startedNanos;
    }

    @Override
    public long eligibleNanos(int job) {
        return row(known(job)).eligibleNanos;
    }

    @Override
    public long runNanos(int job) {
        return rates.runNanos(known(job));
    }

    @Override
    public int preemptions(int job) {
        return row(known(job)).preemptions;
    }

    @Override
    public PreemptionRules preemptionRules() {
        return rules;
    }

    @Override
    public boolean mayPreempt(int job) {
        JobRow row = row(known(job));
        return isPreemptionFree || rules.fromNanos(row.preemptions, row.startedNanos) <= nowNanos;
    }

    @Override
    public double restartSeconds(int job) {
        return restart.nanos(job(job), rates.unpaidNanos(job)) / 1e9;
    }

    @Override
    public double unsavedSeconds(int job) {
        return row(known(job)).state == JobState.RUNNING ? rates.unsavedNanos(job, rules.savedEveryNanos()) / 1e9 : 0;
    }

    /** Whether a decision breaks the rules of preemption. */
    boolean refuses(Decision decision) {
        return decision instanceof Decision.Preempt preempt
                && state(preempt.job()) == JobState.RUNNING
                && !mayPreempt(preempt.job());
    }

    /** Decision in place of a refused one: the scheduler waits, at most until the job may be preempted. */
    Decision afterRefusal(Decision refused) {
        int job = ((Decision.Preempt) refused).job();
        long from = rules.fromNanos(preemptions(job), startedNanos(job));
        return from == Long.MAX_VALUE ? Decision.WAIT : Decision.waitUntil(from);
    }

    void requirePreemptible(int job) {
        if (refuses(new Decision.Preempt(job))) {
            throw new IllegalArgumentException(
                    "cannot preempt job (%d): the rules of preemption protect it now".formatted(job));
        }
    }

    @Override
    public int kills(int job) {
        return row(known(job)).kills;
    }

    @Override
    public int tenant(int job) {
        return quotas.tenant(known(job));
    }

    @Override
    public boolean hasLimits() {
        return quotas.isLimited();
    }

    @Override
    public boolean isWithinQuota(int job, int gpus) {
        return quotas.allows(job(job), gpus) && !isHeldByMaintenance(job);
    }

    @Override
    public boolean isHeldByMaintenance(int job) {
        return state(job) != JobState.RUNNING && maintenance.crossesAll(workload.job(job));
    }

    /** A job that moves has its whole limit before it again, which no maintenance of all servers may cut. */
    @Override
    public boolean mayMigrate(int job) {
        return SimView.super.mayMigrate(job) && !maintenance.crossesAll(workload.job(job));
    }

    @Override
    public List<MaintenanceWindow> maintenance() {
        return maintenance.windows();
    }

    /** Moves the clock. */
    void moveTo(long nanos) {
        nowNanos = nanos;
        maintenance.moveTo(nanos);
    }

    @Override
    public double progressSeconds(int job) {
        return rates.doneIterations(known(job)) / workload.job(job).idealIterationsPerSecond();
    }

    @Override
    public double predictedSeconds(int job) {
        return row(known(job)).predictedSeconds;
    }

    @Override
    public JobSpec submitted(int job) {
        return row(known(job)).submitted;
    }

    @Override
    public int frozenLayers(int job) {
        return frozen.layers(known(job));
    }

    @Override
    public boolean canThaw(int job) {
        return frozen.canThaw(known(job), trainedShare(job));
    }

    @Override
    public double trainedShare(int job) {
        return workload.job(known(job)).model().of(FreezableModel.class) == null
                ? Double.NaN
                : rates.doneIterations(job) / workload.trueIterations(job);
    }

    @Override
    public int journalSize() {
        return journal.size();
    }

    @Override
    public int corrections() {
        return corrections;
    }

    @Override
    public int journalStart() {
        return journal.start();
    }

    @Override
    public EventKind journalKind(int entry) {
        return journal.kind(entry);
    }

    @Override
    public int journalJob(int entry) {
        return journal.job(entry);
    }

    /**
     * Schedules the preempted jobs that are held in the order of their preemptions, which decides between equal times.
     */
    private void loadRequeues() {
        IntLinkedOpenHashSet latestFirst = new IntLinkedOpenHashSet();
        for (int entry = journal.size() - 1; entry >= journal.start(); entry--) {
            if (journal.kind(entry) == EventKind.HOLD && isRequeued(journal.job(entry))) {
                latestFirst.add(journal.job(entry));
            }
        }
        while (!latestFirst.isEmpty()) {
            int job = latestFirst.removeLastInt();
            requeues.schedule(row(job).queuedSinceNanos, job);
        }
    }

    /** Takes over the state of the same jobs; this state must be new. */
    void copy(State other) {
        moveTo(other.nowNanos);
        arrived = other.arrived;
        done = other.done;
        outages.passUntil(nowNanos, cluster);
        grants.copy(other.grants);
        frozen.copy(other.frozen);
        for (int job = 0; job < arrived; job++) {
            restore(job, other.row(job).copy());
            specify(job);
            if (row(job).state == JobState.RUNNING) {
                cluster.allocate(job, grants.granted(workload.job(job)).demand(), placement(job));
                quotas.take(workload.job(job), placement(job).gpuCount());
            }
        }
        waiting.set(other.waiting.toArray());
        running.set(other.running.toArray());
        cluster.restore(other.cluster.image());
        rates.copy(other.rates);
        journal.copy(other.journal);
        for (int job = running.first(); job != NONE; job = running.next(job)) {
            limits.start(workload.job(job), row(job).startedNanos);
        }
        loadRequeues();
        held.load();
    }
}
