package org.trainyard.agents.heuristic.slurm;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.queue.FollowedJobs;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmReservation;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.MaintenanceWindow;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * The state and the loops of Slurm beside a simulation: follows its events, and passes on the decisions of the loops.
 */
final class SlurmController extends FollowedJobs<SlurmJob> implements CycleListener {
    private static final long SECOND = 1_000_000_000L;
    /** A number above every priority. */
    private static final double TIER = 0x1p33;

    /** Decision of a loop about a job. */
    private record Turn(SlurmJob job, boolean starts) {}

    private final SimulatedJobs translation;
    private final SlurmState state;
    private final JobPriority priorities;
    private final PastUsage past;
    private final MainCycle main;
    private final BackfillCycle backfill;
    private final LivelockGuard alarm;
    private final Queue<Turn> turns = new ArrayDeque<>();
    /** Jobs that can never start. */
    private final Queue<Decision> refused = new ArrayDeque<>();

    private final List<SlurmJob> victims = new ArrayList<>();
    private final List<BitSet> victimNodes = new ArrayList<>();
    /** By virtual cluster, the GPUs of starts that the simulator has not heard of. */
    private final Int2IntOpenHashMap unheard = new Int2IntOpenHashMap();

    /** Begins with the jobs of a simulation, and with what users had used before it. */
    SlurmController(SlurmCluster cluster, SimView view, PastUsage past) {
        super(view);
        this.past = past;
        past.addTo(cluster, second());
        translation = new SimulatedJobs(view.topology(), cluster);
        state = new SlurmState(cluster);
        state.limits.outside = this::isWithinQuota;
        view.maintenance().forEach(window -> state.reservations.add(reservation(window)));
        state.mayPreempt = job -> view.mayPreempt(id(job));
        priorities = new JobPriority(state, second());
        main = new MainCycle(state, this);
        backfill = new BackfillCycle(state, this, main);
        alarm = new LivelockGuard(cluster);
        begin();
    }

    @Override
    protected SlurmJob adopted(int id) {
        SlurmJob job = submit(id, view.startedNanos(id));
        long start = Math.floorDiv(view.startedNanos(id), SECOND);
        SimulatedJobs.adopt(state, job, view.placement(id), start);
        job.countedSecond = past.countedUntil(start);
        return job;
    }

    private long second() {
        return Math.floorDiv(view.nowNanos(), SECOND);
    }

    private SlurmJob submit(int id, long nanos) {
        long second = Math.floorDiv(nanos, SECOND);
        SlurmJob.Request request = translation.request(view, id);
        JobSpec spec = view.submitted(id);
        SlurmJob job = state.submit(request, spec.terms().account(), null, second);
        job.askedSeconds = SimulatedJobs.askedSeconds(spec, request);
        String reason = view.state(id) == JobState.WAITING && view.firstStartNanos(id) < 0 ? state.refusal(job) : null;
        if (reason != null) {
            refused.add(new Decision.Reject(id, reason));
        }
        state.prioritise(job, priorities.initial(job, second()));
        return job;
    }

    /** Begins a second early, so that a job that starts within a second does not end in it. */
    private static SlurmReservation reservation(MaintenanceWindow window) {
        BitSet nodes = new BitSet();
        window.servers().forEach(nodes::set);
        return new SlurmReservation(
                "maintenance",
                nodes,
                Math.floorDiv(window.span().fromNanos(), SECOND) - 1,
                -Math.floorDiv(-window.span().untilNanos(), SECOND),
                Set.of(),
                true);
    }

    private static int id(SlurmJob job) {
        return (int) job.request().id();
    }

    /** The tier of a job's partition and its priority as one number. */
    double priority(int id) {
        SlurmJob job = jobs.get(id);
        return job == null ? 0 : TIER * job.request().partitions().get(0).tier() + job.priority();
    }

    /** Licence or limit that keeps a job from starting in any of its partitions; null for none. */
    @Nullable String hindrance(int id) {
        SlurmJob job = jobs.get(id);
        if (job == null) {
            return null;
        }
        if (!state.limits.licensed(job)) {
            return "Licenses: others hold those that it asks for";
        }
        return job.request().partitions().stream().anyMatch(partition -> state.limits.allow(job, partition))
                ? null
                : "Limit: of its QOS or association (QOSMax..., AssocGrp...)";
    }

    private boolean isWithinQuota(SlurmJob job) {
        int id = id(job);
        // What reservations keep from starting is planned after them.
        return view.isWithinQuota(id, view.submitted(id).gpus() + unheard.get(view.tenant(id)))
                || view.isHeldByMaintenance(id);
    }

    @Override
    protected SlurmJob arrived(int id, long sinceNanos) {
        alarm.changed(view.nowNanos());
        return submit(id, sinceNanos);
    }

    @Override
    protected boolean isAsDecided(int id, SlurmJob job) {
        return job.state() == SlurmJob.State.RUNNING
                && (view.state(id) != JobState.RUNNING
                        || translation
                                .placement(job, view.submitted(id).demand())
                                .equals(view.placement(id)));
    }

    @Override
    protected boolean isGone(SlurmJob job) {
        return job.state() != SlurmJob.State.PENDING;
    }

    @Override
    protected void ended(SlurmJob job) {
        if (job.state() != SlurmJob.State.ENDED) {
            if (job.state() == SlurmJob.State.RUNNING) {
                priorities.use(job, second());
            }
            state.end(job);
            alarm.changed(view.nowNanos());
        }
    }

    /** Stops the job; its begin time keeps it from starting until it waits again. */
    @Override
    protected void held(int id, @Nullable SlurmJob job) {
        stopped(id, job);
    }

    /** Requeues a job that was stopped by an outage or from outside; Slurm's own loops have done so. */
    @Override
    protected void stopped(int id, @Nullable SlurmJob job) {
        if (job == null || job.state() == SlurmJob.State.ENDED) {
            jobs.put(id, submit(id, view.nowNanos()));
        } else if (job.state() == SlurmJob.State.RUNNING) {
            priorities.use(job, second());
            state.requeue(job, second());
            alarm.begins(job.beginSecond());
        }
        alarm.changed(view.nowNanos());
    }

    /** Drains the servers of which something is out of order. */
    @Override
    protected void repaired() {
        for (int server = 0; server < view.topology().servers(); server++) {
            state.drain(
                    server,
                    view.cluster().downOn(server) > 0
                            || !state.cluster().nodes().get(server).up());
        }
        alarm.changed(view.nowNanos());
    }

    /** The next decision. */
    Decision decide() {
        for (Decision never = refused.poll(); never != null; never = refused.poll()) {
            if (view.state(never.job()) == JobState.WAITING) {
                return never;
            }
        }
        while (true) {
            for (Turn turn = turns.poll(); turn != null; turn = turns.poll()) {
                Decision decision = decision(turn);
                if (decision != null) {
                    return decision;
                }
            }
            unheard.clear();
            if (!victims.isEmpty()) {
                clean();
                main.run(second(), false);
            } else if (state.pending().isEmpty()) {
                return Decision.WAIT;
            } else if (alarm.next() > view.nowNanos()) {
                return Decision.waitUntil(alarm.next());
            } else {
                runLoops();
            }
        }
    }

    private void runLoops() {
        long now = view.nowNanos();
        long second = second();
        state.expectLater(second);
        alarm.takeBegins(now);
        if (alarm.takeDecay(now)) {
            priorities.decay(second);
            priorities.calculate(second);
        }
        LoopTimer.Due due = alarm.takeMain(now, state.pending().size());
        if (due != LoopTimer.Due.NOT) {
            main.run(second, due == LoopTimer.Due.FULL);
        } else if (alarm.takeBackfill(now)) {
            backfill.run(second);
        }
    }

    private @Nullable Decision decision(Turn turn) {
        int id = id(turn.job);
        if (!turn.starts) {
            return view.state(id) == JobState.RUNNING ? new Decision.Preempt(id) : null;
        }
        if (turn.job.state() != SlurmJob.State.RUNNING || view.state(id) != JobState.WAITING) {
            if (turn.job.state() == SlurmJob.State.RUNNING && view.state(id) == JobState.HELD) {
                state.undoStart(turn.job);
            }
            return null;
        }
        Demand demand = view.submitted(id).demand();
        Placement placement = translation.placement(turn.job, demand);
        if (!view.cluster().fits(demand, placement) || !view.isWithinQuota(id, demand.gpus())) {
            state.undoStart(turn.job);
            return null;
        }
        return new Decision.Start(id, placement);
    }

    /** The nodes of jobs that gave way are clean at once. */
    private void clean() {
        for (int i = 0; i < victims.size(); i++) {
            state.completing(victimNodes.get(i), false);
            SlurmJob victim = victims.get(i);
            state.requeued(victim, second());
            if (victim.state() == SlurmJob.State.PENDING) {
                alarm.begins(victim.beginSecond());
            }
        }
        victims.clear();
        victimNodes.clear();
        alarm.changed(view.nowNanos());
    }

    @Override
    public void started(SlurmJob job, boolean backfilled) {
        turns.add(new Turn(job, true));
        unheard.addTo(view.tenant(id(job)), view.submitted(id(job)).gpus());
        alarm.started(view.nowNanos(), state.pending().size());
        lookAgain(job);
    }

    /** Lets the loops look again when others may preempt a job that starts now, though nothing will have changed. */
    private void lookAgain(SlurmJob job) {
        long exempt = state.cluster().exemptSeconds(job.request().qos());
        if (exempt > 0) {
            alarm.begins(second() + exempt);
        }
        long now = view.nowNanos();
        long from = view.preemptionRules().fromNanos(view.preemptions(id(job)), now);
        if (state.cluster().preempts() && from > now && from < Long.MAX_VALUE - SECOND) {
            alarm.begins(-Math.floorDiv(-from, SECOND));
        }
    }

    @Override
    public void planned(SlurmJob job, long startSecond, long endSecond, BitSet nodes) {}

    @Override
    public void preempted(SlurmJob victim, SlurmJob by) {
        priorities.use(victim, second());
        turns.add(new Turn(victim, false));
        victims.add(victim);
        victimNodes.add(victim.nodeSet());
    }
}
