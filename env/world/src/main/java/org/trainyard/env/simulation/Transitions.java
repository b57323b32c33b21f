package org.trainyard.env.simulation;

import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.FreezableModel;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.RuntimePredictor;

/** The transitions of a job's state. Each is validated first, then applied and logged as a whole. */
final class Transitions {
    private final State state;
    private final RuntimePredictor predictor;
    private final Simulator.Options options;
    private final EventLog log;

    Transitions(State state, RuntimePredictor predictor, Simulator.Options options, EventLog log) {
        this.state = state;
        this.predictor = predictor;
        this.options = options;
        this.log = log;
    }

    /** Replays all past events to the predictor, in order; its predictions are in the state already. */
    void remind() {
        for (int entry = 0; entry < state.journalSize(); entry++) {
            int job = state.journalJob(entry);
            if (state.journalKind(entry) == EventKind.ARRIVE) {
                predictor.predictSeconds(job(job));
            } else if (state.journalKind(entry) == EventKind.FINISH && !state.isRejected(job)) {
                learn(job);
            }
        }
    }

    /** Tells the predictor how long an ended job ran; one that was killed before it did any work tells nothing. */
    private void learn(int job) {
        double seconds = state.rates.endedIdealSeconds(job);
        if (seconds > 0) {
            predictor.finished(job(job), seconds);
        }
    }

    private JobSpec job(int job) {
        return state.workload.job(job);
    }

    private void log(EventKind kind, int job, int argument) {
        log.add(state.nowNanos, kind, job, argument);
        state.record(kind, job);
    }

    /** A submitted job may not start yet. It is predicted when it may. */
    void hold(int job) {
        state.arrived++;
        state.row(job).state = JobState.HELD;
        log.add(state.nowNanos, EventKind.HOLD, job, 0);
    }

    /** A held job may start from now on. */
    void release(int job) {
        require(job, JobState.HELD, "release");
        enter(job);
    }

    void arrive(int job) {
        state.arrived++;
        enter(job);
    }

    private void enter(int job) {
        state.row(job).eligibleNanos = state.nowNanos;
        state.row(job).predictedSeconds = predictor.predictSeconds(job(job));
        enqueue(job);
        log(EventKind.ARRIVE, job, 0);
    }

    private void enqueue(int job) {
        JobRow row = state.row(job);
        row.state = JobState.WAITING;
        row.queuedSinceNanos = state.nowNanos;
        state.waiting.append(job);
    }

    void start(int job, Placement placement) {
        JobRow row = state.row(job);
        require(job, JobState.WAITING, "start");
        Demand demand = state.submitted(job).demand();
        checkSize(job, demand, placement, "start");
        if (state.isHeldByMaintenance(job)) {
            throw new IllegalArgumentException(
                    "cannot start job (%d): its time limit crosses the maintenance of all servers".formatted(job));
        }
        if (!state.cluster.fits(demand, placement)) {
            throw new IllegalArgumentException(
                    demand.isPlain()
                            ? "cannot start job (%d): GPUs %s are not all free".formatted(job, placement)
                            : "cannot start job (%d): its demand does not fit on %s".formatted(job, placement));
        }
        if (!state.quotas.allows(job(job), placement.gpuCount())) {
            throw new IllegalArgumentException(
                    "cannot start job (%d): the quota of its virtual cluster (%s) is used up, or limits forbid it"
                            .formatted(job, job(job).virtualCluster()));
        }
        state.waiting.remove(job);
        state.running.append(job);
        row.state = JobState.RUNNING;
        if (row.firstStartNanos < 0) {
            row.firstStartNanos = state.nowNanos;
        }
        row.startedNanos = state.nowNanos;
        take(job, placement, row.preemptions + row.kills > 0);
        state.limits.start(job(job), state.nowNanos);
        log.add(state.nowNanos, EventKind.START, job, placement);
        state.record(EventKind.START, job);
    }

    private static void checkSize(int job, Demand demand, Placement placement, String verb) {
        int gpus = placement.gpuCount();
        if (gpus < demand.minGpus() || gpus > demand.maxGpus()) {
            throw new IllegalArgumentException("cannot %s job (%d) on (%d) GPUs: it needs (%s)"
                    .formatted(
                            verb,
                            job,
                            gpus,
                            demand.isElastic()
                                    ? demand.minGpus() + " to " + demand.maxGpus()
                                    : Integer.toString(demand.gpus())));
        }
    }

    private void take(int job, Placement placement, boolean resumes) {
        state.cluster.allocate(job, state.job(job).demand(), placement);
        state.quotas.take(job(job), placement.gpuCount());
        state.row(job).placement = placement;
        long restart = resumes ? options.restart().nanos(job(job), state.rates.unpaidNanos(job)) : 0;
        state.rates.start(job, placement, restart);
    }

    /** Releases a job's placement; the job is then in no list. */
    private void leave(int job) {
        Placement placement = state.placement(job);
        state.rates.stop(job, placement);
        state.cluster.release(job, state.job(job).demand(), placement);
        state.quotas.release(job(job), placement.gpuCount());
        state.row(job).placement = null;
    }

    /** Takes a job off its placement and out of the running ones. */
    private void stop(int job) {
        leave(job);
        state.running.remove(job);
        state.limits.stop(job(job));
        if (state.grants.isGranted(job)) {
            state.provision(job, job(job).demand());
        }
    }

    void preempt(int job) {
        require(job, JobState.RUNNING, "preempt");
        if (options.preemption().savedEveryNanos() > 0) {
            state.rates.loseUnsaved(job, options.preemption().savedEveryNanos());
        }
        stop(job);
        JobRow row = state.row(job);
        row.preemptions++;
        if (state.requeueNanos == 0) {
            enqueue(job);
            log(EventKind.PREEMPT, job, 0);
            return;
        }
        row.state = JobState.HELD;
        row.queuedSinceNanos = state.nowNanos + state.requeueNanos;
        state.requeues.schedule(row.queuedSinceNanos, job);
        log.add(state.nowNanos, EventKind.PREEMPT, job, 0);
        state.record(EventKind.HOLD, job);
    }

    /** A preempted job waits again after its delay; in the journal it is preempted now. */
    void requeuePreempted(int job) {
        require(job, JobState.HELD, "requeue");
        enqueue(job);
        state.record(EventKind.PREEMPT, job);
    }

    void resize(int job, Placement placement) {
        require(job, JobState.RUNNING, "resize");
        Demand demand = state.job(job).demand();
        checkSize(job, demand, placement, "resize");
        if (demand.lastsNanos() > 0) {
            demand = demand.lasting(Math.max(1, state.startedNanos(job) + demand.lastsNanos() - state.nowNanos));
        }
        Placement before = state.placement(job);
        if (!state.cluster.fitsInstead(job, demand, before, placement)
                || !state.quotas.allows(job(job), placement.gpuCount() - before.gpuCount())) {
            throw new IllegalArgumentException(
                    "cannot resize job (%d): its demand does not fit on %s".formatted(job, placement));
        }
        leave(job);
        take(job, placement, true);
        state.row(job).resizes++;
        log.add(state.nowNanos, EventKind.RESIZE, job, placement);
        state.record(EventKind.RESIZE, job);
    }

    void freeze(int job, int layers) {
        require(job, JobState.RUNNING, "freeze");
        FreezableModel freezing = job(job).model().of(FreezableModel.class);
        if (freezing == null || !freezing.allows(layers) || layers == state.frozen.layers(job)) {
            throw new IllegalArgumentException("cannot freeze (%d) layers of job (%d), which has (%d) frozen: %s"
                    .formatted(
                            layers,
                            job,
                            state.frozen.layers(job),
                            freezing == null
                                    ? "it allows none"
                                    : "it needs another multiple of %d up to %d"
                                            .formatted(freezing.blockLayers(), freezing.mostLayers())));
        }
        if (layers < state.frozen.layers(job) && !state.canThaw(job)) {
            throw new IllegalArgumentException(
                    "cannot thaw layers of job (%d), of which (%d) are frozen, to (%d): its learning rate has not dropped since"
                            .formatted(job, state.frozen.layers(job), layers));
        }
        state.rates.freeze(job, layers);
        log(EventKind.FREEZE, job, layers);
    }

    void provision(int job, long cpuMilli, long memoryMib) {
        require(job, JobState.RUNNING, "provision");
        if (!state.grants.isKept() || !job(job).plan().usesHosts()) {
            throw new IllegalArgumentException(
                    "cannot provision job (%d): its speed does not depend on its host".formatted(job));
        }
        Demand before = state.job(job).demand();
        Demand after = before.withHost(cpuMilli, memoryMib);
        if (Math.max(cpuMilli, memoryMib) > Integer.MAX_VALUE
                || after.equals(before)
                || !state.cluster.exchangeHost(before, after, state.placement(job))) {
            throw new IllegalArgumentException(
                    "cannot provision job (%d) with CPU (%d milli) and memory (%d MiB): it has CPU (%d milli) and memory (%d MiB), and its servers must have room for another amount and a limit"
                            .formatted(job, cpuMilli, memoryMib, before.cpuMilli(), before.memoryMib()));
        }
        state.rates.provision(job, after);
        if (cpuMilli != before.cpuMilli()) {
            log(EventKind.HOST_CPU, job, Math.toIntExact(cpuMilli));
        }
        if (memoryMib != before.memoryMib()) {
            log(EventKind.HOST_MEMORY, job, Math.toIntExact(memoryMib));
        }
    }

    void forward(int job, int domain) {
        require(job, JobState.WAITING, "forward");
        log(EventKind.FORWARD, job, domain);
    }

    void finish(int job) {
        end(job, EventKind.FINISH);
    }

    /** Kills a running job that has outlived its time limit. */
    void timeOut(int job) {
        require(job, JobState.RUNNING, "kill");
        state.row(job).timedOut = true;
        end(job, EventKind.TIMEOUT);
    }

    private void end(int job, EventKind logged) {
        JobRow row = state.row(job);
        Placement last = state.placement(job);
        row.lastServers = last.serverCount();
        row.lastRacks = racks(last);
        stop(job);
        row.state = JobState.DONE;
        row.endNanos = state.nowNanos;
        state.done++;
        log.add(state.nowNanos, logged, job, 0);
        state.record(EventKind.FINISH, job);
        learn(job);
    }

    private int racks(Placement placement) {
        int racks = 0;
        int before = -1;
        for (int i = 0; i < placement.serverCount(); i++) {
            int rack = state.topology.rackOf(placement.server(i));
            racks += rack == before ? 0 : 1;
            before = rack;
        }
        return racks;
    }

    /**
     * Takes a waiting job out of a live cluster. The log has it as a completion, before which there may be no start.
     */
    void cancel(int job) {
        require(job, JobState.WAITING, "cancel");
        takeOut(job, EventKind.FINISH);
    }

    /** Turns away a waiting job that has never started. */
    void reject(int job) {
        require(job, JobState.WAITING, "reject");
        if (state.row(job).firstStartNanos >= 0) {
            throw new IllegalArgumentException("cannot reject job (%d): it has started before".formatted(job));
        }
        takeOut(job, EventKind.REJECT);
    }

    /** Takes a job out of the queue. In the journal it starts and finishes at once, so that schedulers forget it. */
    private void takeOut(int job, EventKind logged) {
        JobRow row = state.row(job);
        state.waiting.remove(job);
        row.state = JobState.DONE;
        row.endNanos = state.nowNanos;
        state.done++;
        log.add(state.nowNanos, logged, job, 0);
        state.record(EventKind.START, job);
        state.record(EventKind.FINISH, job);
    }

    /** Fails a server or a GPU: its jobs stop, lose their progress since the last checkpoint, and wait again. */
    void breakDown(int unit) {
        log(EventKind.DOWN, unit);
        boolean isServer = unit < state.topology.servers();
        int server = isServer ? unit : state.topology.serverOf(unit - state.topology.servers());
        for (int i = state.cluster.jobsOn(server) - 1; i >= 0; i--) {
            int job = state.cluster.jobOn(server, i);
            if (isServer || holds(job, unit - state.topology.servers())) {
                kill(job);
            }
        }
        state.outages.apply(state.cluster, unit, true);
    }

    private boolean holds(int job, int gpu) {
        Placement placement = state.placement(job);
        int server = state.topology.serverOf(gpu);
        return (placement.maskOn(placement.indexOf(server)) & (1L << (gpu - state.topology.firstGpu(server)))) != 0;
    }

    private void kill(int job) {
        state.rates.loseUnsaved(job, options.checkpointNanos());
        stop(job);
        state.row(job).kills++;
        enqueue(job);
        log(EventKind.KILL, job, 0);
    }

    /** Stops a running job by a fault of its own. */
    void requeue(int job) {
        require(job, JobState.RUNNING, "requeue");
        kill(job);
    }

    /** Repairs a server or a GPU. */
    void repair(int unit) {
        log(EventKind.UP, unit);
        state.outages.apply(state.cluster, unit, false);
    }

    private void log(EventKind kind, int unit) {
        boolean isServer = unit < state.topology.servers();
        log.add(state.nowNanos, kind, isServer ? unit : -1, isServer ? 0 : unit - state.topology.servers());
        state.record(kind, SimView.NONE);
    }

    void require(int job, JobState wanted, String verb) {
        boolean isKnown = job < state.arrived && !state.slots.isForgotten(job);
        if (!isKnown || state.row(job).state != wanted) {
            throw new IllegalArgumentException(
                    "cannot %s job (%d): it is %s".formatted(verb, job, isKnown ? state.row(job).state : "unknown"));
        }
    }
}
