package org.trainyard.agents.learned.training;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;
import static org.trainyard.env.InvalidFieldException.within;

import java.util.List;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.RemainingTime;

/**
 * Expert iteration of the bids in an auction: the alternatives of some decisions are played in forked futures.
 *
 * @param start the first policy
 * @param updates in the whole run
 * @param episodes episodes of an update, from which decisions are drawn
 * @param decisions decisions labelled in an update, over all episodes
 * @param plausible least probability of a bid that makes a decision worth a label; two bids must have it
 * @param arms bids played at a decision, those of highest score
 * @param futures futures in which each of them is played
 * @param horizonHours simulated hours of a future
 * @param backlogPrice cost of a GPU-hour of work that is left at the horizon, job-hours
 * @param step factor eta on advantages in the wanted log-probabilities, per job-hour
 * @param epochs passes over the labelled decisions
 * @param minibatch labelled decisions per gradient step
 * @param learningRate Adam's
 * @param order estimate of remaining times by which jobs bid and are preempted
 * @param jobs waiting jobs that bid at once
 * @param sets sets of servers for which a job may bid
 * @param moves running jobs that may bid at once to move where they run faster; they need preemption
 * @param patience whether a job may take an option to wait for a consolidated place
 * @param arrivalSpeeds arrival-rate multipliers, cycled over training and validation episodes
 */
public record ExpertIteration(
        BidStart start,
        int updates,
        int episodes,
        int decisions,
        double plausible,
        int arms,
        int futures,
        double horizonHours,
        double backlogPrice,
        double step,
        int epochs,
        int minibatch,
        double learningRate,
        String order,
        int jobs,
        int sets,
        int moves,
        boolean patience,
        List<Double> arrivalSpeeds)
        implements LearnerSettings {
    public ExpertIteration {
        atLeast(1, "updates", updates);
        atLeast(1, "episodes", episodes);
        atLeast(episodes, "decisions", decisions);
        above(0, "plausible", plausible);
        within(0, 0.5, "plausible", plausible);
        atLeast(2, "arms", arms);
        atLeast(2, "futures", futures);
        above(0, "horizonHours", horizonHours);
        atLeast(0, "backlogPrice", backlogPrice);
        above(0, "step", step);
        atLeast(1, "epochs", epochs);
        atLeast(1, "minibatch", minibatch);
        above(0, "learningRate", learningRate);
        atLeast(1, "jobs", jobs);
        atLeast(1, "sets", sets);
        atLeast(0, "moves", moves);
        arrivalSpeeds = LearnerChecks.speeds(arrivalSpeeds);
    }

    @Override
    public AuctionSettings auctions(boolean preemption) {
        return new AuctionSettings(RemainingTime.of(order), jobs, sets, moves, preemption, patience);
    }

    @Override
    public BidStart bidStart() {
        return start;
    }
}
