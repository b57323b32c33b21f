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
import org.trainyard.agents.learned.inside.IntraNodeEncoder;
import org.trainyard.agents.learned.training.BidStart;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.PolicySettings;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.experiments.config.ExperimentConfig.Inside;
import org.trainyard.experiments.config.ExperimentConfig.Network;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.gnn.cluster.ClusterEncoder;

/** The policies from which the learning of bids starts, and what these were before any training. */
final class BidStarts {
    private static final String PLACE = "learner.start.from";

    private BidStarts() {}

    /**
     * The first policy.
     *
     * @param network encoder of the data centre; null for that of the checkpoint from which learning starts, if any
     */
    static BidPolicy first(PolicySettings settings, @Nullable Network network, long seed) {
        BidStart start = settings.start();
        RandomGenerator random = RandomStreams.stream(seed, "weights");
        BidEncoder encoder = null;
        BidNetwork bids;
        if (start instanceof BidStart.Patient rule) {
            bids = InitialBids.patient(rule.hidden(), rule.sharpness(), random);
        } else if (start instanceof BidStart.Scratch scratch) {
            bids = InitialBids.random(scratch.hidden(), random);
        } else if (start instanceof BidStart.Ensemble ensemble) {
            bids = mean(ensemble.from());
        } else {
            BidPolicy policy = saved(start.checkpoints().get(0));
            bids = policy.network();
            encoder = policy.encoder();
        }
        if (start instanceof BidStart.Reweighted adjusted) {
            adjust(bids, adjusted.weights());
        }
        if (network != null) {
            if (encoder != null) {
                throw InputException.at(
                        "network", network, "null, for the policy in learner.start.from has an encoder of its own");
            }
            if (Network.RAW.equals(network.columns())) {
                bids.ignore(BidColumn.ENGINEERED);
            }
            encoder = encoder(network, RandomStreams.derive(seed, "weights/encoder"));
            bids = InitialBids.withInputs(bids, encoder.inputs(), RandomStreams.stream(seed, "weights/inputs"));
        }
        return new BidPolicy(bids, encoder, settings.auctions(true));
    }

    private static BidEncoder encoder(Network network, long seed) {
        ClusterEncoder.Kind kind =
                network.encoder().equals(Network.FLAT) ? ClusterEncoder.Kind.FLAT : ClusterEncoder.Kind.HIERARCHICAL;
        Inside inside = network.inside();
        IntraNodeEncoder level = inside == null
                ? null
                : inside.from().equals(Inside.SHIPPED)
                        ? IntraNodeEncoder.shipped(inside.learn())
                        : IntraNodeEncoder.load(InputFiles.path(inside.from()), inside.learn());
        return BidEncoder.random(kind, network.hidden(), network.rounds(), level, seed);
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
            networks.add(withoutEncoder(saved(folder), folder));
        }
        return InitialBids.mean(networks);
    }

    private static BidNetwork withoutEncoder(BidPolicy policy, String folder) {
        if (policy.encoder() != null) {
            throw InputException.at(PLACE, folder, "the checkpoint of a policy without encoder");
        }
        return policy.network();
    }

    private static BidPolicy saved(String folder) {
        return Checkpoint.open(PLACE, InputFiles.path(folder)).policy();
    }

    /** The checkpoints from which learning starts; none when it starts from random weights or from a rule. */
    static List<Checkpoint> checkpoints(BidStart start) {
        return start.checkpoints().stream()
                .map(folder -> Checkpoint.open(PLACE, InputFiles.path(folder)))
                .toList();
    }

    /**
     * The mean of what the policies of an ensemble were before any training; null when one of the checkpoints does not
     * say.
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
        return new BidPolicy(InitialBids.mean(networks), auctions);
    }
}
