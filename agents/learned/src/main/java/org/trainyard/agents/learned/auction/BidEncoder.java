package org.trainyard.agents.learned.auction;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.inside.IntraNodeEncoder;
import org.trainyard.agents.learned.inside.ServerSets;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.auction.NodeColumn;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.cluster.ClusterEncoder;
import org.trainyard.gnn.cluster.LinkMatrix;

/** The encoder of the whole data centre whose embeddings are further inputs of bids: its shape and its weights. */
public final class BidEncoder {
    private static final int WIDEST = 1024;

    private final ClusterEncoder.Settings settings;
    private final @Nullable IntraNodeEncoder inside;
    private final float[] weights;

    private BidEncoder(ClusterEncoder.Settings settings, @Nullable IntraNodeEncoder inside, float[] weights) {
        this.settings = settings;
        this.inside = inside;
        this.weights = weights;
    }

    /**
     * An encoder with random weights.
     *
     * @param inside the level inside servers, with weights of its own; null without
     */
    public static BidEncoder random(
            ClusterEncoder.Kind kind, int hidden, int rounds, @Nullable IntraNodeEncoder inside, long seed) {
        ClusterEncoder.Settings settings =
                settings(kind, inside, hidden, kind == ClusterEncoder.Kind.FLAT ? 0 : rounds);
        return new BidEncoder(settings, inside, settings.initial(seed));
    }

    private static ClusterEncoder.Settings settings(
            ClusterEncoder.Kind kind, @Nullable IntraNodeEncoder inside, int hidden, int rounds) {
        int size = inside == null ? 0 : inside.settings().size();
        return new ClusterEncoder.Settings(kind, NodeColumn.COUNT, size, hidden, rounds);
    }

    public ClusterEncoder.Settings settings() {
        return settings;
    }

    /**
     * The encoder in tensors: creates its weights among the parameters, in the order of {@link #weights} but with other
     * values.
     */
    public ClusterEncoder layers(Parameters parameters) {
        return new ClusterEncoder(parameters, settings);
    }

    /** The level inside servers; null without. */
    public @Nullable IntraNodeEncoder inside() {
        return inside;
    }

    /** The embeddings of sets of GPUs of servers with these links, by the present weights; null without. */
    @Nullable ServerSets sets(LinkMatrix[] links) {
        return inside == null ? null : new ServerSets(inside.table(), links);
    }

    /** All weights but those of the level inside servers; a change of the array changes the encoder. */
    public float[] weights() {
        return weights;
    }

    /** Further inputs of a bid. */
    public int inputs() {
        return BidInputs.size(settings.hidden(), settings.inside());
    }

    /** A copy with weights of its own. */
    BidEncoder copy() {
        return new BidEncoder(settings, inside == null ? null : inside.copy(), weights.clone());
    }

    void write(DataOutput out) throws IOException {
        out.writeUTF(NodeColumn.schema().hash());
        out.writeUTF(settings.kind().name());
        out.writeInt(settings.hidden());
        out.writeInt(settings.rounds());
        if (inside != null) {
            inside.write(out);
        }
        for (float weight : weights) {
            out.writeFloat(weight);
        }
    }

    private void readOwnWeights(DataInput in) throws IOException {
        for (int w = 0; w < weights.length; w++) {
            weights[w] = in.readFloat();
        }
    }

    /**
     * Reads what {@link #write} wrote to a file of this name.
     *
     * @param hasInside whether there is a level inside servers
     */
    static BidEncoder read(DataInput in, String file, boolean hasInside) throws IOException {
        NodeColumn.schema().require(file, in.readUTF());
        ClusterEncoder.Kind kind = ClusterEncoder.Kind.valueOf(in.readUTF());
        int hidden = in.readInt();
        int rounds = in.readInt();
        if (hidden < 1 || hidden > WIDEST || rounds < 0 || rounds > WIDEST) {
            throw InputException.at(
                    file, "%d, %d".formatted(hidden, rounds), "hidden units and rounds up to %d".formatted(WIDEST));
        }
        IntraNodeEncoder inside = hasInside ? IntraNodeEncoder.read(in, file) : null;
        ClusterEncoder.Settings settings = settings(kind, inside, hidden, rounds);
        BidEncoder encoder = new BidEncoder(settings, inside, new float[settings.weights()]);
        encoder.readOwnWeights(in);
        return encoder;
    }

    @Override
    public String toString() {
        return Counted.say(
                "%s, %d hidden, %d rounds, %d parameters%s",
                settings.kind() == ClusterEncoder.Kind.FLAT ? "flat" : "hierarchical",
                settings.hidden(),
                settings.rounds(),
                weights.length,
                inside == null ? "" : "; inside servers " + inside);
    }
}
