package org.trainyard.agents.heuristic.kueue;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.Assignment.Mode;
import org.trainyard.agents.heuristic.kueue.Assignment.Obstacle;
import org.trainyard.agents.heuristic.kueue.configuration.ClusterQueue;
import org.trainyard.agents.heuristic.kueue.configuration.ClusterQueue.Fungibility;
import org.trainyard.agents.heuristic.kueue.configuration.ClusterQueue.Policy;
import org.trainyard.agents.heuristic.kueue.configuration.QuotaGroup;

/** Chooses flavors for a workload: those of its queue in order, until one is good enough. */
final class FlavorChoice {
    /** How a flavor could be had, from worst to best. */
    private enum Way {
        NO_FIT,
        NOBODY_TO_DISPLACE,
        PREEMPT,
        RECLAIM,
        FIT;

        Mode mode() {
            return this == NO_FIT ? Mode.NO_FIT : this == FIT ? Mode.FIT : Mode.PREEMPT;
        }
    }

    /** A way, and how far up the tree it borrows. */
    private record Offer(Way way, int borrowing) {
        boolean isBetter(Offer other, Fungibility rules) {
            if (way == Way.NO_FIT || other.way == Way.NO_FIT) {
                return way != Way.NO_FIT;
            }
            int byWay = way.compareTo(other.way);
            int byBorrowing = Integer.compare(other.borrowing, borrowing);
            int order = rules.prefersPreemption()
                    ? byBorrowing != 0 ? byBorrowing : byWay
                    : byWay != 0 ? byWay : byBorrowing;
            return order > 0;
        }

        boolean isEnough(Fungibility rules) {
            if (way == Way.NO_FIT || way == Way.NOBODY_TO_DISPLACE) {
                return false;
            }
            return !(way != Way.FIT && rules.pastPreemption()) && !(borrowing > 0 && rules.pastBorrowing());
        }
    }

    private final KueueState state;
    private final QuotaTree tree;
    private final PreemptionRule preemption;
    private final PodPlacement placement;

    FlavorChoice(KueueState state, PreemptionRule preemption, PodPlacement placement) {
        this.state = state;
        this.tree = state.tree;
        this.preemption = preemption;
        this.placement = placement;
    }

    /** The assignment that the workload would get now. */
    Assignment assign(KueueWorkload workload) {
        if (workload.tried != null && state.generation(workload.queue) > workload.triedGeneration) {
            workload.tried = null;
        }
        int resources = tree.resources.size();
        Assignment assignment = new Assignment(workload.podSets.size(), resources, tree.size());
        assignment.failed = !state.outside.test(workload);
        for (int set = 0; set < workload.podSets.size(); set++) {
            PodSet pods = workload.podSets.get(set);
            for (int resource = 0; resource < resources && !assignment.failed; resource++) {
                if (pods.total(resource) > 0 && assignment.flavors[set][resource] < 0) {
                    assignment.failed = !find(workload, set, resource, assignment);
                }
            }
            if (assignment.failed) {
                return assignment;
            }
            for (int resource = 0; resource < resources; resource++) {
                int flavor = assignment.flavors[set][resource];
                if (flavor >= 0) {
                    assignment.usage[tree.at(flavor, resource)] += workload.more(set, resource);
                }
            }
        }
        placement.place(workload, assignment);
        return assignment;
    }

    /** Tries the flavors of the group that has a resource, for all resources of the group; false without any. */
    private boolean find(KueueWorkload workload, int set, int resource, Assignment to) {
        QuotaGroup group = tree.group(workload.queue, resource);
        if (group == null) {
            return false;
        }
        Fungibility rules = state.queue(workload).fungibility();
        List<QuotaGroup.FlavorQuotas> flavors = group.flavors();
        Offer best = new Offer(Way.NO_FIT, Integer.MAX_VALUE);
        int chosen = -1;
        Offer[] parts = new Offer[0];
        int last = -1;
        int first = workload.tried == null ? 0 : workload.tried[set][resource] + 1;
        for (int i = first; i < flavors.size(); i++) {
            last = i;
            int flavor = tree.flavors.indexOf(flavors.get(i).flavor());
            if (!placement.suits(workload, set, flavor)) {
                to.obstacles[tree.at(flavor, resource)] = Obstacle.FLAVOR;
                continue;
            }
            Offer[] offers = offers(workload, set, group, flavor, to);
            Offer worst = worst(offers, rules);
            boolean isEnough = worst.isEnough(rules);
            if (isEnough || worst.isBetter(best, rules)) {
                best = worst;
                chosen = flavor;
                parts = offers;
            }
            if (isEnough) {
                break;
            }
        }
        if (chosen < 0) {
            return false;
        }
        to.isShort[set] |= best.way != Way.FIT;
        for (int other = 0; other < parts.length; other++) {
            Offer offer = parts[other];
            if (offer != null) {
                to.flavors[set][other] = chosen;
                to.modes[set][other] = offer.way.mode();
                to.tried[set][other] = last == flavors.size() - 1 ? -1 : last;
                to.borrowing = Math.max(to.borrowing, offer.borrowing);
            }
        }
        return true;
    }

    private static Offer worst(@Nullable Offer[] offers, Fungibility rules) {
        Offer worst = new Offer(Way.FIT, 0);
        for (Offer offer : offers) {
            if (offer != null && worst.isBetter(offer, rules)) {
                worst = offer;
            }
        }
        return worst;
    }

    /** By resource, how a flavor could be had; null for a resource that is not asked for or not of the group. */
    private Offer[] offers(KueueWorkload workload, int set, QuotaGroup group, int flavor, Assignment to) {
        Offer[] offers = new Offer[tree.resources.size()];
        for (int resource = 0; resource < offers.length; resource++) {
            long amount = workload.podSets.get(set).total(resource);
            if (amount > 0 && group.resources().contains(tree.resources.get(resource))) {
                int at = tree.at(flavor, resource);
                offers[resource] = offer(workload, set, at, to);
                if (offers[resource].way == Way.NO_FIT) {
                    return offers;
                }
            }
        }
        return offers;
    }

    private Offer offer(KueueWorkload workload, int set, int at, Assignment to) {
        QuotaNode node = state.node(workload);
        int resource = at % tree.resources.size();
        KueueWorkload replaced = workload.replaced();
        if (replaced != null && tree.at(KueueState.admission(replaced).flavors[set][resource], resource) != at) {
            to.obstacles[at] = Obstacle.FLAVOR;
            return new Offer(Way.NO_FIT, 0);
        }
        long amount = to.usage[at] + workload.more(set, resource);
        if (amount > node.most(at)) {
            to.obstacles[at] = Obstacle.CAPACITY;
            return new Offer(Way.NO_FIT, 0);
        }
        int borrowing = node.reach(at, amount);
        if (amount <= node.available(at)) {
            return new Offer(Way.FIT, borrowing);
        }
        to.obstacles[at] = Obstacle.QUOTA;
        if (amount > node.nominal[at]
                && !node.reachesBelowRoot(at, amount)
                && !displacesWhileBorrowing(state.queue(workload))) {
            return new Offer(Way.NO_FIT, borrowing);
        }
        return trial(workload, at, amount);
    }

    private boolean displacesWhileBorrowing(ClusterQueue queue) {
        return queue.preemption().borrows()
                || (tree.objects.fairSharing() != null && queue.preemption().reclaim() != Policy.NEVER);
    }

    /** Offer of so much of one resource of a flavor to the workload by displacing others. */
    private Offer trial(KueueWorkload workload, int at, long amount) {
        long[] usage = new long[tree.size()];
        usage[at] = amount;
        BitSet contested = new BitSet();
        contested.set(at);
        QuotaNode node = state.node(workload);
        List<KueueWorkload> victims =
                preemption.victims(new PreemptionRule.Need(workload, usage, contested, null)).stream()
                        .map(PreemptionRule.Victim::workload)
                        .toList();
        if (victims.isEmpty()) {
            return new Offer(Way.NOBODY_TO_DISPLACE, node.reach(at, amount));
        }
        state.takeAway(victims);
        int borrowing = node.reach(at, amount);
        state.bringBack(victims);
        boolean own = victims.stream().anyMatch(victim -> victim.queue == workload.queue);
        return new Offer(own ? Way.PREEMPT : Way.RECLAIM, borrowing);
    }
}
