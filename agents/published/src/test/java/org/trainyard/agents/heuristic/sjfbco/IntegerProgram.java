package org.trainyard.agents.heuristic.sjfbco;

import com.google.ortools.Loader;
import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import java.util.ArrayList;
import java.util.List;

/** SJF-BCO's integer program over slots, jobs and servers, solved to proven optimality by CP-SAT with one worker. */
final class IntegerProgram {
    private final CpModel model = new CpModel();
    private final SlottedWorld world;
    private final int horizon;
    private final Literal[][] runs;
    private final IntVar[][] gpus;
    private final Literal[][] usesNetwork;
    private final IntVar makespan;

    /** @param horizon slots within which there is a schedule */
    IntegerProgram(SlottedWorld world, int horizon) {
        this.world = world;
        this.horizon = horizon;
        runs = new Literal[world.jobs()][horizon];
        gpus = new IntVar[world.jobs()][world.gpusOn().length];
        usesNetwork = new Literal[world.jobs()][world.gpusOn().length];
        makespan = model.newIntVar(1, horizon, "makespan");
        for (int job = 0; job < world.jobs(); job++) {
            place(job);
            runOnce(job);
        }
        for (int slot = 0; slot < horizon; slot++) {
            shareServers(slot);
        }
        for (int job = 0; job < world.jobs(); job++) {
            doTheWork(job);
        }
        model.minimize(makespan);
    }

    /** All its GPUs, on whatever servers; it uses the network where some but not all of them are. */
    private void place(int job) {
        LinearExprBuilder all = LinearExpr.newBuilder();
        for (int server = 0; server < world.gpusOn().length; server++) {
            IntVar here = model.newIntVar(0, Math.min(world.gpusOn()[server], world.gpus()[job]), "gpus");
            gpus[job][server] = here;
            all.add(here);
            BoolVar isUsed = isAtLeast(here, 1);
            BoolVar isAll = isAtLeast(here, world.gpus()[job]);
            BoolVar isPart = model.newBoolVar("network");
            model.addBoolAnd(new Literal[] {isUsed, isAll.not()}).onlyEnforceIf(isPart);
            model.addBoolOr(new Literal[] {isUsed.not(), isAll}).onlyEnforceIf(isPart.not());
            usesNetwork[job][server] = isPart;
        }
        model.addEquality(all, world.gpus()[job]);
    }

    private BoolVar isAtLeast(IntVar value, int least) {
        BoolVar is = model.newBoolVar("at least");
        model.addGreaterOrEqual(value, least).onlyEnforceIf(is);
        model.addLessThan(value, least).onlyEnforceIf(is.not());
        return is;
    }

    /** Slot after slot without a break, and the makespan after the last. */
    private void runOnce(int job) {
        LinearExprBuilder starts = LinearExpr.newBuilder();
        for (int slot = 0; slot < horizon; slot++) {
            BoolVar now = model.newBoolVar("runs");
            runs[job][slot] = now;
            model.addGreaterOrEqual(makespan, slot + 1).onlyEnforceIf(now);
            BoolVar isStart = model.newBoolVar("starts");
            if (slot == 0) {
                model.addEquality(isStart, now);
            } else {
                model.addBoolAnd(new Literal[] {now, runs[job][slot - 1].not()}).onlyEnforceIf(isStart);
                model.addBoolOr(new Literal[] {now.not(), runs[job][slot - 1]}).onlyEnforceIf(isStart.not());
            }
            starts.add(isStart);
        }
        model.addEquality(starts, 1);
    }

    private void shareServers(int slot) {
        for (int server = 0; server < world.gpusOn().length; server++) {
            LinearExprBuilder held = LinearExpr.newBuilder();
            for (int job = 0; job < world.jobs(); job++) {
                IntVar now = model.newIntVar(0, world.gpusOn()[server], "held");
                model.addEquality(now, gpus[job][server]).onlyEnforceIf(runs[job][slot]);
                model.addEquality(now, 0).onlyEnforceIf(runs[job][slot].not());
                held.add(now);
            }
            model.addLessOrEqual(held, world.gpusOn()[server]);
        }
    }

    /** Work by servers and contention degree, slot by slot, comes to what the job needs. */
    private void doTheWork(int job) {
        LinearExprBuilder spread = LinearExpr.newBuilder();
        for (int server = 0; server < world.gpusOn().length; server++) {
            spread.add(isAtLeast(gpus[job][server], 1));
        }
        IntVar servers = model.newIntVar(1, world.gpusOn().length, "servers");
        model.addEquality(servers, spread);
        LinearExprBuilder done = LinearExpr.newBuilder();
        for (int slot = 0; slot < horizon; slot++) {
            IntVar speed = model.newIntVar(0, world.speed(1, 0), "speed");
            model.addAllowedAssignments(new IntVar[] {servers, rings(job, slot), speed})
                    .addTuples(speeds());
            IntVar now = model.newIntVar(0, world.speed(1, 0), "done");
            model.addLessOrEqual(now, speed);
            model.addEquality(now, 0).onlyEnforceIf(runs[job][slot].not());
            done.add(now);
        }
        model.addGreaterOrEqual(done, world.work()[job]);
    }

    private int[][] speeds() {
        List<int[]> rows = new ArrayList<>();
        for (int servers = 1; servers <= world.gpusOn().length; servers++) {
            for (int rings = 0; rings <= world.jobs(); rings++) {
                rows.add(new int[] {servers, rings, world.speed(servers, rings)});
            }
        }
        return rows.toArray(int[][]::new);
    }

    /**
     * At least as many rings as meet on the worst of its servers; fewer are never slower, so the solver takes no more.
     */
    private IntVar rings(int job, int slot) {
        IntVar most = model.newIntVar(0, world.jobs(), "rings");
        for (int server = 0; server < world.gpusOn().length; server++) {
            LinearExprBuilder here = LinearExpr.newBuilder();
            for (int other = 0; other < world.jobs(); other++) {
                BoolVar isRing = model.newBoolVar("ring");
                model.addBoolAnd(new Literal[] {usesNetwork[other][server], runs[other][slot]})
                        .onlyEnforceIf(isRing);
                model.addBoolOr(new Literal[] {usesNetwork[other][server].not(), runs[other][slot].not()})
                        .onlyEnforceIf(isRing.not());
                here.add(isRing);
            }
            model.addGreaterOrEqual(most, here).onlyEnforceIf(usesNetwork[job][server]);
        }
        return most;
    }

    /** The shortest makespan, slots. */
    int solve() {
        CpSolver solver = new CpSolver();
        solver.getParameters().setNumSearchWorkers(1).setRandomSeed(1);
        CpSolverStatus status = solver.solve(model);
        if (status != CpSolverStatus.OPTIMAL) {
            throw new AssertionError("no proof of the optimum: " + status);
        }
        return (int) Math.round(solver.objectiveValue());
    }

    static void load() {
        Loader.loadNativeLibraries();
    }
}
