package org.trainyard.agents.heuristic.kueue;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.KueueScheduler.Cause;
import org.trainyard.agents.heuristic.kueue.KueueScheduler.WaitingReason;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects;
import org.trainyard.agents.heuristic.kueue.configuration.QuotaGroup;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.JournalCursor;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;

/** Kueue beside a simulation: follows its events, runs cycles while they change something, and starts and evicts jobs. */
final class KueueController {
    private static final int CYCLES_WITHOUT_EFFECT = 2;
    private static final int EVICTIONS_PER_JOB = 3;

    private SimView view;
    private final SimulatedNodes nodes;
    private final SimulatedWorkloads translation;
    private final PodServers servers;
    private final PodPlacement placement;
    private final Int2ObjectOpenHashMap<KueueWorkload> workloads = new Int2ObjectOpenHashMap<>();
    private final Queue<KueueWorkload> evictions = new ArrayDeque<>();
    private final Queue<KueueWorkload> impossible = new ArrayDeque<>();
    /** With quota, and without servers so far, in the order of their admission. */
    private final Set<KueueWorkload> unplaced = new LinkedHashSet<>();

    private final AdmissionQueues queues;
    private final int mostFlavors;
    private boolean isCycleDue = true;
    private boolean isPlacingDue = true;
    /** Whether a workload waits for the quota of its virtual cluster. */
    private boolean isQuotaShort;

    /** GPUs out of order when the topologies of flavors were last brought up to date. */
    private BitSet down = new BitSet();

    private long instant = Long.MIN_VALUE;
    private int evictedAtInstant;

    /** Begins with the jobs of a simulation. */
    KueueController(KueueObjects objects, SimView view) {
        this.view = view;
        QuotaTree tree = new QuotaTree(objects);
        nodes = new SimulatedNodes(view.topology(), tree);
        translation = new SimulatedWorkloads(tree, nodes);
        KueueState state = new KueueState(tree, nodes::tree);
        state.outside = this::isWithinQuota;
        queues = new AdmissionQueues(state);
        servers = new PodServers(nodes);
        placement = new PodPlacement(state);
        mostFlavors = tree.flavors.size();
        for (int id = view.firstRunning(); id != SimView.NONE; id = view.nextRunning(id)) {
            KueueWorkload workload =
                    translation.of(view.submitted(id), view.submitted(id).submitNanos());
            workloads.put(id, workload);
            state.admit(workload, adopted(workload, view.placement(id)), view.startedNanos(id));
        }
        for (int id = view.firstWaiting(); id != SimView.NONE; id = view.nextWaiting(id)) {
            arrive(id);
        }
        refresh();
    }

    /** What a job that runs must have been given: the first flavors that have its servers. */
    private Assignment adopted(KueueWorkload workload, Placement on) {
        KueueState state = queues.state;
        QuotaTree tree = state.tree;
        PodSet set = workload.podSets.get(0);
        Assignment given = new Assignment(1, tree.resources.size(), tree.size());
        for (int resource = 0; resource < tree.resources.size(); resource++) {
            QuotaGroup group = set.total(resource) == 0 ? null : tree.group(workload.queue, resource);
            if (group != null && !group.flavors().isEmpty()) {
                int flavor = group.flavors().stream()
                        .mapToInt(quotas -> tree.flavors.indexOf(quotas.flavor()))
                        .filter(at -> nodes.servers(at).get(on.server(0)))
                        .findFirst()
                        .orElseGet(() ->
                                tree.flavors.indexOf(group.flavors().get(0).flavor()));
                given.flavors[0][resource] = flavor;
                given.usage[tree.at(flavor, resource)] += set.total(resource);
                if (state.topology(flavor) != null) {
                    given.podFlavors[0] = flavor;
                    given.pods[0] = leaves(flavor, set, on);
                }
            }
        }
        return given;
    }

    private int[] leaves(int flavor, PodSet set, Placement on) {
        int each = Math.max(1, on.gpuCount() / set.count);
        int[] pods = new int[2 * on.serverCount()];
        int size = 0;
        for (int i = 0; i < on.serverCount(); i++) {
            int leaf = nodes.leaf(flavor, on.server(i));
            if (leaf >= 0) {
                pods[size++] = leaf;
                pods[size++] = Math.max(1, on.gpusOn(i) / each);
            }
        }
        return Arrays.copyOf(pods, size);
    }

    /** Whether the quota of its virtual cluster has room, with those that have not started yet. */
    private boolean isWithinQuota(KueueWorkload workload) {
        boolean isWithin = view.isWithinQuota(workload.id, gpusOfTenant(workload));
        isQuotaShort |= !isWithin;
        return isWithin;
    }

    private int gpusOfTenant(KueueWorkload workload) {
        int tenant = view.tenant(workload.id);
        int gpus = view.submitted(workload.id).gpus();
        for (KueueWorkload other : unplaced) {
            gpus += view.tenant(other.id) == tenant ? view.submitted(other.id).gpus() : 0;
        }
        return gpus;
    }

    private void arrive(int id) {
        KueueWorkload workload =
                translation.of(view.submitted(id), view.submitted(id).submitNanos());
        workloads.put(id, workload);
        if (view.firstStartNanos(id) == SimView.NONE && !translation.isPossible(workload, placement)) {
            impossible.add(workload);
        } else {
            queues.arrive(workload);
        }
        isCycleDue = true;
    }

    /** Takes note of what has happened; whether it is what this controller can know of. */
    boolean follow(JournalCursor journal) {
        for (int entry = journal.first(); entry < journal.end(); entry++) {
            int id = view.journalJob(entry);
            switch (view.journalKind(entry)) {
                case ARRIVE -> arrive(id);
                case START -> {
                    KueueWorkload workload = workloads.get(id);
                    if (workload == null || workload.admission == null) {
                        return false;
                    }
                    unplaced.remove(workload);
                }
                case FINISH, TIMEOUT, REJECT, FORWARD -> end(id);
                case PREEMPT, KILL -> stopped(id);
                case RESIZE -> {
                    return false;
                }
                case DOWN, UP -> repaired();
                case FREEZE, HOST_CPU, HOST_MEMORY, HOLD -> {}
            }
        }
        return true;
    }

    /**
     * Compares what it knows with the simulation where the journal does not say what has happened since; whether it is
     * what this controller can know of.
     */
    boolean reconcile(SimView with) {
        view = with;
        for (int id : workloads.keySet().toIntArray()) {
            KueueWorkload workload = workloads.get(id);
            switch (view.state(id)) {
                case RUNNING -> {
                    if (workload.admission == null) {
                        return false;
                    }
                    unplaced.remove(workload);
                }
                case WAITING -> {
                    if (workload.admission != null && !unplaced.contains(workload)) {
                        stopped(id);
                    }
                }
                default -> end(id);
            }
        }
        for (int id = view.firstRunning(); id != SimView.NONE; id = view.nextRunning(id)) {
            if (!workloads.containsKey(id)) {
                return false;
            }
        }
        for (int id = view.firstWaiting(); id != SimView.NONE; id = view.nextWaiting(id)) {
            if (!workloads.containsKey(id)) {
                arrive(id);
            }
        }
        if (!down.equals(outOfOrder())) {
            repaired();
        }
        return true;
    }

    private void repaired() {
        refresh();
        queues.retryAll();
        isCycleDue = true;
        isPlacingDue = true;
    }

    private BitSet outOfOrder() {
        BitSet now = new BitSet();
        for (int gpu = 0; gpu < view.topology().gpus(); gpu++) {
            now.set(gpu, view.cluster().owner(gpu) == Cluster.DOWN);
        }
        return now;
    }

    private void refresh() {
        down = outOfOrder();
        for (int flavor = 0; flavor < queues.state.tree.flavors.size(); flavor++) {
            TopologyTree topology = queues.state.topology(flavor);
            if (topology != null) {
                nodes.refresh(flavor, topology, view.cluster());
            }
        }
    }

    private void end(int id) {
        KueueWorkload workload = workloads.remove(id);
        if (workload != null) {
            queues.leave(workload);
            unplaced.remove(workload);
            retryAfterQuota();
            isCycleDue = true;
            isPlacingDue = true;
        }
    }

    /** Quotas of virtual clusters know nothing of cohorts. */
    private void retryAfterQuota() {
        if (isQuotaShort) {
            queues.retryAll();
            isQuotaShort = false;
        }
    }

    private void stopped(int id) {
        KueueWorkload workload = workloads.get(id);
        if (workload != null) {
            unplaced.remove(workload);
            queues.evicted(workload);
            retryAfterQuota();
            isCycleDue = true;
            isPlacingDue = true;
        }
    }

    /** The next decision. */
    Decision decide() {
        while (true) {
            KueueWorkload never = impossible.poll();
            if (never != null && view.state(never.id) == JobState.WAITING) {
                return new Decision.Reject(never.id);
            }
            KueueWorkload victim = evictions.poll();
            if (victim != null) {
                if (view.state(victim.id) == JobState.RUNNING) {
                    return new Decision.Preempt(victim.id);
                }
                stopped(victim.id);
                continue;
            }
            Decision start = start();
            if (start != null) {
                return start;
            }
            if (!isCycleDue) {
                return Decision.WAIT;
            }
            isCycleDue = false;
            cycles();
        }
    }

    private @Nullable Decision start() {
        if (!isPlacingDue) {
            return null;
        }
        for (KueueWorkload workload : unplaced) {
            Placement on = servers.place(view, workload);
            if (on != null) {
                return new Decision.Start(workload.id, on);
            }
        }
        isPlacingDue = false;
        return null;
    }

    /** Runs cycles until one admits or evicts somebody, or none has an effect any more. */
    private void cycles() {
        if (instant != view.nowNanos()) {
            instant = view.nowNanos();
            evictedAtInstant = 0;
        }
        Set<KueueWorkload> seen = new HashSet<>();
        int idle = 0;
        while (idle < CYCLES_WITHOUT_EFFECT + mostFlavors) {
            List<KueueWorkload> heads = queues.heads();
            if (heads.isEmpty()) {
                return;
            }
            idle = seen.addAll(heads) ? 0 : idle + 1;
            for (CycleEntry entry : queues.run(heads, view.nowNanos())) {
                switch (entry.outcome) {
                    case ADMITTED -> {
                        unplaced.add(entry.workload);
                        isPlacingDue = true;
                    }
                    case PREEMPTING -> {
                        evictions.addAll(entry.victimWorkloads());
                        evictedAtInstant += entry.victims.size();
                    }
                    case SKIPPED, INADMISSIBLE -> {}
                }
            }
            if (isPlacingDue || !evictions.isEmpty()) {
                isCycleDue = evictedAtInstant <= EVICTIONS_PER_JOB * workloads.size();
                return;
            }
        }
    }

    List<WaitingReason> waiting(int id) {
        KueueWorkload workload = workloads.get(id);
        if (workload == null || view.state(id) != JobState.WAITING) {
            return List.of();
        }
        String queue = queues.state.node(workload).name;
        if (workload.admission != null) {
            return List.of(new WaitingReason(Cause.SERVERS, queue, null, null));
        }
        if (!view.isWithinQuota(id, gpusOfTenant(workload))) {
            return List.of(new WaitingReason(Cause.VIRTUAL_CLUSTER, queue, null, null));
        }
        return queues.waiting(workload, queue);
    }
}
