package org.trainyard.agents.heuristic.slurm;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.Association;
import org.trainyard.agents.heuristic.slurm.configuration.Qos;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;
import org.trainyard.env.workload.Segments;

/** A job as the controller of Slurm holds it: its request, and its present place. */
public final class SlurmJob {
    /**
     * Request of a job.
     *
     * @param id its number; of a task the number of its array
     * @param task its number in the array; -1 for none
     * @param partitions the partitions that it may run in
     * @param limitSeconds the time after which it is killed; -1 for none
     * @param nice amount that its user takes off its priority
     * @param exclusive whether it shares no node
     * @param reservation the reservation that it runs in
     * @param licenses number of each licence that it holds while it runs
     * @param memoryMib memory on each node, of those that count it
     * @param billed usage in a second as its log says, rounded down; 0 where that is not known
     * @param featured nodes with the features that it asks for; null for any
     * @param typed nodes with GPUs of the types that it asks for; null for any
     * @param segments groups in which its nodes are to lie together
     */
    public record Request(
            long id,
            int task,
            String user,
            List<SlurmPartition> partitions,
            Qos qos,
            int nodes,
            int gpusPerNode,
            int cpusPerNode,
            long limitSeconds,
            int nice,
            boolean exclusive,
            @Nullable String reservation,
            Map<String, Integer> licenses,
            long memoryMib,
            long billed,
            @Nullable BitSet featured,
            @Nullable BitSet typed,
            @Nullable Segments segments) {
        public Request {
            licenses = Map.copyOf(licenses);
            partitions = List.copyOf(partitions);
            if (partitions.isEmpty() || nodes < 1 || gpusPerNode < 0 || cpusPerNode < 0 || gpusPerNode > 64) {
                throw new IllegalArgumentException(
                        "job %d: partitions (%d), nodes (%d), GPUs (%d) or CPUs (%d) per node"
                                .formatted(id, partitions.size(), nodes, gpusPerNode, cpusPerNode));
            }
        }
    }

    /** Where a job is. */
    public enum State {
        PENDING,
        RUNNING,
        ENDED
    }

    private final Request request;
    final Association association;
    /** The account that it names, whether or not a table has it. */
    final String account;

    final @Nullable SlurmArray array;
    /** The limit that its user asked for, by which it may start or not; -1 for none. */
    long askedSeconds;

    State state = State.PENDING;
    /** The order in which the controller made its record. */
    int serial;
    /** Whether a task has left the place that it shared with the rest of its array. */
    boolean split;
    /** Whether the last start of the task made it leave the place of its array. */
    boolean splitByStart;

    long submitSecond;
    long beginSecond;
    /** The second from which its age counts; -1 while it does not. */
    long accrueSecond;

    boolean held;
    int unmetDependencies;
    /** Priorities of the job in its partitions. */
    private long[] priorities = {};

    /** Limits of the job in the partition that was asked for last. */
    AccountingLimits.@Nullable Bounds bounds;

    /** The partitions in which it can never start, by their places in its request. */
    BitSet never = new BitSet();
    /** The second at which it preempted others and waits for their nodes; 0 for none. */
    long preemptedSecond;
    /** The cycle in which it last preempted. */
    long preemptedCycle = -1;
    /** How many nodes a preemption would gain from it; only a key of a sort. */
    int usableNodes;

    SlurmPartition partition;
    long startSecond;
    long endSecond;
    int[] nodes = {};
    long[] gpus = {};
    /** Second up to which usage has been counted. */
    long countedSecond;

    SlurmJob(
            Request request,
            Association association,
            @Nullable String account,
            @Nullable SlurmArray array,
            long submitSecond) {
        this.request = request;
        this.association = association;
        this.account = account == null || account.isEmpty() ? association.account() : account;
        this.array = array;
        this.submitSecond = submitSecond;
        askedSeconds = request.limitSeconds;
        beginSecond = submitSecond;
        accrueSecond = submitSecond;
        partition = request.partitions.get(0);
    }

    public Request request() {
        return request;
    }

    public State state() {
        return state;
    }

    /** Priority of the job in its first partition. */
    public long priority() {
        return priority(0);
    }

    /** Priority of the job in a partition, by the partition's place in the request. */
    long priority(int index) {
        return priorities.length == 0 ? 0 : priorities[Math.min(index, priorities.length - 1)];
    }

    /** Sets its priorities in its partitions, or in all of them. */
    void prioritise(long... each) {
        priorities = each;
    }

    /** Nodes of the running job, by index. */
    public int[] nodesHeld() {
        return nodes.clone();
    }

    /** Nodes of the running job, as a set. */
    public BitSet nodeSet() {
        BitSet set = new BitSet();
        for (int node : nodes) {
            set.set(node);
        }
        return set;
    }

    /** GPUs of the job on each of {@link #nodesHeld}, as bits of their indices. */
    public long[] gpusHeld() {
        return gpus.clone();
    }

    public long startSecond() {
        return startSecond;
    }

    /** The partition that it runs in, or is planned for. */
    public SlurmPartition partition() {
        return partition;
    }

    /** The second from which it may start. */
    public long beginSecond() {
        return beginSecond;
    }

    /** The second of its submission, or at which it was requeued. */
    public long submitSecond() {
        return submitSecond;
    }

    /** The second from which its age counts; -1 while it does not. */
    public long accrueSecond() {
        return accrueSecond;
    }

    int nodes() {
        return request.nodes;
    }

    int gpus() {
        return request.nodes * request.gpusPerNode;
    }

    int cpus() {
        return request.nodes * request.cpusPerNode;
    }

    /** Amount that usage grows by in a second. */
    double billing() {
        return partition.billing().of(request.nodes, cpus(), request.nodes * request.memoryMib, gpus(), request.billed);
    }

    /** Whether it is one of the tasks that share a place in the queue. */
    public boolean sharesPlace() {
        return array != null && !split;
    }

    /** Time limit of the job in a partition, seconds; a year for none. */
    long limitSeconds(SlurmPartition in) {
        long limit = request.limitSeconds;
        if (limit < 0) {
            limit = in.defaultSeconds() >= 0 ? in.defaultSeconds() : in.maxSeconds();
        }
        if (limit < 0) {
            return 365L * 86_400;
        }
        return in.maxSeconds() < 0 ? limit : Math.min(limit, in.maxSeconds());
    }

    /** Whether it may start at a second, limits and arrays aside. */
    boolean runnable(long second) {
        return state == State.PENDING && !held && unmetDependencies == 0 && beginSecond <= second;
    }

    @Override
    public String toString() {
        return request.task < 0 ? Long.toString(request.id) : request.id + "_" + request.task;
    }
}
