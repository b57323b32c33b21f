package org.trainyard.agents.learned.training;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.FormerKey;

/**
 * The episodes that a learner of bids plays, and how it compares them.
 *
 * @param updates in the whole run
 * @param episodesPerUpdate episodes of an update
 * @param playsPerEpisode times that each of them is played; each play is compared with the others
 * @param discountHours simulated hours after which a cost counts 1/e in the cost-to-go of a decision
 * @param lambdaHorizonHours simulated hours after which the value of the state, by true run times, stands for the costs
 *     that follow; null for never
 * @param groupBaseline whether a cost is compared with that of the group's other plays at the same time; an ablation
 * @param controlVariate whether what the state explains before a decision is subtracted from its cost; an ablation
 * @param arrivalSpeeds arrival-rate multipliers, cycled over training and validation episodes
 */
public record ScheduleSettings(
        int updates,
        @FormerKey("groups") int episodesPerUpdate,
        @FormerKey("group") int playsPerEpisode,
        double discountHours,
        @FormerKey("trace_hours") @Nullable Double lambdaHorizonHours,
        boolean groupBaseline,
        boolean controlVariate,
        List<Double> arrivalSpeeds) {
    public ScheduleSettings {
        atLeast(0, "updates", updates);
        atLeast(1, "episodesPerUpdate", episodesPerUpdate);
        atLeast(2, "playsPerEpisode", playsPerEpisode);
        above(0, "discountHours", discountHours);
        if (lambdaHorizonHours != null) {
            above(0, "lambdaHorizonHours", lambdaHorizonHours);
        }
        arrivalSpeeds = LearnerChecks.speeds(arrivalSpeeds);
    }
}
