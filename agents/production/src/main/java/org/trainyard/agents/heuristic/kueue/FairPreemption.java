package org.trainyard.agents.heuristic.kueue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.QuotaNode.DominantShare;
import org.trainyard.agents.heuristic.kueue.configuration.ClusterQueue.Policy;
import org.trainyard.agents.heuristic.kueue.configuration.ClusterQueue.Preemption;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects.ShareRule;

/** Preemption by shares: who borrows most, by weight, gives way first, as far as the newcomer's share stays smaller. */
final class FairPreemption extends PreemptionRule {
    private final List<ShareRule> rules;

    FairPreemption(KueueState state, PodPlacement placement, List<ShareRule> rules) {
        super(state, placement);
        this.rules = List.copyOf(rules);
    }

    @Override
    List<Victim> victims(Need need) {
        List<KueueWorkload> candidates = candidates(need);
        if (candidates.isEmpty()) {
            return List.of();
        }
        QuotaNode own = state.node(need.workload);
        own.use(need.usage);
        List<Victim> victims = new ArrayList<>();
        List<KueueWorkload> again = new ArrayList<>();
        boolean fits = first(need, candidates, victims, again);
        if (!fits && rules.size() > 1) {
            fits = second(need, again, victims);
        }
        own.release(need.usage);
        if (fits) {
            spare(need, victims, true);
        }
        bringBack(victims);
        return fits ? victims : List.of();
    }

    private List<KueueWorkload> candidates(Need need) {
        Preemption policies = state.queue(need.workload).preemption();
        int queue = need.workload.queue;
        List<KueueWorkload> candidates = new ArrayList<>(displaceable(need, queue, policies.within()));
        if (state.node(need.workload).parent != null && policies.reclaim() != Policy.NEVER) {
            for (QuotaNode other : state.tree.related(queue)) {
                boolean borrows = need.contested.stream().anyMatch(at -> other.usage[at] > other.nominal[at]);
                if (other.queue != queue && borrows) {
                    candidates.addAll(displaceable(need, other.queue, policies.reclaim()));
                }
            }
        }
        return ordered(candidates, Function.identity(), queue);
    }

    private boolean first(Need need, List<KueueWorkload> candidates, List<Victim> victims, List<KueueWorkload> again) {
        QuotaNode own = state.node(need.workload);
        boolean isWithinQuota = need.contested.stream().noneMatch(at -> own.usage[at] > own.nominal[at]);
        FairCandidates order = new FairCandidates(own, candidates);
        for (QuotaNode queue = order.next(); queue != null; queue = order.next()) {
            if (queue == own || isWithinQuota) {
                Cause cause = queue == own ? Cause.IN_QUEUE : Cause.RECLAIM;
                if (displace(need, order.take(queue), cause, victims)) {
                    return true;
                }
                continue;
            }
            DominantShare mine = order.belowMeeting(own, queue).share();
            DominantShare theirs = order.belowMeeting(queue, own).share();
            KueueWorkload victim = null;
            while (victim == null && order.has(queue)) {
                KueueWorkload candidate = order.take(queue);
                if (allows(mine, theirs, candidate, order.belowMeeting(queue, own))) {
                    victim = candidate;
                } else {
                    again.add(candidate);
                }
            }
            if (victim != null && displace(need, victim, Cause.FAIR_SHARING, victims)) {
                return true;
            }
        }
        return false;
    }

    private boolean allows(DominantShare mine, DominantShare theirs, KueueWorkload candidate, QuotaNode their) {
        if (rules.get(0) == ShareRule.BELOW_INITIAL) {
            return mine.compareTo(theirs) < 0;
        }
        takeAway(candidate);
        DominantShare without = their.share();
        state.bringBack(List.of(candidate));
        return mine.compareTo(without) <= 0;
    }

    /** Takes one workload of each queue whose share is larger as it is. */
    private boolean second(Need need, List<KueueWorkload> again, List<Victim> victims) {
        QuotaNode own = state.node(need.workload);
        FairCandidates order = new FairCandidates(own, again);
        for (@Nullable QuotaNode queue = order.next(); queue != null; queue = order.next()) {
            DominantShare mine = order.belowMeeting(own, queue).share();
            if (mine.compareTo(order.belowMeeting(queue, own).share()) < 0
                    && displace(need, order.take(queue), Cause.FAIR_SHARING, victims)) {
                return true;
            }
            order.drop(Objects.requireNonNull(queue));
        }
        return false;
    }

    /** Takes a workload away; whether the newcomer then fits, whose usage is counted already. */
    private boolean displace(Need need, KueueWorkload victim, Cause cause, List<Victim> victims) {
        takeAway(victim);
        victims.add(new Victim(victim, cause));
        QuotaNode own = state.node(need.workload);
        own.release(need.usage);
        boolean fits = fits(need, true);
        own.use(need.usage);
        return fits;
    }
}
