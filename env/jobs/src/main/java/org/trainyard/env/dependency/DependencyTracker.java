package org.trainyard.env.dependency;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntIterator;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.EventQueue;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.StartConditions;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.Workload;

/**
 * Decides which submitted jobs may not start yet: before their begin time, while their dependencies are open, or while
 * as many tasks of their array as its limit allows wait or run.
 *
 * <p>The rules are Slurm's, with these simplifications: (1) a job that runs to its end has succeeded, one that was
 * killed at its time limit or turned away has not; (2) a job of which the trace does not know, or not yet, binds
 * nobody, as if it had succeeded long ago; (3) a job whose dependency can never hold is turned away, as with
 * {@code kill_invalid_depend}; (4) tasks of an array become eligible one after the other, so that no more of them wait
 * or run than its limit; (5) the minutes of {@code after} count while the other job has not ended. Jobs without such
 * terms cost nothing until the first that has some.
 */
final class DependencyTracker implements StartConditions {
    private enum Verdict {
        ELIGIBLE,
        HELD,
        NEVER
    }

    private final SimView view;
    private final Workload workload;
    private final IntPredicate hasFailed;
    private final EventQueue begins;
    private final Map<Integer, Dependency.Conditions> conditions = new HashMap<>();
    /** By id of a job, an array or a task, the jobs that have not ended. */
    private final Map<String, IntAVLTreeSet> live = new HashMap<>();
    /** By user and group, the jobs that have not ended. */
    private final Map<String, IntAVLTreeSet> ofName = new HashMap<>();
    /** Ids of jobs, arrays and tasks that were killed at their limit or turned away. */
    private final Set<String> failed = new HashSet<>();
    /** By id of another job, of an array with a limit or by user and group, the held jobs that it may release. */
    private final Map<String, IntAVLTreeSet> watchers = new HashMap<>();
    /** By array with a limit, its tasks that wait or run. */
    private final Map<String, Integer> released = new HashMap<>();

    private final IntAVLTreeSet due = new IntAVLTreeSet();
    private int held;
    private boolean follows;

    DependencyTracker(SimView view, Workload workload, IntPredicate hasFailed) {
        this.view = view;
        this.workload = workload;
        this.hasFailed = hasFailed;
        begins = new EventQueue(workload.slots());
        for (int job = 0; job < workload.size(); job++) {
            parse(workload.job(job));
        }
        conditions.clear();
    }

    private static Dependency.@Nullable Conditions parse(JobSpec job) {
        String text = job.terms().dependency();
        return text == null || text.isBlank() ? null : Dependency.parse(job.name(), text);
    }

    @Override
    public int size() {
        return held;
    }

    @Override
    public boolean isTimed() {
        return !begins.isEmpty();
    }

    @Override
    public long nextNanos() {
        if (!due.isEmpty()) {
            due.removeIf(job -> verdict(job) == Verdict.HELD);
        }
        return !due.isEmpty() ? view.nowNanos() : begins.nextNanos();
    }

    @Override
    public boolean submit(int job) {
        SubmissionTerms terms = workload.job(job).terms();
        if (!follows && terms.isBoundToOthers()) {
            follows = true;
            for (int earlier = workload.slots().oldest(); earlier < job; earlier++) {
                follow(earlier);
            }
        }
        if (follows) {
            enter(job);
        }
        if (terms.delayNanos() == 0 && !terms.isBoundToOthers()) {
            return false;
        }
        Dependency.Conditions said = parse(workload.job(job));
        if (said != null) {
            conditions.put(job, said);
        }
        Verdict verdict = verdict(job);
        if (verdict == Verdict.ELIGIBLE) {
            conditions.remove(job);
            count(terms, 1);
            return false;
        }
        hold(job);
        return true;
    }

    /** Learns of a job that was submitted before jobs were followed. */
    private void follow(int job) {
        if (view.state(job) != JobState.DONE) {
            enter(job);
        } else if (!workload.slots().isForgotten(job) && hasFailed.test(job)) {
            fail(job);
        }
    }

    private void enter(int job) {
        JobSpec spec = workload.job(job);
        keys(spec, key -> live.computeIfAbsent(key, k -> new IntAVLTreeSet()).add(job));
        String name = name(spec);
        if (name != null) {
            ofName.computeIfAbsent(name, k -> new IntAVLTreeSet()).add(job);
        }
    }

    private void fail(int job) {
        keys(workload.job(job), failed::add);
    }

    private static void keys(JobSpec job, Consumer<String> use) {
        use.accept(job.name());
        SubmissionTerms.ArrayTask array = job.terms().array();
        if (array != null) {
            String task = array.job() + "_" + array.task();
            if (!task.equals(job.name())) {
                use.accept(task);
            }
            if (!array.job().equals(job.name())) {
                use.accept(array.job());
            }
        }
    }

    /** The user and group of a job, by which singletons go, or null. */
    private static @Nullable String name(JobSpec job) {
        return job.user() == null || job.group() == null ? null : "name " + job.user() + '\n' + job.group();
    }

    private static String slots(SubmissionTerms.ArrayTask array) {
        return "slots " + array.job();
    }

    private void hold(int job) {
        held++;
        JobSpec spec = workload.job(job);
        long begin = beginNanos(spec);
        if (begin > view.nowNanos()) {
            begins.schedule(begin, job);
        }
        watch(job, true);
        if (verdict(job) == Verdict.NEVER) {
            due.add(job);
        }
    }

    private void watch(int job, boolean begins) {
        JobSpec spec = workload.job(job);
        SubmissionTerms.ArrayTask array = spec.terms().array();
        if (array != null && array.atOnce() > 0) {
            watch(slots(array), job, begins);
        }
        Dependency.Conditions said = conditions.get(job);
        if (said == null) {
            return;
        }
        for (Dependency dependency : said.all()) {
            String key = dependency.kind() == Dependency.Kind.SINGLETON ? name(spec) : other(spec, dependency);
            if (key != null) {
                watch(key, job, begins);
            }
        }
    }

    private void watch(String key, int job, boolean begins) {
        IntAVLTreeSet jobs = watchers.computeIfAbsent(key, k -> new IntAVLTreeSet());
        if (begins) {
            jobs.add(job);
        } else {
            jobs.remove(job);
            if (jobs.isEmpty()) {
                watchers.remove(key);
            }
        }
    }

    private static long beginNanos(JobSpec job) {
        long delay = job.terms().delayNanos();
        return job.submitNanos() > Long.MAX_VALUE - delay ? Long.MAX_VALUE : job.submitNanos() + delay;
    }

    @Override
    public void started(int job) {
        if (follows) {
            keys(workload.job(job), this::touch);
        }
    }

    @Override
    public void ended(int job) {
        if (!follows) {
            return;
        }
        JobSpec spec = workload.job(job);
        if (hasFailed.test(job)) {
            fail(job);
        }
        keys(spec, key -> leave(live, key, job));
        count(spec.terms(), -1);
        keys(spec, this::touch);
        String name = name(spec);
        if (name != null) {
            leave(ofName, name, job);
            touch(name);
        }
    }

    private static void leave(Map<String, IntAVLTreeSet> sets, String key, int job) {
        IntAVLTreeSet jobs = sets.get(key);
        if (jobs != null) {
            jobs.remove(job);
            if (jobs.isEmpty()) {
                sets.remove(key);
            }
        }
    }

    private void count(SubmissionTerms terms, int more) {
        SubmissionTerms.ArrayTask array = terms.array();
        if (array == null || array.atOnce() == 0) {
            return;
        }
        int now = released.merge(array.job(), more, Integer::sum);
        if (now == 0) {
            released.remove(array.job());
        }
        if (more < 0) {
            fillSlots(slots(array), array.atOnce() - now);
        }
    }

    /** Finds the first held tasks of an array that may take its open slots. */
    private void fillSlots(String key, int open) {
        int left = open;
        IntSortedSet jobs = watchers.get(key);
        for (IntIterator all = jobs == null ? null : jobs.iterator(); all != null && all.hasNext() && left > 0; ) {
            int job = all.nextInt();
            if (verdict(job) == Verdict.ELIGIBLE) {
                due.add(job);
                left--;
            }
        }
    }

    private void touch(String key) {
        IntAVLTreeSet jobs = watchers.get(key);
        if (jobs != null) {
            due.addAll(jobs);
        }
    }

    @Override
    public int take() {
        while (!begins.isEmpty() && begins.time() <= view.nowNanos()) {
            due.add(begins.job());
            begins.pop();
        }
        due.removeIf(job -> verdict(job) == Verdict.HELD);
        return due.isEmpty() ? SimView.NONE : due.firstInt();
    }

    @Override
    public boolean isHopeless(int job) {
        return verdict(job) == Verdict.NEVER;
    }

    @Override
    public void release(int job) {
        held--;
        due.remove(job);
        begins.remove(job);
        watch(job, false);
        conditions.remove(job);
        count(workload.job(job).terms(), 1);
    }

    private Verdict verdict(int job) {
        JobSpec spec = workload.job(job);
        Verdict byOthers = byDependencies(spec);
        SubmissionTerms.ArrayTask array = spec.terms().array();
        boolean isFull = array != null && array.atOnce() > 0 && released.getOrDefault(array.job(), 0) >= array.atOnce();
        if (byOthers == Verdict.ELIGIBLE && (isFull || beginNanos(spec) > view.nowNanos())) {
            return Verdict.HELD;
        }
        return byOthers;
    }

    private Verdict byDependencies(JobSpec job) {
        Dependency.Conditions said = conditions.get(job.id());
        if (said == null) {
            return Verdict.ELIGIBLE;
        }
        int eligible = 0;
        int never = 0;
        for (Dependency dependency : said.all()) {
            Verdict verdict = of(job, dependency);
            eligible += verdict == Verdict.ELIGIBLE ? 1 : 0;
            never += verdict == Verdict.NEVER ? 1 : 0;
        }
        int all = said.all().size();
        if (said.any()) {
            return eligible > 0 ? Verdict.ELIGIBLE : never == all ? Verdict.NEVER : Verdict.HELD;
        }
        return never > 0 ? Verdict.NEVER : eligible == all ? Verdict.ELIGIBLE : Verdict.HELD;
    }

    private static String other(JobSpec job, Dependency dependency) {
        SubmissionTerms.ArrayTask array = job.terms().array();
        return dependency.kind() == Dependency.Kind.AFTERCORR && array != null
                ? dependency.on() + "_" + array.task()
                : dependency.on();
    }

    private Verdict of(JobSpec job, Dependency dependency) {
        if (dependency.kind() == Dependency.Kind.SINGLETON) {
            String name = name(job);
            IntAVLTreeSet same = name == null ? null : ofName.get(name);
            return same == null || same.firstInt() >= job.id() ? Verdict.ELIGIBLE : Verdict.HELD;
        }
        String other = other(job, dependency);
        IntAVLTreeSet jobs = live.get(other);
        if (jobs != null && (jobs.size() > 1 || jobs.firstInt() != job.id())) {
            return dependency.kind() == Dependency.Kind.AFTER
                    ? sinceStart(jobs, dependency.delayNanos(), job.id())
                    : Verdict.HELD;
        }
        return switch (dependency.kind()) {
            case AFTER, AFTERANY, SINGLETON -> Verdict.ELIGIBLE;
            case AFTEROK, AFTERCORR -> failed.contains(other) ? Verdict.NEVER : Verdict.ELIGIBLE;
            case AFTERNOTOK -> failed.contains(other) ? Verdict.ELIGIBLE : Verdict.NEVER;
        };
    }

    private Verdict sinceStart(IntAVLTreeSet others, long delayNanos, int job) {
        long latest = 0;
        for (int other : others) {
            long start = view.firstStartNanos(other);
            if (start < 0) {
                return Verdict.HELD;
            }
            latest = Math.max(latest, start);
        }
        if (latest + delayNanos <= view.nowNanos()) {
            return Verdict.ELIGIBLE;
        }
        begins.schedule(Math.max(beginNanos(workload.job(job)), latest + delayNanos), job);
        return Verdict.HELD;
    }

    @Override
    public void load() {
        for (int job = 0; job < view.arrived(); job++) {
            follows |= workload.job(job).terms().isBoundToOthers();
        }
        for (int job = 0; job < view.arrived(); job++) {
            if (follows) {
                follow(job);
            }
            SubmissionTerms terms = workload.job(job).terms();
            if (view.state(job) == JobState.WAITING || view.state(job) == JobState.RUNNING || isRequeued(job)) {
                count(terms, 1);
            }
        }
        for (int job = 0; job < view.arrived(); job++) {
            if (view.state(job) == JobState.HELD && !isRequeued(job)) {
                Dependency.Conditions said = parse(workload.job(job));
                if (said != null) {
                    conditions.put(job, said);
                }
                hold(job);
                if (verdict(job) != Verdict.HELD) {
                    due.add(job);
                }
            }
        }
    }

    /** Whether a held job was preempted and does not wait again yet. */
    private boolean isRequeued(int job) {
        return view.state(job) == JobState.HELD && view.firstStartNanos(job) >= 0;
    }
}
