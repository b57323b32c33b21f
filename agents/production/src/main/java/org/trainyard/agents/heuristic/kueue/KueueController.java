package org.trainyard.agents.heuristic.kueue;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects;
import org.trainyard.agents.heuristic.kueue.configuration.QuotaGroup;
import org.trainyard.agents.heuristic.queue.FollowedJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;

/**
 * Kueue beside a simulation: follows its events, runs cycles while they change something, and starts and evicts jobs.
 */
final class KueueController extends FollowedJobs<KueueWorkload> {
    private static final int CYCLES_WITHOUT_EFFECT = 2;
    private static final int EVICTIONS_PER_JOB = 3;

    private final SimulatedNodes nodes;
    private final SimulatedWorkloads translation;
    private final PodServers servers;
    private final PodPlacement placement;
    private final Queue<KueueWorkload> evictions = new ArrayDeque<>();
    private final Queue<KueueWorkload> impossible = new ArrayDeque<>();
    /** Workloads with quota, and without servers so far, in the order of their admission. */
    private final Set<KueueWorkload> unplaced = new LinkedHashSet<>();

    private final AdmissionQueues queues;
    private final int mostFlavors;
    private boolean isCycleDue = true;
    private boolean isPlacingDue = true;
    /** Whether a workload waits for the quota of its virtual cluster. */
    private boolean isQuotaShort;

    private long instant = Long.MIN_VALUE;
    private int evictedAtInstant;

    /** Begins with the jobs of a simulation. */
    KueueController(KueueObjects objects, SimView view) {
        super(view);
        QuotaTree tree = new QuotaTree(objects);
        nodes = new SimulatedNodes(view.topology(), tree);
        translation = new SimulatedWorkloads(tree, nodes);
        KueueState state = new KueueState(tree, nodes::tree);
        state.outside = this::isWithinQuota;
        queues = new AdmissionQueues(state);
        servers = new PodServers(nodes);
        placement = new PodPlacement(state);
        mostFlavors = tree.flavors.size();
        state.ledger.advance(view.nowNanos());
        begin();
    }

    @Override
    protected KueueWorkload adopted(int id) {
        KueueWorkload workload =
                translation.of(view.submitted(id), view.submitted(id).submitNanos());
        queues.state.admit(workload, given(workload, view.placement(id)), view.startedNanos(id));
        return workload;
    }

    /** Assignment that a running job must have been given: the first flavors that have its servers. */
    private Assignment given(KueueWorkload workload, Placement on) {
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

    @Override
    protected KueueWorkload arrived(int id, long sinceNanos) {
        KueueWorkload workload =
                translation.of(view.submitted(id), view.submitted(id).submitNanos());
        if (view.firstStartNanos(id) == SimView.NONE && !translation.isPossible(workload, placement)) {
            impossible.add(workload);
        } else {
            queues.arrive(workload);
        }
        isCycleDue = true;
        return workload;
    }

    @Override
    protected boolean isAsDecided(int id, KueueWorkload workload) {
        unplaced.remove(workload);
        return workload.admission != null;
    }

    @Override
    protected boolean isGone(KueueWorkload workload) {
        return workload.admission != null && !unplaced.contains(workload);
    }

    @Override
    protected void repaired() {
        for (int flavor = 0; flavor < queues.state.tree.flavors.size(); flavor++) {
            TopologyTree topology = queues.state.topology(flavor);
            if (topology != null) {
                nodes.refresh(flavor, topology, view.cluster());
            }
        }
        queues.retryAll();
        isCycleDue = true;
        isPlacingDue = true;
    }

    @Override
    protected void ended(KueueWorkload workload) {
        queues.leave(workload);
        roomAgain(workload);
    }

    @Override
    protected void stopped(int id, @Nullable KueueWorkload workload) {
        if (workload == null) {
            return;
        }
        if (workload.evicted) {
            evict(workload);
        } else {
            // A fault of its own or of a server: it keeps its quota, and its controller makes its pods again.
            unplaced.add(workload);
            isPlacingDue = true;
        }
    }

    private void evict(KueueWorkload workload) {
        queues.evicted(workload);
        roomAgain(workload);
    }

    /** Changes nothing: pods of a held workload are there until it waits again. */
    @Override
    protected void held(int id, @Nullable KueueWorkload workload) {}

    private void roomAgain(KueueWorkload workload) {
        unplaced.remove(workload);
        retryAfterQuota();
        isCycleDue = true;
        isPlacingDue = true;
    }

    /** Quotas of virtual clusters know nothing of cohorts. */
    private void retryAfterQuota() {
        if (isQuotaShort) {
            queues.retryAll();
            isQuotaShort = false;
        }
    }

    /** Lets time pass, before the jobs of that instant are known. */
    KueueController passes(long nanos) {
        isCycleDue |= queues.state.ledger.advance(nanos);
        return this;
    }

    /** The next decision. */
    Decision decide() {
        while (true) {
            KueueWorkload never = impossible.poll();
            if (never != null && view.state(never.id) == JobState.WAITING) {
                return new Decision.Reject(never.id, translation.refusal(never));
            }
            KueueWorkload victim = evictions.poll();
            if (victim != null) {
                if (view.state(victim.id) == JobState.RUNNING) {
                    return new Decision.Preempt(victim.id);
                }
                stopped(victim.id, jobs.get(victim.id));
                continue;
            }
            Decision start = start();
            if (start != null) {
                return start;
            }
            if (!isCycleDue) {
                return view.runningCount() == 0 ? Decision.WAIT : Decision.waitUntil(queues.nextOrderNanos());
            }
            isCycleDue = false;
            cycles();
        }
    }

    private @Nullable Decision start() {
        if (!isPlacingDue) {
            return null;
        }
        for (KueueWorkload workload : List.copyOf(unplaced)) {
            if (!NodeReplacement.succeeds(queues.state, workload)) {
                evict(workload);
                continue;
            }
            Placement on = servers.place(view, workload);
            if (on != null) {
                return new Decision.Start(workload.id, on);
            }
        }
        isPlacingDue = false;
        return null;
    }

    /** Runs cycles until one admits or evicts a workload, or none has an effect any more. */
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
                isCycleDue = evictedAtInstant <= EVICTIONS_PER_JOB * jobs.size();
                return;
            }
        }
    }
}
