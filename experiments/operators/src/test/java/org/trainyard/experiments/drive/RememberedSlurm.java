package org.trainyard.experiments.drive;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;
import org.trainyard.experiments.slurm.UnansweredException;

/**
 * A Slurm in memory that does what it is told and starts nothing by itself, with jobs of one partition and times by
 * hand.
 */
final class RememberedSlurm implements DrivenCluster {
    /** A job, one of four GPUs a node where it asks for more. */
    static final class Job {
        final String id;
        final int gpus;
        LiveJob.Stage stage = LiveJob.Stage.PENDING;
        String reason = "Priority";
        String special = "";
        String user = "ann";
        long priority;
        long submit;
        long eligible;
        long start;
        long end;
        long limit;
        int restarts;
        String required = "";
        Map<String, Integer> held = Map.of();
        LiveJob.Needs needs = LiveJob.Needs.NONE;

        private Job(String id, int gpus) {
            this.id = id;
            this.gpus = gpus;
            priority = 1000 - Integer.parseInt(id);
        }

        private LiveJob seen() {
            int nodes = (gpus + 3) / 4;
            return new LiveJob(
                    id, stage, reason, user, "lab", "p", "normal", gpus, nodes, nodes, held, priority, submit, eligible,
                    start, end, limit, restarts, required, needs, special);
        }
    }

    final Map<String, Job> jobs = new LinkedHashMap<>();
    final Map<String, LiveSnapshot.Node> nodes = new TreeMap<>();
    /** Words of an order, with what is said to it in place of doing it. */
    final Map<String, RuntimeException> refusals = new TreeMap<>();

    private final List<String> told = new ArrayList<>();
    private final LongSupplier seconds;
    int looks;
    long startedMillis;
    boolean isSilent;

    /** @param seconds since 1970 */
    RememberedSlurm(LongSupplier seconds) {
        this.seconds = seconds;
        for (String name : List.of("n1", "n2", "n3")) {
            node(name, false, 0);
        }
    }

    void node(String name, boolean isOut, int used) {
        nodes.put(
                name, new LiveSnapshot.Node(name, 4, "a100", isOut, used, 16, LiveSnapshot.Node.UNKNOWN, Set.of("p")));
    }

    Job waits(int id, int gpus) {
        Job job = new Job(Integer.toString(id), gpus);
        job.submit = seconds.getAsLong();
        job.eligible = job.submit;
        jobs.put(job.id, job);
        return job;
    }

    /** A job starts now, with as many GPUs on each of the nodes. */
    Job runs(int id, String... on) {
        Job job = job(id);
        job.stage = LiveJob.Stage.RUNNING;
        job.start = seconds.getAsLong();
        job.held = new TreeMap<>();
        for (String node : on) {
            job.held.put(node, job.gpus / on.length);
        }
        return job;
    }

    /** A running job ends now. */
    void ended(int id) {
        Job job = job(id);
        job.stage = LiveJob.Stage.ENDED;
        job.end = seconds.getAsLong();
    }

    /** A job waits anew. */
    Job waitsAgain(int id) {
        Job job = job(id);
        job.stage = LiveJob.Stage.PENDING;
        job.held = Map.of();
        job.restarts++;
        return job;
    }

    Job job(int id) {
        return jobs.get(Integer.toString(id));
    }

    /** What it was told since the last question. */
    List<String> told() {
        List<String> since = List.copyOf(told);
        told.clear();
        return since;
    }

    private void tell(String words) {
        told.add(words);
        RuntimeException refusal = refusals.get(words);
        if (refusal != null) {
            throw refusal;
        }
    }

    private static String ids(List<LiveJob> of) {
        return of.stream().map(LiveJob::id).collect(Collectors.joining(" "));
    }

    @Override
    public String name() {
        return "Slurm";
    }

    @Override
    public void requireRights(DriveLevel level) {
        tell("rights for " + level);
    }

    @Override
    public void requireKnown(DriveSettings settings, LiveSnapshot seen) {
        // Anything may be named.
    }

    @Override
    public LiveSnapshot look() {
        looks++;
        if (isSilent) {
            throw new UnansweredException("Slurm", List.of("squeue", "--json"), "it is down");
        }
        Map<String, LiveJob> seen = new LinkedHashMap<>();
        jobs.values().forEach(job -> seen.put(job.id, job.seen()));
        return new LiveSnapshot(seen, new TreeMap<>(nodes));
    }

    @Override
    public long startedMillis() {
        return startedMillis;
    }

    @Override
    public void postpone(List<LiveJob> of, int wait) {
        tell("wait %s for %d s".formatted(ids(of), wait));
        begin(of, wait);
    }

    private void begin(List<LiveJob> of, int wait) {
        for (LiveJob one : of) {
            Job job = jobs.get(one.id());
            job.eligible = seconds.getAsLong() + wait;
            job.required = "";
        }
    }

    @Override
    public void release(List<LiveJob> of) {
        tell("release " + ids(of));
        of.forEach(one -> jobs.get(one.id()).priority = 1000 - Integer.parseInt(one.id()));
    }

    @Override
    public void start(LiveJob of, long priority, List<ServerGpus> placement) {
        String on =
                placement.stream().map(one -> " " + one.server() + one.gpus()).collect(Collectors.joining());
        tell("start %s by %d%s".formatted(of.id(), priority, on));
        Job job = jobs.get(of.id());
        job.eligible = seconds.getAsLong();
        job.priority = priority;
        job.required = placement.stream().map(ServerGpus::server).collect(Collectors.joining(","));
    }

    @Override
    public boolean hasMissed(LiveJob job) {
        return job.eligible() > seconds.getAsLong() + 15;
    }

    @Override
    public void requeue(LiveJob job) {
        tell("requeue " + job.id());
    }

    @Override
    public boolean startsByItself() {
        return true;
    }

    @Override
    public void giveBack(List<LiveJob> of) {
        tell("give back " + ids(of));
        begin(of, 0);
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
