package org.trainyard.experiments.training;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidEncoder;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.agents.learned.training.BidStart;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.experiments.io.InputFiles;

/** The policies from which the learning of bids starts, and what these were before any training. */
final class BidStarts {
    private static final String PLACE = "learner.start.from";

    private BidStarts() {}

    /**
     * The network of the first policy.
     *
     * @param encoder of the checkpoint from which learning starts; null without one
     */
    record First(BidNetwork network, @Nullable BidEncoder encoder) {}

    /** @param random draws the weights where there is no checkpoint */
    static First first(BidStart start, RandomGenerator random) {
        if (start instanceof BidStart.Patient rule) {
            return new First(InitialBids.patient(rule.hidden(), rule.sharpness(), random), null);
        } else if (start instanceof BidStart.Scratch scratch) {
            return new First(InitialBids.random(scratch.hidden(), random), null);
        } else if (start instanceof BidStart.Ensemble ensemble) {
            return new First(mean(ensemble.from()), null);
        }
        BidPolicy policy = policy(start.checkpoints().get(0));
        if (start instanceof BidStart.Adjusted adjusted) {
            adjust(policy.network(), adjusted.weights());
        }
        return new First(policy.network(), policy.encoder());
    }

    private static void adjust(BidNetwork network, List<BidStart.Weight> weights) {
        for (BidStart.Weight weight : weights) {
            int at = network.layout().linearAt(BidKind.valueOf(weight.bid()).index())
                    + BidColumn.valueOf(weight.column()).index();
            network.weights()[at] += (float) weight.add();
        }
    }

    private static BidNetwork mean(List<String> folders) {
        List<BidNetwork> networks = new ArrayList<>();
        for (String folder : folders) {
            networks.add(withoutEncoder(policy(folder), folder));
        }
        return InitialBids.mean(networks);
    }

    private static BidNetwork withoutEncoder(BidPolicy policy, String folder) {
        if (policy.encoder() != null) {
            throw InputException.at(PLACE, folder, "the checkpoint of a policy without encoder");
        }
        return policy.network();
    }

    /** The policy with a network in auctions as the settings describe them. */
    static BidPolicy policy(BidNetwork network, @Nullable BidEncoder encoder, AuctionSettings settings) {
        return new BidPolicy(
                network,
                encoder,
                settings.order(),
                settings.jobs(),
                settings.sets(),
                settings.moves(),
                settings.patience());
    }

    private static BidPolicy policy(String folder) {
        return Checkpoint.open(PLACE, InputFiles.path(folder)).policy();
    }

    /** The checkpoints from which learning starts; none when it starts from random weights or from a rule. */
    static List<Checkpoint> checkpoints(BidStart start) {
        return start.checkpoints().stream()
                .map(folder -> Checkpoint.open(PLACE, InputFiles.path(folder)))
                .toList();
    }

    /**
     * The mean of what the policies of an ensemble were before any training; null when one of the checkpoints does
     * not say.
     */
    static @Nullable BidPolicy untrained(List<Checkpoint> ensemble, LearnerSettings learner) {
        List<BidNetwork> networks = new ArrayList<>();
        for (Checkpoint checkpoint : ensemble) {
            BidPolicy untrained = checkpoint.untrained();
            if (untrained == null) {
                return null;
            }
            networks.add(withoutEncoder(untrained, checkpoint.folder().toString()));
        }
        // Whether agents may preempt is the deployment's and no part of a policy.
        AuctionSettings auctions = Objects.requireNonNull(learner.auctions(true), "the settings of a learner of bids");
        return policy(InitialBids.mean(networks), null, auctions);
    }
}
