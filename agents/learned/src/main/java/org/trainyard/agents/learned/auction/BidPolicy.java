package org.trainyard.agents.learned.auction;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.inside.IntraNodeEncoder;
import org.trainyard.agents.learned.policy.ChoiceListener;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.gym.decentralised.Bidder;
import org.trainyard.env.gym.decentralised.DecentralisedAgents;
import org.trainyard.env.gym.decentralised.DecentralisedScheduler;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.gnn.CheckedFile;

/**
 * Agents that bid by a network in an auction.
 *
 * @param network its weights may change while it is trained
 * @param encoder of the whole data centre, whose embeddings are further inputs of the network; null for none
 * @param auctions settings of its auctions; whether running jobs may be preempted is the deployment's, and rules that
 *     agents are told, those of its training, are not in its file
 */
public record BidPolicy(BidNetwork network, @Nullable BidEncoder encoder, AuctionSettings auctions) {
    /** The kind of its files, see {@link CheckedFile}. */
    public static final String KIND = "TYBIDDER";

    private static final int VERSION = 4;
    /** Files of this version have no level inside servers; it is still written for policies that have none. */
    private static final int WITHOUT_INSIDE = 3;

    private static final int WIDEST = 1024;

    public BidPolicy {
        int inputs = encoder == null ? 0 : encoder.inputs();
        if (network.inputs() != inputs) {
            throw new IllegalArgumentException(
                    "the network has (%d) further inputs, the encoder makes (%d)".formatted(network.inputs(), inputs));
        }
    }

    /** A policy without encoder. */
    public BidPolicy(BidNetwork network, AuctionSettings auctions) {
        this(network, null, auctions);
    }

    /** Returns a policy that shares these weights, with the preemption rules of its training. */
    public BidPolicy told(@Nullable PreemptionRules rules) {
        return new BidPolicy(network, encoder, auctions.told(rules));
    }

    /** The auctioneer of a run; preemption is that of the deployment. */
    public Auctioneer auctioneer(SimView view, Deployment deployment) {
        return new Auctioneer(
                view,
                deployment.topology(),
                auctions.with(deployment.preemption()),
                deployment.domains(),
                deployment.beliefOfRun());
    }

    /** The agents of a run in a deployment where they decide apart. */
    public DecentralisedAgents agents(SimView view, Deployment deployment, Function<Auctioneer, Bidder> bidders) {
        return new DecentralisedAgents(
                view,
                deployment.topology(),
                deployment.domains(),
                Objects.requireNonNull(deployment.apart()),
                auctions.with(deployment.preemption()),
                deployment::beliefOfRun,
                bidders,
                deployment.workers());
    }

    /** The policy as a scheduler for one run; its weights must not change meanwhile. Several runs may go on at once. */
    public Scheduler scheduler(Deployment deployment) {
        return scheduler(deployment, (AuctionScheduler.Listener) null);
    }

    /** The policy as a scheduler for one run that tells of the best bids of every auction. */
    public Scheduler scheduler(Deployment deployment, ChoiceListener listener) {
        return scheduler(deployment, new AuctionScheduler.BestBids(listener));
    }

    /**
     * The policy as a scheduler for one run; its weights must not change meanwhile.
     *
     * @param listener is told of every auction among all agents, but not of those of agents that decide apart; null for
     *     none
     */
    public Scheduler scheduler(Deployment deployment, AuctionScheduler.@Nullable Listener listener) {
        return deployment.apart() == null
                ? new AuctionScheduler(this, deployment, listener)
                : new DecentralisedScheduler(
                        view -> agents(view, deployment, auctioneer -> new BidScorer(this, auctioneer)::offer));
    }

    /** A policy of equal weights that shares nothing with this one. */
    public BidPolicy copy() {
        return new BidPolicy(network.copy(), encoder == null ? null : encoder.copy(), auctions);
    }

    /**
     * Moves the weights to those of a policy of the same shape.
     *
     * @param keep part of its own weights that stays
     */
    public void average(double keep, BidPolicy now) {
        average(keep, network.weights(), now.network.weights());
        if (encoder != null && now.encoder != null) {
            average(keep, encoder.weights(), now.encoder.weights());
            IntraNodeEncoder inside = encoder.inside();
            IntraNodeEncoder its = now.encoder.inside();
            if (inside != null && its != null && inside.learns()) {
                average(keep, inside.weights(), its.weights());
            }
        }
        changed();
    }

    /** Forgets results of weights that have changed. */
    public void changed() {
        IntraNodeEncoder inside = encoder == null ? null : encoder.inside();
        if (inside != null && inside.learns()) {
            inside.changed();
        }
    }

    private static void average(double keep, float[] mean, float[] now) {
        for (int w = 0; w < mean.length; w++) {
            mean[w] = (float) (keep * mean[w] + (1 - keep) * now[w]);
        }
    }

    /** Facts of the policy in its file, by name: settings and number of weights. */
    public Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("bids of", Counted.say("%d jobs for %d sets of servers each", auctions.jobs(), auctions.sets()));
        facts.put("order", auctions.order().title());
        facts.put("moves", auctions.moves());
        facts.put("patience", auctions.patience());
        facts.put("columns", BidColumn.COUNT);
        facts.put("hidden", network.hidden());
        int bids = network.weights().length;
        int cluster = encoder == null ? 0 : encoder.weights().length;
        IntraNodeEncoder level = encoder == null ? null : encoder.inside();
        int inside = level == null ? 0 : level.weights().length;
        facts.put("parameters", bids + cluster + inside);
        if (encoder != null) {
            facts.put(
                    "parameters of",
                    Counted.say("bids %,d, encoder %,d", bids, cluster)
                            + (level == null ? "" : Counted.say(", inside %,d", inside)));
        }
        facts.put("encoder", encoder == null ? "none" : encoder.toString());
        return facts;
    }

    /** Writes settings and weights; returns the SHA-256 of the file. */
    public String save(Path file) {
        boolean hasInside = encoder != null && encoder.inside() != null;
        return CheckedFile.write(file, KIND, hasInside ? VERSION : WITHOUT_INSIDE, out -> {
            out.writeUTF(BidColumn.schema().hash());
            out.writeInt(network.hidden());
            out.writeUTF(auctions.order().title());
            out.writeInt(auctions.jobs());
            out.writeInt(auctions.sets());
            out.writeInt(auctions.moves());
            out.writeBoolean(auctions.patience());
            out.writeBoolean(encoder != null);
            if (encoder != null) {
                encoder.write(out);
            }
            network.write(out);
        });
    }

    /**
     * The policy in a file. One that was saved when bids had fewer columns ({@link BidColumn#count}) reads nothing of
     * the others.
     *
     * @throws InputException when there is no such file, it is foreign or damaged, or its bids have other columns
     */
    public static BidPolicy load(Path file) {
        int version = CheckedFile.version(file, KIND) == VERSION ? VERSION : WITHOUT_INSIDE;
        try (DataInputStream in = CheckedFile.read(file, KIND, version)) {
            int columns = BidColumn.count(file, in.readUTF());
            int hidden = in.readInt();
            if (hidden < 1 || hidden > WIDEST) {
                throw InputException.at(file.toString(), hidden, "1 to %d hidden units".formatted(WIDEST));
            }
            AuctionSettings auctions = new AuctionSettings(
                    RemainingTime.of(in.readUTF()), in.readInt(), in.readInt(), in.readInt(), true, in.readBoolean());
            BidEncoder encoder = in.readBoolean() ? BidEncoder.read(in, file.toString(), version == VERSION) : null;
            BidNetwork network = new BidNetwork(hidden, encoder == null ? 0 : encoder.inputs());
            network.read(in, columns);
            return new BidPolicy(network, encoder, auctions);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read %s".formatted(file), e);
        }
    }
}
