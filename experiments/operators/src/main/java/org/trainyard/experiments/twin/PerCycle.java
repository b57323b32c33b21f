package org.trainyard.experiments.twin;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.BackfillCycle;
import org.trainyard.agents.heuristic.slurm.CycleListener;
import org.trainyard.agents.heuristic.slurm.MainCycle;
import org.trainyard.agents.heuristic.slurm.SlurmJob;
import org.trainyard.agents.heuristic.slurm.SlurmState;

/**
 * Every cycle of a controller's log, decided anew from its logged state: whether the same jobs start on the same nodes,
 * and whether the same jobs are planned, at the same times and on the same nodes.
 */
final class PerCycle {
    /** Starts of the main scheduler closer than this are of one run, where the log does not say when it ran. */
    private static final long SAME_RUN_MILLIS = 300;

    private static final int KEPT = 20;

    /** Decision of a cycle about a job: a start, or a plan for a second; the nodes. */
    private record Decided(boolean start, long second, BitSet nodes) {}

    /** A run of the main scheduler that started no job on nodes on which the rules would have started one. */
    record HeldBack(long millis, List<String> nodes) {}

    /** How many of the decisions are the same, for machines too. */
    static final class Counts {
        int cycles;

        @JsonProperty("starts_equal")
        final EqualShare starts = new EqualShare("starts (job and nodes)");

        @JsonProperty("plan_start_within_1s")
        final EqualShare plansInTime = new EqualShare("planned starts within 1 s");

        @JsonProperty("plan_nodes_equal")
        final EqualShare plansOnNodes = new EqualShare("planned nodes");

        @JsonIgnore
        final EqualShare choices = new EqualShare("nodes of each start by itself");

        @JsonIgnore
        final List<String> divergences = new ArrayList<>();

        @JsonIgnore
        final List<HeldBack> heldBack = new ArrayList<>();
    }

    private final LogReplay replay;
    private final TwinState twin;
    private final ControllerLog log;
    private final Counts counts = new Counts();
    private final TentativeCycle tentative;
    private final MainCycle main;
    private final BackfillCycle backfill;
    private boolean open;
    private boolean openBackfill;
    private long openMillis;
    private Map<String, Decided> ours = Map.of();
    private Map<String, Decided> theirs = new LinkedHashMap<>();

    private PerCycle(TwinFolder folder, ControllerLog log) {
        replay = new LogReplay(folder, log);
        twin = replay.twin();
        this.log = log;
        tentative = new TentativeCycle(twin.state);
        main = new MainCycle(twin.state, tentative);
        backfill = new BackfillCycle(twin.state, tentative, main);
    }

    /** Replays a log. */
    static Counts of(TwinFolder folder, ControllerLog log) {
        PerCycle replay = new PerCycle(folder, log);
        for (LogEvent event : log.events()) {
            replay.take(event);
        }
        replay.close();
        return replay.counts;
    }

    private void take(LogEvent event) {
        switch (event.kind()) {
            case MAIN, MAIN_FULL -> begin(event, false);
            case BACKFILL -> begin(event, true);
            case BACKFILL_END -> close();
            case PLAN -> theirs.put(event.job(), new Decided(false, event.number(), twin.nodes(event.names())));
            case START -> start(event);
            default -> replay.take(event);
        }
    }

    private void begin(LogEvent event, boolean isBackfill) {
        close();
        open = true;
        openBackfill = isBackfill;
        openMillis = event.millis();
        replay.cleanUntil(event.millis());
        tentative.begin();
        if (isBackfill) {
            backfill.run(event.second());
        } else {
            main.run(event.second(), event.kind() == LogEvent.Kind.MAIN_FULL);
        }
        tentative.undo();
        ours = new LinkedHashMap<>();
        for (TentativeCycle.Step step : tentative.steps()) {
            String name = twin.name(step.job());
            String key = step.start() || !step.shared() ? name : name.substring(0, name.indexOf('_')) + "_*";
            ours.put(key, new Decided(step.start(), step.second(), step.nodes()));
        }
        theirs = new LinkedHashMap<>();
    }

    private void start(LogEvent event) {
        boolean backfilled = event.number() == 1;
        if (!backfilled && !log.hasMainCycles() && (!open || event.millis() > openMillis + SAME_RUN_MILLIS)) {
            begin(event, false);
        }
        BitSet nodes = twin.nodes(event.names());
        theirs.put(event.job(), new Decided(true, 0, nodes));
        SlurmJob job = twin.job(event.job());
        if (job != null && job.state() == SlurmJob.State.PENDING) {
            counts.choices.count(nodes.equals(twin.state.choice(job, event.second())));
        }
        replay.take(event);
    }

    private void close() {
        if (!open) {
            return;
        }
        open = false;
        if (ours.isEmpty() && theirs.isEmpty()) {
            return;
        }
        counts.cycles++;
        theirs.forEach((job, decided) -> count(job, decided, ours.get(job)));
        ours.forEach((job, decided) -> {
            Decided real = theirs.get(job);
            if (decided.start() && (real == null || !real.start())) {
                counts.starts.count(false);
                differs(job, real, decided);
                if (!openBackfill) {
                    counts.heldBack.add(new HeldBack(openMillis, names(decided.nodes())));
                }
            }
        });
    }

    private void count(String job, Decided real, @Nullable Decided own) {
        boolean sameKind = own != null && own.start() == real.start();
        boolean sameNodes = own != null && own.nodes().equals(real.nodes());
        if (real.start()) {
            counts.starts.count(sameKind && sameNodes);
        } else {
            counts.plansInTime.count(sameKind && own != null && Math.abs(own.second() - real.second()) <= 1);
            counts.plansOnNodes.count(sameKind && sameNodes);
        }
        if (!sameKind || !sameNodes) {
            differs(job, real, own);
        }
    }

    private void differs(String job, @Nullable Decided real, @Nullable Decided own) {
        if (counts.divergences.size() < KEPT) {
            counts.divergences.add("%s %s: job %s, past %s, twin %s"
                    .formatted(
                            LogEvent.timeOfDay(openMillis),
                            openBackfill ? "backfill" : "main",
                            job,
                            words(real),
                            words(own)));
        }
    }

    private String words(@Nullable Decided decided) {
        if (decided == null) {
            return "nothing";
        }
        String what = decided.start() ? "start" : "plan in " + (decided.second() - openMillis / 1000) + " s";
        return what + " on " + names(decided.nodes());
    }

    private List<String> names(BitSet nodes) {
        List<String> names = new ArrayList<>();
        nodes.stream().forEach(node -> names.add(twin.cluster.nodes().get(node).name()));
        return names;
    }

    /** Keeps the decisions of a cycle, and undoes them. */
    private static final class TentativeCycle implements CycleListener {
        /** A start, or a plan for a second. */
        record Step(SlurmJob job, boolean start, boolean shared, long second, BitSet nodes) {}

        /** A job that gave way, as it was before. */
        private record Victim(SlurmJob job, long submitSecond, long beginSecond, long accrueSecond) {}

        private final SlurmState state;
        private final List<Step> steps = new ArrayList<>();
        private final List<Object> done = new ArrayList<>();

        TentativeCycle(SlurmState state) {
            this.state = state;
        }

        void begin() {
            steps.clear();
            done.clear();
        }

        List<Step> steps() {
            return steps;
        }

        @Override
        public void started(SlurmJob job, boolean backfilled) {
            steps.add(new Step(job, true, false, job.startSecond(), job.nodeSet()));
            done.add(job);
        }

        @Override
        public void planned(SlurmJob job, long startSecond, long endSecond, BitSet nodes) {
            steps.add(new Step(job, false, job.sharesPlace(), startSecond, (BitSet) nodes.clone()));
        }

        @Override
        public void preempted(SlurmJob victim, SlurmJob by) {
            done.add(new Victim(victim, victim.submitSecond(), victim.beginSecond(), victim.accrueSecond()));
        }

        /** Undoes all, the last first. */
        void undo() {
            for (int i = done.size() - 1; i >= 0; i--) {
                Object step = done.get(i);
                if (step instanceof Victim victim) {
                    state.undoPreempt(victim.job, victim.submitSecond, victim.beginSecond, victim.accrueSecond);
                } else {
                    state.undoStart((SlurmJob) step);
                }
            }
        }
    }
}
