package org.trainyard.experiments.twin;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.SlurmArray;
import org.trainyard.agents.heuristic.slurm.SlurmJob;
import org.trainyard.agents.heuristic.slurm.SlurmState;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmReservation;

/** The jobs of a recording in a state of the scheduler: who is who, who waits for whom. */
final class TwinState {
    final SlurmCluster cluster;
    final SlurmState state;
    private final RecordedJobs recorded;
    private final Map<String, SlurmJob> jobs = new HashMap<>();
    /** The tasks of each array. */
    private final Map<String, List<SlurmJob>> arrays = new HashMap<>();

    private final Map<SlurmJob, String> names = new HashMap<>();
    private final Map<Long, List<SlurmJob>> waiting = new HashMap<>();
    private final Set<Long> ended = new HashSet<>();
    /** By features or the types of GPUs that jobs ask for. */
    private final Map<Object, BitSet> wishes = new HashMap<>();

    TwinState(SlurmCluster cluster, RecordedJobs recorded) {
        this.cluster = cluster;
        this.recorded = recorded;
        state = new SlurmState(cluster);
    }

    /** Why the configuration never starts a job; null where it does, or the recording does not know it. */
    @Nullable String refusal(long number) {
        TwinJob job = recorded.jobs().get(number);
        return job == null ? null : state.refusal(request(job, -1), job.account());
    }

    /** Submits a job, or all tasks of an array; empty when the recording does not know it. */
    List<SlurmJob> submit(long number, long second) {
        TwinJob job = recorded.jobs().get(number);
        if (job == null) {
            return List.of();
        }
        SlurmArray array = job.tasks().isEmpty() ? null : new SlurmArray(job.atOnce());
        List<SlurmJob> made = new ArrayList<>();
        for (int task : array == null ? List.of(-1) : job.tasks()) {
            SlurmJob each = state.submit(request(job, task), job.account(), array, second);
            String name = array == null ? Long.toString(number) : number + "_" + task;
            jobs.put(name, each);
            names.put(each, name);
            made.add(each);
            int unmet = 0;
            for (Long other : job.after()) {
                if (!ended.contains(other)) {
                    waiting.computeIfAbsent(other, any -> new ArrayList<>()).add(each);
                    unmet++;
                }
            }
            state.waitFor(each, unmet);
            if (job.eligibleSecond() > second + 1) {
                state.beginAt(each, job.eligibleSecond());
            }
        }
        if (array != null) {
            arrays.put(Long.toString(number), made);
        }
        return made;
    }

    private SlurmJob.Request request(TwinJob job, int task) {
        List<SlurmPartition> partitions = new ArrayList<>();
        for (String name : job.partition().split(",", -1)) {
            partitions.add(cluster.partition(name));
        }
        return new SlurmJob.Request(
                job.id(),
                task,
                job.user(),
                partitions,
                cluster.qos(job.qos()),
                job.nodes(),
                job.gpusPerNode(),
                job.cpusPerNode(),
                job.limitSeconds(),
                job.terms().nice(),
                job.terms().exclusive(),
                job.reservation(),
                job.licenses(),
                job.terms().memoryMib(),
                0,
                job.terms().features().isEmpty()
                        ? null
                        : nodes(
                                job.terms().features(),
                                SlurmCluster.Node::features,
                                node -> node.has(job.terms().features())),
                job.terms().gpuTypes().isEmpty()
                        ? null
                        : cluster.nodesWith(job.terms().gpuTypes()),
                job.terms().segments());
    }

    /** The nodes that meet a wish; null where the configuration says of no node what is wished for. */
    private @Nullable BitSet nodes(
            Object wish, Function<SlurmCluster.Node, Set<String>> said, Predicate<SlurmCluster.Node> isMet) {
        if (cluster.nodes().stream().allMatch(node -> said.apply(node).isEmpty())) {
            return null;
        }
        return wishes.computeIfAbsent(wish, any -> {
            BitSet met = new BitSet();
            for (int node = 0; node < cluster.nodes().size(); node++) {
                met.set(node, isMet.test(cluster.nodes().get(node)));
            }
            return met;
        });
    }

    /** The job of a name of the log, or null. */
    @Nullable SlurmJob job(String name) {
        return jobs.get(name);
    }

    /** All jobs that a name of the log stands for, the tasks of an array among them. */
    List<SlurmJob> named(String name) {
        SlurmJob one = jobs.get(name);
        if (one != null) {
            return List.of(one);
        }
        return arrays.getOrDefault(name.replace("_*", ""), List.of());
    }

    String name(SlurmJob job) {
        return Objects.requireNonNull(names.get(job));
    }

    /** Ends a job; jobs that waited for it need not when it ended well. */
    void end(SlurmJob job, boolean well) {
        state.end(job);
        long number = job.request().id();
        if (well && ended.add(number)) {
            for (SlurmJob other : waiting.getOrDefault(number, List.of())) {
                state.met(other);
            }
        }
    }

    /** The nodes of these names. */
    BitSet nodes(List<String> names) {
        BitSet nodes = new BitSet();
        for (String name : names) {
            int node = cluster.node(name);
            if (node >= 0) {
                nodes.set(node);
            }
        }
        return nodes;
    }

    /** The reservation that a line of the log made. */
    SlurmReservation reservation(LogEvent event) {
        List<String> users = ControllerLog.users(event);
        return new SlurmReservation(
                event.job(),
                nodes(event.names().subList(0, event.names().size() - 1)),
                event.number(),
                event.other(),
                Set.copyOf(users),
                users.contains("root"));
    }
}
