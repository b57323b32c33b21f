package org.trainyard.agents.heuristic.slurm;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;

/**
 * When and where a job fits as running jobs end at their limits: they are taken away in order of their ends, in groups
 * whose windows double from 30 s, and the job starts at the end of the last one taken.
 */
final class BackfillPlan {
    private static final long FIRST_WINDOW = 30;
    /** A group of more jobs goes on as a new one, which is seen only where nothing follows it. */
    private static final int MOST_OF_GROUP = 202;
    /** Jobs that are looked at one by one, at least, before the nodes say which jobs they have. */
    private static final int NEAR = 16;

    /** Key of the nodes on which a job fits: its size, and its partition where that has MaxCPUsPerNode, else -1. */
    private record Size(
            int gpus,
            int cpus,
            long memoryMib,
            boolean alone,
            int cappedPartition,
            @Nullable BitSet featured,
            @Nullable BitSet typed) {}

    private final SlurmState state;
    private final long now;
    private final FreeNodes free;
    private final SlurmJob[] running;
    private final Map<Size, ReleaseOrder> orders = new HashMap<>();
    /** The running jobs of each node, by their ends, from {@link #firstOn} of the node to that of the next. */
    private int[] jobsOn = {};

    private int[] gpusOn = {};
    private int[] firstOn = {};
    private @Nullable BitSet chosen;
    /** Choice of the nodes, where they have not been asked for yet. */
    private @Nullable Supplier<@Nullable BitSet> choice;

    BackfillPlan(SlurmState state, long now) {
        this.state = state;
        this.now = now;
        free = state.free;
        running = state.running.all();
    }

    /** A plan that begins when jobs have given way. */
    private BackfillPlan(SlurmState state, long now, List<SlurmJob> giveWay) {
        this.state = state;
        this.now = now;
        Set<SlurmJob> gone = new HashSet<>(giveWay);
        running = state.running.stream().filter(job -> !gone.contains(job)).toArray(SlurmJob[]::new);
        free = state.free.copy();
        for (SlurmJob job : giveWay) {
            free.change(job, 1);
        }
    }

    /** The nodes of the last question that was answered with yes or a time. */
    BitSet chosen() {
        if (chosen == null && choice != null) {
            chosen = choice.get();
        }
        if (chosen == null) {
            throw new IllegalStateException("no nodes are chosen");
        }
        return chosen;
    }

    /** Whether a job fits on the free GPUs and CPUs. */
    boolean fitsNow(SlurmJob job, SlurmPartition in, BitSet among) {
        chosen = free.choose(job, in, among);
        return chosen != null;
    }

    /** Whether a job fits when the others give way. */
    boolean fitsWithout(SlurmJob job, SlurmPartition in, BitSet among, List<SlurmJob> others) {
        FreeNodes nodes = free.copy();
        for (SlurmJob other : others) {
            nodes.change(other, 1);
        }
        chosen = nodes.choose(job, in, among);
        return chosen != null;
    }

    /** The second at which it fits after ends of running jobs, when jobs give way; -1 when it never does. */
    long afterEnds(SlurmJob job, SlurmPartition in, BitSet among, List<SlurmJob> giveWay) {
        if (!giveWay.isEmpty()) {
            BackfillPlan without = new BackfillPlan(state, now, giveWay);
            long second = without.afterEnds(job, in, among);
            chosen = second < 0 ? null : without.chosen();
            return second;
        }
        return afterEnds(job, in, among);
    }

    private long afterEnds(SlurmJob job, SlurmPartition in, BitSet among) {
        long[] nodes = among.toLongArray();
        ReleaseOrder order = order(job.request(), in.index());
        int enough = order.endWith(nodes, job.nodes());
        int first = enough == ReleaseOrder.NEVER ? -1 : nextTouching(among, 0);
        if (first < 0) {
            return -1;
        }
        long barrier = FIRST_WINDOW * (Math.floorDiv(running[first].endSecond, FIRST_WINDOW) + 1);
        long window = FIRST_WINDOW;
        int before = previousTouching(among, enough);
        if (before >= 0) {
            // The groups before end at this job or an earlier one, and none of them is enough.
            window = widen(window, running[before + 1].endSecond - barrier, false);
        }
        int last = nextTouching(among, endingBy(barrier + window) - 1);
        if (last < 0) {
            last = lastOfRest(among, barrier, window);
        }
        while (last >= 0 && free.isBound(job) && choose(job, order, nodes, last) == null) {
            last = nextTouching(among, last + 1);
        }
        if (last < 0) {
            return -1;
        }
        int ended = last;
        choice = () -> choose(job, order, nodes, ended);
        chosen = null;
        long end = running[last].endSecond;
        return end > now ? end : Math.max(end + state.cluster().killWait(), now + 1);
    }

    /** The nodes of a job once the running ones up to one have ended. */
    private @Nullable BitSet choose(SlurmJob job, ReleaseOrder order, long[] nodes, int last) {
        BitSet usable = order.usable(nodes, last);
        return state.cluster().parameters().busyNodes() && !free.isBound(job)
                ? free.chooseBusy(usable, job.nodes(), state.free.idle())
                : free.chooseOf(job, usable, cpusAfter(job, last));
    }

    /** The free CPUs of each node once the running jobs up to one have ended, of which only jobs without GPUs ask. */
    private int[] cpusAfter(SlurmJob job, int last) {
        if (job.request().gpusPerNode() > 0) {
            return free.cpus;
        }
        int[] cpus = free.cpus.clone();
        for (int i = 0; i <= last; i++) {
            for (int node : running[i].nodes) {
                cpus[node] += free.cpusOf(running[i], node);
            }
        }
        return cpus;
    }

    /** The last job of a group that nothing follows; -1 where that group is full, so that what follows it is empty. */
    private int lastOfRest(BitSet among, long barrier, long lastWindow) {
        int last = previousTouching(among, running.length);
        int count = touching(among, 0, last);
        if (count < MOST_OF_GROUP) {
            return last;
        }
        int from = 0;
        for (long window = FIRST_WINDOW; window < lastWindow; ) {
            int end = nextTouching(among, Math.max(from, endingBy(barrier + window) - 1));
            from = end + 1;
            window = widen(window, running[from].endSecond - barrier, true);
        }
        return touching(among, from, last) % MOST_OF_GROUP == 0 ? -1 : last;
    }

    /** The running jobs that end at or before a second. */
    private int endingBy(long second) {
        int low = 0;
        int high = running.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (running[middle].endSecond > second) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private static int near(BitSet nodes) {
        return Math.max(NEAR, 2 * nodes.cardinality());
    }

    /** The first job from one on that touches nodes, or -1. */
    private int nextTouching(BitSet nodes, int from) {
        int near = Math.min(running.length, from + near(nodes));
        for (int i = from; i < near; i++) {
            if (Preemption.touches(running[i], nodes)) {
                return i;
            }
        }
        int next = running.length;
        if (near == next) {
            return -1;
        }
        for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
            int slot = firstOn[node];
            while (slot < firstOn[node + 1] && jobsOn[slot] < near) {
                slot++;
            }
            next = slot < firstOn[node + 1] ? Math.min(next, jobsOn[slot]) : next;
        }
        return next == running.length ? -1 : next;
    }

    /** The last job before one that touches nodes, or -1. */
    private int previousTouching(BitSet nodes, int before) {
        int near = Math.max(0, before - near(nodes));
        for (int i = before - 1; i >= near; i--) {
            if (Preemption.touches(running[i], nodes)) {
                return i;
            }
        }
        int previous = -1;
        if (near == 0) {
            return previous;
        }
        for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
            int slot = firstOn[node + 1] - 1;
            while (slot >= firstOn[node] && jobsOn[slot] >= near) {
                slot--;
            }
            previous = slot >= firstOn[node] ? Math.max(previous, jobsOn[slot]) : previous;
        }
        return previous;
    }

    /** How many jobs between two, both included, touch nodes. */
    private int touching(BitSet nodes, int from, int last) {
        int count = 0;
        for (int i = from; i <= last; i++) {
            count += Preemption.touches(running[i], nodes) ? 1 : 0;
        }
        return count;
    }

    /** A window that grows until it reaches so far, once at least where it must. */
    private long widen(long window, long reach, boolean must) {
        long linear = state.cluster().parameters().windowLinear();
        long wider = window;
        boolean grow = must;
        while (grow || reach > wider) {
            wider = linear > 0 ? wider + linear : wider * 2;
            grow = false;
        }
        return wider;
    }

    private ReleaseOrder order(SlurmJob.Request request, int partition) {
        int capped = free.isCapped(partition) ? partition : -1;
        Size size = new Size(
                request.gpusPerNode(),
                request.cpusPerNode(),
                request.memoryMib(),
                request.exclusive(),
                capped,
                request.featured(),
                request.typed());
        return orders.computeIfAbsent(size, any -> order(size, request));
    }

    private ReleaseOrder order(Size size, SlurmJob.Request request) {
        if (firstOn.length == 0) {
            index();
        }
        int[] endOf = new int[free.gpus.length];
        BitSet suited = new BitSet(endOf.length);
        suited.set(0, endOf.length);
        FreeNodes.suit(request, suited);
        Arrays.fill(endOf, ReleaseOrder.NEVER);
        for (int node = suited.nextSetBit(0); node >= 0; node = suited.nextSetBit(node + 1)) {
            int gpus = free.gpus[node];
            int cpus = free.cpus[node];
            long memory = free.memory[node];
            boolean isCapped = size.cappedPartition >= 0;
            long left = isCapped ? free.leftTo(size.cappedPartition, node) : Integer.MAX_VALUE;
            int end = suffice(size, node, gpus, cpus, memory, left) ? -1 : ReleaseOrder.NEVER;
            for (int i = firstOn[node]; end == ReleaseOrder.NEVER && i < firstOn[node + 1]; i++) {
                SlurmJob job = running[jobsOn[i]];
                int held = free.cpusOf(job, node);
                gpus += gpusOn[i];
                cpus += held;
                memory += free.memoryOf(job, node);
                left += isCapped && job.partition.index() == size.cappedPartition ? held : 0;
                if (suffice(size, node, gpus, cpus, memory, left)) {
                    end = jobsOn[i];
                }
            }
            endOf[node] = end;
        }
        return new ReleaseOrder(endOf, running.length);
    }

    private boolean suffice(Size size, int node, int gpus, int cpus, long memory, long left) {
        return left >= size.cpus
                && memory >= size.memoryMib
                && free.suffice(node, gpus, cpus, size.gpus, size.cpus, size.alone);
    }

    private void index() {
        firstOn = new int[free.gpus.length + 1];
        for (SlurmJob job : running) {
            for (int node : job.nodes) {
                firstOn[node + 1]++;
            }
        }
        for (int node = 1; node < firstOn.length; node++) {
            firstOn[node] += firstOn[node - 1];
        }
        jobsOn = new int[firstOn[firstOn.length - 1]];
        gpusOn = new int[jobsOn.length];
        int[] at = firstOn.clone();
        for (int i = 0; i < running.length; i++) {
            for (int k = 0; k < running[i].nodes.length; k++) {
                int slot = at[running[i].nodes[k]]++;
                jobsOn[slot] = i;
                gpusOn[slot] = Long.bitCount(running[i].gpus[k]);
            }
        }
    }
}
