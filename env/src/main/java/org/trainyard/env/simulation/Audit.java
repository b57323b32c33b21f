package org.trainyard.env.simulation;

import org.trainyard.env.topology.Placement;

/** Recomputes from scratch what the simulator keeps up to date, and compares. */
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
        for (int job = 0; job < state.arrived; job++) {
            switch (state.state[job]) {
                case WAITING -> waiting++;
                case RUNNING -> running++;
                case DONE -> done++;
                case FUTURE -> throw broken("job (%d) has arrived but is FUTURE".formatted(job));
            }
            expect("placement of job " + job, state.state[job] == JobState.RUNNING, state.placement[job] != null);
        }
        expect("waiting", waiting, state.waiting.size());
        expect("running", running, state.running.size());
        expect("done", done, state.done);
    }

    private static void checkOwners(State state) {
        int free = 0;
        for (int server = 0; server < state.topology.servers(); server++) {
            int freeHere = 0;
            for (int i = 0; i < state.topology.gpusOn(server); i++) {
                int gpu = state.topology.firstGpu(server) + i;
                int owner = state.cluster.owner(gpu);
                if (owner == Cluster.FREE) {
                    freeHere++;
                } else if (state.placement(owner).indexOf(server) < 0) {
                    throw broken("GPU (%d) belongs to job (%d), which is elsewhere".formatted(gpu, owner));
                }
            }
            expect("free GPUs on server " + server, freeHere, state.cluster.freeOn(server));
            free += freeHere;
            checkJobsOn(state, server, state.topology.gpusOn(server) - freeHere);
        }
        expect("free GPUs", free, state.cluster.free());
    }

    private static void checkPlacements(State state) {
        int held = 0;
        for (int job = state.firstRunning(); job != SimView.NONE; job = state.nextRunning(job)) {
            Placement placement = state.placement(job);
            for (int i = 0; i < placement.gpuCount(); i++) {
                expect("owner of GPU " + placement.gpu(i), job, state.cluster.owner(placement.gpu(i)));
            }
            held += placement.gpuCount();
        }
        expect("GPUs held", held, state.topology.gpus() - state.cluster.free());
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

    private static void checkJobsOn(State state, int server, int used) {
        int held = 0;
        for (int i = 0; i < state.cluster.jobsOn(server); i++) {
            int job = state.cluster.jobOn(server, i);
            held += state.placement(job).gpusOn(state.placement(job).indexOf(server));
        }
        expect("GPUs held by the jobs of server " + server, used, held);
    }

    private static void checkRates(State state) {
        for (int job = state.firstRunning(); job != SimView.NONE; job = state.nextRunning(job)) {
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
