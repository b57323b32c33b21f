package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trainyard.env.simulation.Worlds.SECOND;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.trainyard.env.dependency.Dependency;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.Workload;

/**
 * A simulator of whole seconds that walks from one to the next and counts: time limits, begin times, dependencies,
 * arrays, quotas, outages, checkpoints, rules of preemption, restarts and requeue delays.
 */
final class NaiveRun {
    private static final int JOBS = 60;
    private static final Topology TOPOLOGY = Topologies.parse("4x2");
    /** An unpaid part of a restart is paid, too. */
    private static final RestartCost RESTART = (job, unpaidNanos) -> unpaidNanos + (2 + job.gpus()) * SECOND;

    private static final int CHECKPOINT = 11;

    /** A job in whole seconds. */
    private static final class Row {
        JobState state = JobState.FUTURE;
        int work;
        int limit;
        int done;
        int saved;
        int productive;
        int restart;
        int run;
        int lost;
        int preemptions;
        int kills;
        int queued;
        int started;
        int first = -1;
        int eligible = -1;
        int end = -1;
        boolean timedOut;
        int[] gpus = {};
    }

    private final Random random;
    private final PreemptionRules rules;
    private final List<Outages.Recorded.Entry> failures = new ArrayList<>();
    private final Workload workload;
    private final Row[] rows = new Row[JOBS];
    private final EventLog log = EventLog.ofFile();
    private final List<String> journal = new ArrayList<>();
    private final List<Integer> waiting = new ArrayList<>();
    private final List<Integer> running = new ArrayList<>();
    private final List<Integer> requeued = new ArrayList<>();
    /** By server, its jobs; one that leaves is replaced by the last. */
    private final List<List<Integer>> onServer = new ArrayList<>();

    private int now = -1;
    private long jobSeconds;
    private long gpuSeconds;
    private long decisions;

    NaiveRun(long seed) {
        random = new Random(seed);
        rules = new PreemptionRules(seed % 3 * 7 * SECOND, seed % 2 * 15 * SECOND, seed % 4 / 2 * 9 * SECOND, 3);
        workload = workload();
        for (int server = 0; server < 4; server++) {
            onServer.add(new ArrayList<>());
        }
        for (int unit = 0; unit < 12; unit++) {
            for (int from = random.nextInt(150); from < 700; from += 100 + random.nextInt(500)) {
                failures.add(new Outages.Recorded.Entry(
                        unit, new Outage(from * SECOND, (from + 5L + random.nextInt(40)) * SECOND)));
            }
        }
    }

    private Workload workload() {
        Worlds jobs = new Worlds();
        int submit = 0;
        for (int job = 0; job < JOBS; job++) {
            submit += random.nextInt(4) == 0 ? 0 : random.nextInt(14);
            rows[job] = new Row();
            rows[job].work = 5 + random.nextInt(90);
            rows[job].limit = random.nextInt(3) == 0 ? 20 + random.nextInt(60) : 0;
            int limit = rows[job].limit;
            int id = job;
            jobs.job(
                            Demand.ofGpus(1 + random.nextInt(2)),
                            random.nextInt(2) == 0 ? "red" : null,
                            submit,
                            rows[job].work)
                    .by(random.nextInt(3) == 0 ? "ann" : "user" + job, "train")
                    .saying(terms -> terms(terms.limitNanos(limit * SECOND), id));
        }
        return jobs.workload();
    }

    private SubmissionTerms.Builder terms(SubmissionTerms.Builder terms, int job) {
        String other = "job" + random.nextInt(job + 3)
                + (random.nextInt(6) == 0 ? ",afterany:job" + random.nextInt(job + 1) : "");
        return switch (random.nextInt(12)) {
            case 0 -> terms.delayNanos(random.nextInt(60) * SECOND);
            case 1 -> terms.dependency("afterok:" + other);
            case 2 -> terms.dependency("afternotok:" + other).delayNanos(random.nextInt(60) * SECOND);
            case 3 ->
                terms.dependency("after:job" + random.nextInt(job + 1) + "+1?afternotok:job" + random.nextInt(job + 1));
            case 4 -> terms.dependency("singleton");
            case 5, 6 -> terms.array(new SubmissionTerms.ArrayTask("a", job, 2));
            case 7 -> terms.dependency("afterany:a_" + random.nextInt(job + 1));
            case 8 -> terms.dependency("after:a");
            default -> terms;
        };
    }

    private int gpus(int job) {
        return workload.job(job).gpus();
    }

    private void log(EventKind kind, int job, int argument, int... gpus) {
        log.replay(now * SECOND, kind, job, argument, gpus);
        switch (kind) {
            case HOLD -> {}
            case DOWN, UP -> journal.add(kind + " -1");
            case TIMEOUT -> journal.add("FINISH " + job);
            case REJECT -> journal.addAll(List.of("START " + job, "FINISH " + job));
            case PREEMPT -> journal.add((rules.requeueNanos() > 0 ? "HOLD " : "PREEMPT ") + job);
            default -> journal.add(kind + " " + job);
        }
    }

    private boolean isFree(int gpu) {
        return running.stream().noneMatch(job -> contains(rows[job].gpus, gpu)) && !isDown(gpu);
    }

    private boolean isDown(int gpu) {
        return failures.stream()
                .filter(entry -> entry.outage().fromNanos() <= now * SECOND
                        && now * SECOND < entry.outage().untilNanos())
                .anyMatch(entry -> entry.unit() == gpu / 2 || entry.unit() == 4 + gpu);
    }

    private static boolean contains(int[] all, int one) {
        return IntStream.of(all).anyMatch(other -> other == one);
    }

    // Conditions to start

    private boolean isKey(int job, String key) {
        SubmissionTerms.ArrayTask array = workload.job(job).terms().array();
        return key.equals("job" + job) || array != null && (key.equals("a") || key.equals("a_" + array.task()));
    }

    private boolean isOver(int job) {
        return rows[job].state == JobState.DONE;
    }

    /** 1 where a submitted job may start, 0 while it may not, -1 where it never may. */
    private int verdict(int job) {
        SubmissionTerms terms = workload.job(job).terms();
        String said = terms.dependency();
        int others = 1;
        if (said != null) {
            Dependency.Conditions conditions = Dependency.parse("job", said);
            int[] each =
                    conditions.all().stream().mapToInt(one -> verdict(job, one)).toArray();
            int least = IntStream.of(each).min().orElseThrow();
            int most = IntStream.of(each).max().orElseThrow();
            others = conditions.any() ? most : least;
        }
        boolean isEarly = now < workload.job(job).submitNanos() / SECOND + terms.delayNanos() / SECOND;
        long siblings = IntStream.range(0, JOBS)
                .filter(other -> workload.job(other).terms().array() != null)
                .filter(other -> waiting.contains(other) || running.contains(other) || requeued.contains(other))
                .count();
        boolean isFull = terms.array() != null && siblings >= 2;
        return others == 1 && (isEarly || isFull) ? 0 : others;
    }

    private int verdict(int job, Dependency on) {
        IntPredicate isOther = on.kind() == Dependency.Kind.SINGLETON
                ? other -> other < job
                        && workload.job(other).user().equals(workload.job(job).user())
                : other -> isKey(other, on.on());
        int[] known = IntStream.range(0, JOBS)
                .filter(isOther)
                .filter(other -> rows[other].state != JobState.FUTURE)
                .toArray();
        int[] others = IntStream.of(known).filter(other -> !isOver(other)).toArray();
        int[] live = others.length == 1 && others[0] == job ? new int[0] : others;
        boolean isFailed =
                IntStream.of(known).anyMatch(other -> isOver(other) && (rows[other].timedOut || rows[other].first < 0));
        if (live.length > 0) {
            boolean isStarted = IntStream.of(live)
                    .allMatch(other -> rows[other].first >= 0 && rows[other].first + on.delayNanos() / SECOND <= now);
            return on.kind() == Dependency.Kind.AFTER && isStarted ? 1 : 0;
        }
        return switch (on.kind()) {
            case AFTEROK, AFTERCORR -> isFailed ? -1 : 1;
            case AFTERNOTOK -> isFailed ? 1 : -1;
            case AFTER, AFTERANY, SINGLETON -> 1;
        };
    }

    private int ready() {
        return IntStream.range(0, JOBS)
                .filter(job -> rows[job].state == JobState.HELD && !requeued.contains(job) && verdict(job) != 0)
                .findFirst()
                .orElse(-1);
    }

    // Time

    private void advance() {
        if (ready() < 0) {
            now++;
            jobSeconds += waiting.size() + running.size() + requeued.size();
            running.forEach(this::work);
        }
        List.copyOf(running).stream()
                .filter(job -> rows[job].done == rows[job].work)
                .forEach(job -> end(job, EventKind.FINISH));
        List.copyOf(running).stream()
                .filter(job -> rows[job].limit > 0 && rows[job].started + rows[job].limit == now)
                .forEach(job -> {
                    rows[job].timedOut = true;
                    end(job, EventKind.TIMEOUT);
                });
        outages(true);
        outages(false);
        for (int job = 0; job < JOBS; job++) {
            if (rows[job].state == JobState.FUTURE && workload.job(job).submitNanos() == now * SECOND) {
                rows[job].state = JobState.HELD;
                if (verdict(job) == 1) {
                    arrive(job);
                } else {
                    log(EventKind.HOLD, job, 0);
                }
            }
        }
        for (int job = ready(); job >= 0; job = ready()) {
            boolean isHopeless = verdict(job) < 0;
            arrive(job);
            if (isHopeless) {
                reject(job);
            }
        }
        while (!requeued.isEmpty() && rows[requeued.get(0)].queued == now) {
            journal.add("PREEMPT " + requeued.get(0));
            enqueue(requeued.remove(0));
        }
    }

    private void work(int job) {
        Row row = rows[job];
        row.run++;
        gpuSeconds += row.gpus.length;
        if (row.restart > 0) {
            row.restart--;
        } else {
            row.done++;
            row.productive++;
        }
    }

    /** Whether time stands still since the last walk. */
    private boolean isPast;

    private void outages(boolean isRepair) {
        for (int unit = 0; unit < 12; unit++) {
            for (Outages.Recorded.Entry entry : failures) {
                long at =
                        isRepair ? entry.outage().untilNanos() : entry.outage().fromNanos();
                if (entry.unit() == unit && at == now * SECOND && !isPast) {
                    log(isRepair ? EventKind.UP : EventKind.DOWN, unit < 4 ? unit : -1, unit < 4 ? 0 : unit - 4);
                    if (!isRepair) {
                        fail(unit);
                    }
                }
            }
        }
    }

    private void fail(int unit) {
        List<Integer> here = new ArrayList<>(onServer.get(unit < 4 ? unit : (unit - 4) / 2));
        Collections.reverse(here);
        for (int job : here) {
            if (unit < 4 || contains(rows[job].gpus, unit - 4)) {
                lose(job, CHECKPOINT);
                stop(job);
                rows[job].kills++;
                enqueue(job);
                log(EventKind.KILL, job, 0);
            }
        }
    }

    private void lose(int job, int every) {
        int unsaved = every == 0 ? 0 : rows[job].productive % every;
        rows[job].done -= unsaved;
        rows[job].lost += unsaved;
    }

    private void arrive(int job) {
        rows[job].eligible = now;
        enqueue(job);
        log(EventKind.ARRIVE, job, 0);
    }

    private void enqueue(int job) {
        rows[job].state = JobState.WAITING;
        rows[job].queued = now;
        waiting.add(job);
    }

    private void reject(int job) {
        waiting.remove((Integer) job);
        over(job, EventKind.REJECT);
    }

    private void end(int job, EventKind kind) {
        stop(job);
        over(job, kind);
    }

    private void over(int job, EventKind kind) {
        rows[job].state = JobState.DONE;
        rows[job].end = now;
        log(kind, job, 0);
    }

    private void stop(int job) {
        running.remove((Integer) job);
        for (int server = 0; server < 4; server++) {
            List<Integer> here = onServer.get(server);
            int at = here.indexOf(job);
            if (at >= 0) {
                here.set(at, here.get(here.size() - 1));
                here.remove(here.size() - 1);
            }
        }
        rows[job].gpus = new int[0];
    }

    // Decisions

    private void start(int job, int[] gpus) {
        Row row = rows[job];
        waiting.remove((Integer) job);
        running.add(job);
        row.state = JobState.RUNNING;
        row.first = row.first < 0 ? now : row.first;
        row.started = now;
        row.productive = 0;
        row.restart = row.preemptions + row.kills > 0 ? row.restart + 2 + gpus.length : 0;
        row.gpus = gpus;
        IntStream.of(gpus)
                .map(gpu -> gpu / 2)
                .distinct()
                .forEach(server -> onServer.get(server).add(job));
        log(EventKind.START, job, gpus.length, gpus);
    }

    private void preempt(int job) {
        lose(job, (int) (rules.savedEveryNanos() / SECOND));
        stop(job);
        rows[job].preemptions++;
        log(EventKind.PREEMPT, job, 0);
        if (rules.requeueNanos() == 0) {
            enqueue(job);
        } else {
            rows[job].state = JobState.HELD;
            rows[job].queued = now + (int) (rules.requeueNanos() / SECOND);
            requeued.add(job);
        }
    }

    private boolean mayPreempt(int job) {
        return rows[job].preemptions < 3 && now - rows[job].started >= rules.leastRunNanos() / SECOND;
    }

    private int quotaLeft() {
        return 4
                - running.stream()
                        .filter(job -> "red".equals(workload.job(job).virtualCluster()))
                        .mapToInt(this::gpus)
                        .sum();
    }

    /** A decision by lot, made here; null when time may pass. */
    private Decision decide() {
        for (int job : List.copyOf(running)) {
            if (random.nextInt(40) == 0) {
                if (mayPreempt(job)) {
                    preempt(job);
                    return new Decision.Preempt(job);
                }
            }
        }
        for (int job : List.copyOf(waiting)) {
            int[] gpus = IntStream.range(0, 8)
                    .filter(this::isFree)
                    .skip(random.nextInt(2))
                    .limit(gpus(job))
                    .toArray();
            boolean isAllowed = workload.job(job).virtualCluster() == null || quotaLeft() >= gpus.length;
            if (random.nextInt(3) > 0 && gpus.length == gpus(job) && isAllowed) {
                start(job, gpus);
                return new Decision.Start(job, Placement.of(TOPOLOGY, gpus));
            }
            if (rows[job].first < 0 && random.nextInt(150) == 0) {
                reject(job);
                return new Decision.Reject(job);
            }
        }
        return null;
    }

    // Comparison

    private static List<Integer> list(int first, IntUnaryOperator next) {
        List<Integer> jobs = new ArrayList<>();
        for (int job = first; job != SimView.NONE; job = next.applyAsInt(job)) {
            jobs.add(job);
        }
        return jobs;
    }

    private void compare(Simulator simulator) {
        SimView view = simulator.view();
        assertThat(view.nowNanos()).isEqualTo(now * SECOND);
        assertThat(list(view.firstWaiting(), view::nextWaiting)).isEqualTo(waiting);
        assertThat(list(view.firstRunning(), view::nextRunning)).isEqualTo(running);
        assertThat(simulator.eventLog().sha256()).as("at %d s", now).isEqualTo(log.sha256());
        assertThat(IntStream.range(Math.max(0, journal.size() - 5), view.journalSize())
                        .mapToObj(entry -> view.journalKind(entry) + " " + view.journalJob(entry)))
                .isEqualTo(journal.subList(Math.max(0, journal.size() - 5), journal.size()));
        assertThat(simulator.jobSeconds()).isEqualTo(jobSeconds);
        assertThat(simulator.busyGpuSeconds()).isEqualTo(gpuSeconds);
        for (int gpu = 0; gpu < 8; gpu++) {
            assertThat(view.cluster().owner(gpu) == Cluster.FREE).isEqualTo(isFree(gpu));
        }
        for (int job = 0; job < view.arrived(); job++) {
            Row row = rows[job];
            long[] times = {
                row.done, row.run, row.queued, row.started, row.first, row.eligible, row.preemptions, row.kills
            };
            long[] seen = {
                Math.round(view.progressSeconds(job) * 1e6) / 1_000_000,
                view.runNanos(job) / SECOND,
                view.queuedSinceNanos(job) / SECOND,
                view.startedNanos(job) / SECOND,
                view.firstStartNanos(job) < 0 ? -1 : view.firstStartNanos(job) / SECOND,
                view.eligibleNanos(job) < 0 ? -1 : view.eligibleNanos(job) / SECOND,
                view.preemptions(job),
                view.kills(job)
            };
            assertThat(view.state(job)).isEqualTo(row.state);
            if (row.state != JobState.HELD || row.first >= 0) {
                assertThat(seen).as("job %d at %d s", job, now).isEqualTo(times);
            }
            if (row.state == JobState.RUNNING) {
                int every = (int) (rules.savedEveryNanos() / SECOND);
                assertThat(view.unsavedSeconds(job)).isEqualTo(every == 0 ? 0 : row.productive % every);
                assertThat(view.mayPreempt(job)).isEqualTo(mayPreempt(job));
            } else if (row.state == JobState.WAITING) {
                assertThat(view.restartSeconds(job)).isEqualTo(row.restart + 2 + gpus(job));
                boolean isRed = workload.job(job).virtualCluster() != null;
                assertThat(view.isWithinQuota(job, gpus(job))).isEqualTo(!isRed || gpus(job) <= quotaLeft());
            }
        }
    }

    private void compareOutcomes(RunResult result) {
        for (JobOutcome job : result.jobs()) {
            Row row = rows[job.job().id()];
            int undisturbed = row.timedOut ? row.done : row.work;
            assertThat(job.onGpus())
                    .isEqualTo(new JobOutcome.TimeOnGpus(
                            row.run * SECOND, undisturbed * SECOND, (row.run - undisturbed) * SECOND, 0));
            assertThat(job.endNanos()).isEqualTo(row.end * SECOND);
            assertThat(job.timedOut()).isEqualTo(row.timedOut);
            assertThat(job.heldNanos())
                    .isEqualTo(row.eligible * SECOND - job.job().submitNanos());
        }
        assertThat(result.rejected())
                .hasSize((int) Arrays.stream(rows).filter(row -> row.first < 0).count());
    }

    /** Plays a run of the simulator, forked at every other decision, and compares all that it shows. */
    void play() {
        Simulator simulator = simulator();
        simulator.advance();
        while (now * SECOND < simulator.view().nowNanos()) {
            advance();
        }
        boolean goesOn = true;
        while (goesOn) {
            compare(simulator);
            Decision decision = decide();
            if (simulator.decisions() % 2 == 0) {
                simulator = simulator.fork();
            }
            if (decision != null) {
                decisions++;
                simulator.apply(decision);
                continue;
            }
            simulator.apply(Decision.waitUntil((now + 1) * SECOND));
            goesOn = simulator.advance();
            isPast = ready() >= 0;
            advance();
            isPast = false;
        }
        assertThat(simulator.decisions()).isEqualTo(decisions);
        compareOutcomes(simulator.result());
    }

    private Simulator simulator() {
        Simulator.Options options = new Simulator.Options(RESTART, true, null)
                .with(new Quotas(Map.of("red", 4)))
                .with(new Outages.Recorded(failures), CHECKPOINT * SECOND)
                .with(rules);
        return new World(TOPOLOGY, new RatedPerformance(), options).simulator(workload);
    }

    /** Whether the run had all that it should. */
    boolean isRich() {
        return Arrays.stream(rows).anyMatch(row -> row.timedOut)
                && Arrays.stream(rows).anyMatch(row -> row.kills > 1 && row.lost > 0)
                && Arrays.stream(rows).anyMatch(row -> row.preemptions > 1)
                && Arrays.stream(rows).anyMatch(row -> row.first < 0);
    }
}
