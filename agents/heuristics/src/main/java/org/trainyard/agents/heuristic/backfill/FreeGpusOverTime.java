package org.trainyard.agents.heuristic.backfill;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.JournalCursor;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;

/**
 * The free GPUs of every server from now on: running jobs give theirs back when they are expected to end.
 *
 * <p>A job that may run on any GPUs needs no servers of its own: that enough GPUs are free is enough.
 *
 * <p>Simplifications: (1) GPUs of a server are alike, and only their number counts; (2) a job that has outlived its
 * estimate is expected to run twice as long, then four times and so on; (3) GPUs of which jobs hold parts become free
 * together, when the last of these jobs on the server ends; (4) GPUs that are out of order stay so; (5) host CPU and
 * memory are not looked at. Kept up to date from the journal: O(log running + servers of the job) for each start and
 * end.
 */
final class FreeGpusOverTime {
    /** GPUs of a running job on one server. */
    private record Hold(int job, long endNanos, int gpus) {}

    /** A running job: when it started, was to end at first, and is expected to end. */
    private record Run(long startNanos, long firstEndNanos, long endNanos, Placement placement, boolean isWhole) {
        int released() {
            return isWhole ? placement.gpuCount() : 0;
        }
    }

    private final RunTimeEstimate estimate;
    private final JournalCursor journal = new JournalCursor();
    private final Map<Integer, Run> runs = new HashMap<>();
    /** Expected ends with the jobs that end then. */
    private final TreeMap<Long, List<Integer>> ends = new TreeMap<>();

    private final ExpectedEnds releases = new ExpectedEnds();
    /** By server, what its running jobs hold. */
    private List<List<Hold>> holds = new ArrayList<>();

    private final FreeCount ofCluster = new FreeCount();
    /** Whether {@link #ofCluster} is of the last update; what it begins with. */
    private boolean isCounted;
    /** By server, its free GPUs, and the update of which they are. */
    private @Nullable FreeCount[] ofServers = new FreeCount[0];

    private long[] countedIn = new long[0];
    private long updates;
    private long nowNanos;
    private int freeNow;

    FreeGpusOverTime(RunTimeEstimate estimate) {
        this.estimate = estimate;
    }

    /** Reads what has happened since the last call. */
    void update(SimView view) {
        if (journal.advance(view)) {
            begin(view);
        }
        for (int entry = journal.first(); entry < journal.end(); entry++) {
            EventKind kind = view.journalKind(entry);
            if (!kind.isOfJob() || kind.changesRateOnly() || kind == EventKind.ARRIVE || kind == EventKind.FORWARD) {
                continue;
            }
            int job = view.journalJob(entry);
            remove(job);
            if (isRunning(view, job)) {
                add(view, job);
            }
        }
        while (!ends.isEmpty() && ends.firstKey() <= view.nowNanos()) {
            prolong(view.nowNanos(), ends.firstEntry().getValue().get(0));
        }
        isCounted = false;
        updates++;
        nowNanos = view.nowNanos();
        freeNow = view.cluster().free();
    }

    private static boolean isRunning(SimView view, int job) {
        return view.state(job) == JobState.RUNNING;
    }

    /** Reads all running jobs. Who runs since the same start keeps its expected end, which is of that start. */
    private void begin(SimView view) {
        Map<Integer, Run> before = new HashMap<>(runs);
        runs.clear();
        ends.clear();
        releases.clear();
        holds = lists(view.topology().servers());
        ofServers = new FreeCount[holds.size()];
        countedIn = new long[holds.size()];
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            Run old = before.get(job);
            if (old != null && old.startNanos == view.startedNanos(job)) {
                put(job, new Run(old.startNanos, old.firstEndNanos, old.endNanos, view.placement(job), old.isWhole));
            } else {
                add(view, job);
            }
        }
    }

    private static <T> List<List<T>> lists(int servers) {
        List<List<T>> lists = new ArrayList<>(servers);
        for (int server = 0; server < servers; server++) {
            lists.add(new ArrayList<>(4));
        }
        return lists;
    }

    private void add(SimView view, int job) {
        long start = view.startedNanos(job);
        long end = view.nowNanos() == start
                ? start + estimate.nanos(view, job)
                : Math.min(view.limitEndNanos(job), view.nowNanos() + estimate.nanos(view, job));
        Demand demand = view.job(job).demand();
        put(job, new Run(start, end, end, view.placement(job), demand.gpus() > 0 && demand.gpuMilli() == Demand.WHOLE));
    }

    private void put(int job, Run run) {
        runs.put(job, run);
        ends.computeIfAbsent(run.endNanos, key -> new ArrayList<>(2)).add(job);
        releases.add(run.endNanos, run.released());
        for (int i = 0; i < run.placement.serverCount(); i++) {
            int gpus = run.isWhole ? run.placement.gpusOn(i) : 0;
            holds.get(run.placement.server(i)).add(new Hold(job, run.endNanos, gpus));
        }
    }

    private @Nullable Run remove(int job) {
        Run run = runs.remove(job);
        if (run == null) {
            return null;
        }
        releases.remove(run.endNanos, run.released());
        List<Integer> then = ends.get(run.endNanos);
        if (then != null) {
            then.remove((Integer) job);
            if (then.isEmpty()) {
                ends.remove(run.endNanos);
            }
        }
        for (int i = 0; i < run.placement.serverCount(); i++) {
            holds.get(run.placement.server(i)).removeIf(hold -> hold.job == job);
        }
        return run;
    }

    private void prolong(long nowNanos, int job) {
        Run run = remove(job);
        if (run == null) {
            throw new IllegalStateException("job (%d) ends and does not run".formatted(job));
        }
        long length = Math.max(1, run.firstEndNanos - run.startNanos);
        long elapsed = nowNanos - run.startNanos;
        while (length <= elapsed) {
            length = 2 * length;
        }
        put(job, new Run(run.startNanos, run.firstEndNanos, run.startNanos + length, run.placement, run.isWhole));
    }

    int servers() {
        return holds.size();
    }

    /** The free GPUs of the whole cluster. O(running) when it is first asked after an update, which most are never. */
    FreeCount ofCluster() {
        if (!isCounted) {
            isCounted = true;
            ofCluster.begin(nowNanos, freeNow);
            releases.appendTo(ofCluster);
        }
        return ofCluster;
    }

    /** The free GPUs of a server. O(square of its jobs) when it is first asked for after an update. */
    FreeCount ofServer(SimView view, int server) {
        FreeCount count = ofServers[server];
        if (count == null) {
            count = new FreeCount();
            ofServers[server] = count;
        }
        if (countedIn[server] != updates) {
            countedIn[server] = updates;
            count(view, server, count);
        }
        return count;
    }

    private void count(SimView view, int server, FreeCount count) {
        count.begin(nowNanos, view.cluster().freeOn(server));
        long parts = 0;
        for (Hold hold : holds.get(server)) {
            count.add(hold.endNanos, Long.MAX_VALUE, hold.gpus);
            parts = hold.gpus == 0 ? Math.max(parts, hold.endNanos) : parts;
        }
        if (view.cluster().isShared() && parts > 0) {
            count.add(parts, Long.MAX_VALUE, shared(view, server));
        }
    }

    /** GPUs of a server of which jobs hold parts. */
    private static int shared(SimView view, int server) {
        int shared = 0;
        int first = view.topology().firstGpu(server);
        for (int gpu = first; gpu < first + view.topology().gpusOn(server); gpu++) {
            shared += view.cluster().owner(gpu) == Cluster.SHARED ? 1 : 0;
        }
        return shared;
    }

    /**
     * The instants at which running jobs are expected to end, in their order, with what then becomes free, in arrays.
     */
    private static final class ExpectedEnds {
        private long[] at = new long[64];
        private int[] gpus = new int[64];
        private int[] jobs = new int[64];
        private int size;

        void clear() {
            size = 0;
        }

        /** Adds a job that ends at an instant and gives back so many GPUs. O(log instants), and moves those behind. */
        void add(long atNanos, int more) {
            int found = Arrays.binarySearch(at, 0, size, atNanos);
            int place = found >= 0 ? found : -found - 1;
            if (found < 0) {
                if (size == at.length) {
                    at = Arrays.copyOf(at, 2 * size);
                    gpus = Arrays.copyOf(gpus, 2 * size);
                    jobs = Arrays.copyOf(jobs, 2 * size);
                }
                move(place, place + 1);
                size++;
                at[place] = atNanos;
                gpus[place] = 0;
                jobs[place] = 0;
            }
            gpus[place] += more;
            jobs[place]++;
        }

        /** Removes a job that was added so. */
        void remove(long atNanos, int less) {
            int place = Arrays.binarySearch(at, 0, size, atNanos);
            gpus[place] -= less;
            if (--jobs[place] == 0) {
                move(place + 1, place);
                size--;
            }
        }

        private void move(int from, int to) {
            System.arraycopy(at, from, at, to, size - from);
            System.arraycopy(gpus, from, gpus, to, size - from);
            System.arraycopy(jobs, from, jobs, to, size - from);
        }

        /** Appends all to a count of free GPUs. O(instants). */
        void appendTo(FreeCount count) {
            for (int i = 0; i < size; i++) {
                count.append(at[i], gpus[i]);
            }
        }
    }
}
