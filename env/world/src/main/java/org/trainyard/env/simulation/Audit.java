package org.trainyard.env.simulation;

import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.workload.Demand;

/** Recomputes all derived counters of the simulator from scratch and compares them with those kept up to date. */
final class Audit {
    private Audit() {}

    static void check(State state) {
        checkCounts(state);
        checkOwners(state);
        checkPlacements(state);
        checkRacks(state);
        checkRates(state);
    }

    private static void checkCounts(State state) {
        int waiting = 0;
        int running = 0;
        int done = 0;
        int held = 0;
        for (int job = 0; job < state.arrived; job++) {
            switch (state.state(job)) {
                case WAITING -> waiting++;
                case RUNNING -> running++;
                case DONE -> done++;
                case HELD -> held++;
                case FUTURE -> throw broken("job (%d) has arrived but is FUTURE".formatted(job));
            }
            boolean isPlaced = !state.slots.isForgotten(job) && state.row(job).placement != null;
            expect("placement of job " + job, state.state(job) == JobState.RUNNING, isPlaced);
        }
        expect("waiting", waiting, state.waiting.size());
        expect("running", running, state.running.size());
        expect("done", done, state.done);
        expect("held", held, state.held.size() + state.requeues.size());
    }

    private static void checkOwners(State state) {
        int free = 0;
        int down = 0;
        for (int server = 0; server < state.topology.servers(); server++) {
            int freeHere = 0;
            for (int i = 0; i < state.topology.gpusOn(server); i++) {
                int gpu = state.topology.firstGpu(server) + i;
                int owner = state.cluster.owner(gpu);
                freeHere += owner == Cluster.FREE ? 1 : 0;
                down += owner == Cluster.DOWN ? 1 : 0;
                if (owner >= 0 && state.placement(owner).indexOf(server) < 0) {
                    throw broken("GPU (%d) belongs to job (%d), which is elsewhere".formatted(gpu, owner));
                }
            }
            expect("free GPUs on server " + server, freeHere, state.cluster.freeOn(server));
            free += freeHere;
            checkHost(state, server);
        }
        expect("free GPUs", free, state.cluster.free());
        expect("GPUs that are down", down, state.cluster.down());
    }

    private static void checkPlacements(State state) {
        long[] heldMilli = new long[state.topology.gpus()];
        long held = 0;
        for (int job = state.firstRunning(); job != SimView.NONE; job = state.nextRunning(job)) {
            Placement placement = state.placement(job);
            for (int i = 0; i < placement.gpuCount(); i++) {
                int gpu = placement.gpu(i);
                int milli = state.cluster.granted(gpu, state.job(job).demand().gpuMilli());
                heldMilli[gpu] += milli;
                held += milli;
                expect("owner of GPU " + gpu, milli == Demand.WHOLE ? job : Cluster.SHARED, state.cluster.owner(gpu));
            }
        }
        for (int gpu = 0; gpu < heldMilli.length; gpu++) {
            long left = state.cluster.owner(gpu) == Cluster.DOWN ? 0 : Demand.WHOLE - heldMilli[gpu];
            expect("left of GPU " + gpu, left, (long) state.cluster.freeMilli(gpu));
        }
        expect("held of all GPUs", held, state.cluster.heldMilli());
    }

    private static void checkHost(State state, int server) {
        long cpu = state.topology.server(server).cpuMilli();
        long memory = state.topology.server(server).memoryMib();
        long jobs = 0;
        for (int job = state.firstRunning(); job != SimView.NONE; job = state.nextRunning(job)) {
            int at = state.placement(job).indexOf(server);
            if (at >= 0) {
                int workers = state.placement(job).gpusOn(at);
                cpu -= state.job(job).demand().cpuMilliOf(workers);
                memory -= state.job(job).demand().memoryMibOf(workers);
                jobs++;
            }
        }
        expect("jobs on server " + server, jobs, (long) state.cluster.jobsOn(server));
        if (cpu < 0 || memory < 0) {
            throw broken(
                    "server (%d) has granted more host resources than it has: CPU (%d milli) and memory (%d MiB) left"
                            .formatted(server, cpu, memory));
        }
        if (state.topology.server(server).cpuMilli() < ServerSpec.UNLIMITED) {
            expect("CPU left on server " + server, cpu, state.cluster.freeCpuMilli(server));
            expect("memory left on server " + server, memory, state.cluster.freeMemoryMib(server));
        }
    }

    private static void checkRacks(State state) {
        for (int rack = 0; rack < state.topology.racks(); rack++) {
            int free = 0;
            for (int i = 0; i < state.topology.serversIn(rack); i++) {
                free += state.cluster.freeOn(state.topology.firstServer(rack) + i);
            }
            expect("free GPUs in rack " + rack, free, state.cluster.freeIn(rack));
        }
    }

    private static void checkRates(State state) {
        for (int job = state.firstRunning(); job != SimView.NONE; job = state.nextRunning(job)) {
            if (state.frozen.isFrozen(job) || state.grants.isGranted(job)) {
                expect("rate of job " + job + " after a decision about it", true, state.rates.isAloneRateFresh(job));
            }
            expect("slowdown of job " + job, state.rates.freshSlowdown(job), state.slowdown(job));
        }
    }

    private static void expect(String what, Object recomputed, Object kept) {
        if (!recomputed.equals(kept)) {
            throw broken("%s: recomputed %s, kept %s".formatted(what, recomputed, kept));
        }
    }

    private static IllegalStateException broken(String message) {
        return new IllegalStateException("audit: " + message);
    }
}
