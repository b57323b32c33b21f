package org.trainyard.agents.heuristic.slurm;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.JournalCursor;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;

/**
 * The state and the loops of Slurm beside a simulation: follows its events, and turns what the loops decide into
 * decisions.
 */
final class SlurmController implements CycleListener {
    private static final long SECOND = 1_000_000_000L;
    /** Above every priority. */
    private static final double TIER = 0x1p33;

    /** What a loop decided about a job. */
    private record Turn(SlurmJob job, boolean starts) {}

    private SimView view;
    private final SimulatedJobs translation;
    private final SlurmState state;
    private final JobPriority priorities;
    private final MainCycle main;
    private final BackfillCycle backfill;
    private final LoopAlarm alarm;
    private final Int2ObjectOpenHashMap<SlurmJob> jobs = new Int2ObjectOpenHashMap<>();
    private final Queue<Turn> turns = new ArrayDeque<>();
    private final List<SlurmJob> victims = new ArrayList<>();
    private final List<BitSet> victimNodes = new ArrayList<>();
    /** By virtual cluster, the GPUs of starts that the simulator has not heard of. */
    private final Int2IntOpenHashMap unheard = new Int2IntOpenHashMap();

    /** Begins with the jobs of a simulation. */
    SlurmController(SlurmCluster cluster, SimView view) {
        this.view = view;
        translation = new SimulatedJobs(view.topology(), cluster);
        state = new SlurmState(cluster);
        state.limits.outside = this::isWithinQuota;
        state.mayPreempt = job -> view.mayPreempt(id(job));
        priorities = new JobPriority(state, second());
        main = new MainCycle(state, this);
        backfill = new BackfillCycle(state, this, main);
        alarm = new LoopAlarm(cluster);
        for (int id = view.firstRunning(); id != SimView.NONE; id = view.nextRunning(id)) {
            SlurmJob job = submit(id, view.startedNanos(id));
            SimulatedJobs.adopt(state, job, view.placement(id), Math.floorDiv(view.startedNanos(id), SECOND));
        }
        for (int id = view.firstWaiting(); id != SimView.NONE; id = view.nextWaiting(id)) {
            submit(id, view.queuedSinceNanos(id));
        }
        drain();
        alarm.changed(view.nowNanos());
    }

    private long second() {
        return Math.floorDiv(view.nowNanos(), SECOND);
    }

    private SlurmJob submit(int id, long nanos) {
        long second = Math.floorDiv(nanos, SECOND);
        SlurmJob job = state.submit(
                translation.request(view, id), view.submitted(id).terms().account(), null, second);
        state.prioritise(job, priorities.initial(job, second()));
        jobs.put(id, job);
        return job;
    }

    private static int id(SlurmJob job) {
        return (int) job.request().id();
    }

    /** The tier of a job's partition and its priority as one number. */
    double priority(int id) {
        SlurmJob job = jobs.get(id);
        return job == null ? 0 : TIER * job.request().partitions().get(0).tier() + job.priority();
    }

    /** What of licences and limits keeps a job from starting in any of its partitions; null for nothing. */
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
        return view.isWithinQuota(id, view.submitted(id).gpus() + unheard.get(view.tenant(id)));
    }

    /** Takes note of what has happened; whether it is what this controller can know of. */
    boolean follow(JournalCursor journal) {
        for (int entry = journal.first(); entry < journal.end(); entry++) {
            int id = view.journalJob(entry);
            SlurmJob job = jobs.get(id);
            switch (view.journalKind(entry)) {
                case ARRIVE -> {
                    submit(id, view.nowNanos());
                    alarm.changed(view.nowNanos());
                }
                case START -> {
                    if (job == null || job.state() != SlurmJob.State.RUNNING) {
                        return false;
                    }
                }
                case FINISH, TIMEOUT, REJECT, FORWARD -> end(id);
                case PREEMPT, KILL, HOLD -> stopped(id, job);
                case RESIZE -> {
                    return false;
                }
                case DOWN, UP -> {
                    drain();
                    alarm.changed(view.nowNanos());
                }
                case FREEZE, HOST_CPU, HOST_MEMORY -> {}
            }
        }
        return true;
    }

    /**
     * Compares what it knows with the simulation where the journal does not say what has happened since; whether it is
     * what this controller can know of.
     */
    boolean reconcile(SimView with) {
        view = with;
        for (int id : jobs.keySet().toIntArray()) {
            SlurmJob job = Objects.requireNonNull(jobs.get(id));
            boolean runs = job.state() == SlurmJob.State.RUNNING;
            switch (view.state(id)) {
                case RUNNING -> {
                    if (!runs
                            || !translation
                                    .placement(job, view.submitted(id).demand())
                                    .equals(view.placement(id))) {
                        return false;
                    }
                }
                case WAITING -> {
                    if (runs || job.state() == SlurmJob.State.ENDED) {
                        stopped(id, job);
                    }
                }
                default -> end(id);
            }
        }
        for (int id = view.firstRunning(); id != SimView.NONE; id = view.nextRunning(id)) {
            if (!jobs.containsKey(id)) {
                return false;
            }
        }
        for (int id = view.firstWaiting(); id != SimView.NONE; id = view.nextWaiting(id)) {
            if (!jobs.containsKey(id)) {
                submit(id, view.queuedSinceNanos(id));
                alarm.changed(view.nowNanos());
            }
        }
        BitSet before = (BitSet) state.available.clone();
        drain();
        if (!before.equals(state.available)) {
            alarm.changed(view.nowNanos());
        }
        return true;
    }

    private void end(int id) {
        SlurmJob job = jobs.remove(id);
        if (job != null && job.state() != SlurmJob.State.ENDED) {
            if (job.state() == SlurmJob.State.RUNNING) {
                priorities.use(job, second());
            }
            state.end(job);
            alarm.changed(view.nowNanos());
        }
    }

    /** Requeues a job that an outage or somebody else stopped; Slurm's own loops have done so. */
    private void stopped(int id, @Nullable SlurmJob job) {
        if (job == null || job.state() == SlurmJob.State.ENDED) {
            submit(id, view.nowNanos());
        } else if (job.state() == SlurmJob.State.RUNNING) {
            priorities.use(job, second());
            state.requeue(job, second());
            alarm.begins(job.beginSecond());
        }
        alarm.changed(view.nowNanos());
    }

    /** Drains the servers of which something is out of order. */
    private void drain() {
        for (int server = 0; server < view.topology().servers(); server++) {
            state.drain(server, view.cluster().downOn(server) > 0);
        }
    }

    /** The next decision. */
    Decision decide() {
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
        LoopTimes.Due due = alarm.takeMain(now, state.pending().size());
        if (due != LoopTimes.Due.NOT) {
            main.run(second, due == LoopTimes.Due.FULL);
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
        state.settle(job);
        turns.add(new Turn(job, true));
        unheard.addTo(view.tenant(id(job)), view.submitted(id(job)).gpus());
        alarm.started(view.nowNanos(), state.pending().size());
        long exempt = job.request().qos().exemptSeconds();
        if (exempt > 0) {
            // Then others may preempt it, though nothing has changed.
            alarm.begins(second() + exempt);
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
