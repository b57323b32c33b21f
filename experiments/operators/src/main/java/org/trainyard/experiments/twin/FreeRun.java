package org.trainyard.experiments.twin;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.BackfillCycle;
import org.trainyard.agents.heuristic.slurm.CycleListener;
import org.trainyard.agents.heuristic.slurm.JobPriority;
import org.trainyard.agents.heuristic.slurm.LoopTimer;
import org.trainyard.agents.heuristic.slurm.MainCycle;
import org.trainyard.agents.heuristic.slurm.SlurmJob;
import org.trainyard.agents.heuristic.slurm.SlurmState;
import org.trainyard.env.Counted;

/**
 * The whole recording anew: jobs come when they came, run as long as they ran, and start when the rules say so; by the
 * recorded times of the loops, or by times as the loops would keep them.
 *
 * <p>Simplified: (1) a job that is preempted runs its whole time again; (2) nodes of a job that gives way in the twin,
 * and did not in the log, are clean all at once.
 */
final class FreeRun implements CycleListener {
    /** A run of a job in the twin; without a plan where it started at its first try. */
    record Run(
            long submitMillis,
            long startMillis,
            List<String> nodes,
            boolean backfilled,
            @Nullable Plan planned) {
        String waited() {
            return planned == null
                    ? "at its first try"
                    : Counted.say("planned before for %d s later, on %d nodes", planned.laterSeconds, planned.nodes);
        }
    }

    /** The last plan of a job before its start. */
    record Plan(long laterSeconds, int nodes) {}

    private enum Kind {
        END,
        OUTSIDE,
        CLEAN,
        DECAY,
        MAIN,
        BACKFILL
    }

    private record Event(
            long millis,
            Kind kind,
            long order,
            @Nullable SlurmJob job,
            @Nullable LogEvent outside,
            BitSet nodes) {
        /** Whether a look of the main loop, or of the backfill loop, comes before it. */
        boolean isAfter(long look, boolean ofMain) {
            return millis > look || (millis == look && kind.compareTo(ofMain ? Kind.MAIN : Kind.BACKFILL) > 0);
        }
    }

    /** Time without an event after which the loops are not followed while no job waits. */
    private static final long LONG_MILLIS = 61_000;

    /** A time after every other, milliseconds. */
    private static final long NEVER = Long.MAX_VALUE;

    private final TwinState twin;
    private final SlurmState state;
    private final RecordedTimes times;
    private final JobPriority priorities;
    private final MainCycle main;
    private final BackfillCycle backfill;
    private final @Nullable LoopTimer loops;
    private final PriorityQueue<Event> events = new PriorityQueue<>(
            Comparator.comparingLong(Event::millis).thenComparing(Event::kind).thenComparingLong(Event::order));
    private final IntConsumer progress;
    private final Map<String, Run> last = new HashMap<>();
    private final Map<Long, String> neverStarting;
    private final Map<SlurmJob, Long> started = new HashMap<>();
    private final Map<SlurmJob, Plan> waits = new HashMap<>();
    private final Map<SlurmJob, Integer> gaveWay = new HashMap<>();
    /** Jobs whose last epilog makes the main scheduler run. */
    private final Set<SlurmJob> killed = new HashSet<>();

    /** When the loops look next, where their times are modelled. */
    private long nextMain = NEVER;

    private long nextBackfill = NEVER;
    private long now;
    private long orders;
    private int outside;
    /** Whether the backfill loop has planned a job in its last cycle. */
    private boolean planned;

    /**
     * @param loops of a run with modelled cycles; null for recorded ones
     * @param progress is told, at each start, how many jobs have started
     */
    FreeRun(TwinFolder folder, RecordedTimes times, @Nullable LoopTimer loops, IntConsumer progress) {
        this.progress = progress;
        twin = new TwinState(folder.cluster(), folder.jobs());
        state = twin.state;
        neverStarting = neverStarting(folder, twin);
        this.times = times;
        this.loops = loops;
        main = new MainCycle(state, this);
        backfill = new BackfillCycle(state, this, main);
        long first = times.outside().get(0).millis();
        priorities = new JobPriority(state, Math.floorDiv(first, 1000));
        for (LogEvent event : times.outside()) {
            add(event.millis(), Kind.OUTSIDE, null, event);
            outside++;
        }
        if (loops == null) {
            for (LogEvent event : times.cycles()) {
                Kind kind = event.kind() == LogEvent.Kind.DECAY
                        ? Kind.DECAY
                        : event.kind() == LogEvent.Kind.BACKFILL ? Kind.BACKFILL : Kind.MAIN;
                add(event.millis(), kind, null, event);
            }
        } else {
            nextMain = loops.firstMain();
            nextBackfill = twin.cluster.backfills() ? loops.firstBackfill() : NEVER;
            if (twin.cluster.priority().multifactor()) {
                add(times.firstDecayMillis(), Kind.DECAY, null, null);
            }
        }
    }

    /**
     * The jobs that the configuration never starts, by number, with the reason. One whose start the controller's log
     * has is none of them: it was started under another configuration.
     */
    static Map<Long, String> neverStarting(TwinFolder folder) {
        return neverStarting(folder, new TwinState(folder.cluster(), folder.jobs()));
    }

    private static Map<Long, String> neverStarting(TwinFolder folder, TwinState twin) {
        Set<Long> started = new HashSet<>();
        ControllerLog log = folder.log();
        if (log != null) {
            for (LogEvent event : log.events()) {
                if (event.kind() == LogEvent.Kind.START) {
                    started.add(Long.parseLong(event.job().replaceFirst("_.*", "")));
                }
            }
        }
        Map<Long, String> never = new TreeMap<>();
        for (long number : folder.jobs().jobs().keySet()) {
            String reason = started.contains(number) ? null : twin.refusal(number);
            if (reason != null) {
                never.put(number, reason);
            }
        }
        return never;
    }

    private void add(long millis, Kind kind, @Nullable SlurmJob job, @Nullable LogEvent event) {
        events.add(new Event(millis, kind, orders++, job, event, new BitSet()));
    }

    /** Runs until nothing waits or runs; the last run of every job or task by its name. */
    Map<String, Run> run() {
        while (outside > 0 || !state.pending().isEmpty() || !state.running().isEmpty()) {
            long look = Math.min(nextMain, nextBackfill);
            boolean looks = events.isEmpty() || events.element().isAfter(look, nextMain <= nextBackfill);
            now = looks ? look : events.element().millis;
            if (now > times.latestMillis()) {
                break;
            }
            if (!looks) {
                take(events.remove());
            } else if (nextMain <= nextBackfill) {
                mainLook(Objects.requireNonNull(loops));
            } else {
                backfillLook(Objects.requireNonNull(loops));
            }
        }
        return last;
    }

    private void take(Event event) {
        switch (event.kind) {
            case END -> end(event);
            case OUTSIDE -> {
                outside--;
                fromOutside(Objects.requireNonNull(event.outside));
            }
            case CLEAN -> clean(Objects.requireNonNull(event.job), event.nodes);
            case DECAY -> decay();
            case MAIN ->
                main.run(second(), Objects.requireNonNull(event.outside).kind() == LogEvent.Kind.MAIN_FULL);
            case BACKFILL -> backfill.run(second());
        }
    }

    private long second() {
        return Math.floorDiv(now, 1000);
    }

    private void fromOutside(LogEvent event) {
        switch (event.kind()) {
            case SUBMIT -> {
                long number = Long.parseLong(event.job());
                if (!neverStarting.containsKey(number)) {
                    for (SlurmJob job : twin.submit(number, second())) {
                        state.prioritise(job, priorities.initial(job, second()));
                    }
                }
                changed();
            }
            case CANCELLED -> {
                for (SlurmJob job : twin.named(event.job())) {
                    if (job.state() == SlurmJob.State.RUNNING) {
                        priorities.use(job, second());
                        state.completing(job.nodeSet(), true);
                        clean(job, job.nodeSet(), times.cleaningMillis(event.job()));
                        killed.add(job);
                    }
                    if (job.state() != SlurmJob.State.ENDED) {
                        twin.end(job, false);
                    }
                }
                changed();
            }
            case DRAIN, RESUME -> {
                int node = twin.cluster.node(event.job());
                if (node >= 0) {
                    state.drain(node, event.kind() == LogEvent.Kind.DRAIN);
                }
                changed();
            }
            case HOLD, RELEASE ->
                twin.named(event.job()).forEach(job -> state.hold(job, event.kind() == LogEvent.Kind.HOLD, second()));
            case RESERVATION -> state.reserve(twin.reservation(event));
            default -> throw new IllegalStateException("not from outside: " + event);
        }
    }

    private void changed() {
        if (loops != null) {
            loops.changed(now);
        }
    }

    private void end(Event event) {
        SlurmJob job = Objects.requireNonNull(event.job);
        if (job.state() != SlurmJob.State.RUNNING || !Long.valueOf(event.order).equals(started.get(job))) {
            return;
        }
        priorities.use(job, second());
        String name = twin.name(job);
        state.completing(job.nodeSet(), true);
        clean(job, job.nodeSet(), times.cleaningMillis(name));
        if (!times.endedWell(name)) {
            killed.add(job);
        }
        twin.end(job, times.endedWell(name));
        changed();
    }

    private void clean(SlurmJob job, BitSet nodes, long millis) {
        events.add(new Event(now + millis, Kind.CLEAN, orders++, job, null, nodes));
    }

    /**
     * Nodes of a job are clean; without nodes, all are, which the background thread of the main loop does not hear of.
     */
    private void clean(SlurmJob job, BitSet nodes) {
        state.completing(nodes, false);
        boolean last = nodes.isEmpty() ? job.state() == SlurmJob.State.PENDING : killed.remove(job);
        if (last) {
            state.requeued(job, second());
            if (loops != null) {
                main.run(second(), false);
                loops.touched(now);
            }
        }
    }

    private void decay() {
        priorities.decay(second());
        priorities.calculate(second());
        if (loops != null) {
            loops.touched(now);
            add(now + 1000 * Math.max(1, twin.cluster.priority().calcPeriodSeconds()), Kind.DECAY, null, null);
        }
    }

    private void mainLook(LoopTimer timer) {
        if (state.pending().isEmpty() && !events.isEmpty() && events.element().millis > now + LONG_MILLIS) {
            nextMain = timer.lastLook(events.element().millis);
            nextBackfill = nextBackfill == NEVER ? NEVER : Math.max(nextBackfill, nextMain);
            return;
        }
        LoopTimer.Due due = timer.main(now);
        if (due != LoopTimer.Due.NOT) {
            if (!state.waitsForCleaning()) {
                main.run(second(), due == LoopTimer.Due.FULL);
            }
            timer.mainRan(now, due == LoopTimer.Due.FULL);
        }
        nextMain = timer.nextMain(now);
    }

    private void backfillLook(LoopTimer timer) {
        boolean due = !state.waitsForCleaning() && timer.backfill(now);
        if (due) {
            planned = false;
            backfill.run(second());
            if (planned) {
                timer.touched(now);
            }
        }
        nextBackfill = timer.nextBackfill(now, due, state.pending().size());
    }

    @Override
    public void started(SlurmJob job, boolean backfilled) {
        state.settle(job);
        List<String> nodes = new ArrayList<>();
        for (int node : job.nodesHeld()) {
            nodes.add(twin.cluster.nodes().get(node).name());
        }
        String name = twin.name(job);
        last.put(name, new Run(job.submitSecond() * 1000, now, nodes, backfilled, waits.get(job)));
        progress.accept(last.size());
        started.put(job, orders);
        add(now + times.runMillis(name), Kind.END, job, null);
        if (loops != null) {
            loops.touched(now);
        }
    }

    @Override
    public void planned(SlurmJob job, long startSecond, long endSecond, BitSet nodes) {
        planned = true;
        waits.put(job, new Plan(startSecond - second(), nodes.cardinality()));
    }

    @Override
    public void preempted(SlurmJob victim, SlurmJob by) {
        priorities.use(victim, second());
        started.remove(victim);
        int before = gaveWay.merge(victim, 1, Integer::sum) - 1;
        CleaningTimes.Victim toll = times.victim(twin.name(victim), before);
        for (int node : victim.nodesHeld()) {
            BitSet one = new BitSet();
            one.set(node);
            clean(victim, one, toll.millis(twin.cluster.nodes().get(node).name()));
        }
        clean(victim, new BitSet(), toll.millis());
        if (loops != null) {
            loops.touched(now);
        }
    }
}
