package org.trainyard.agents.learned.auction;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.auction.NodeColumn;
import org.trainyard.gnn.cluster.ClusterEncoder;

/** The encoder of the whole data centre whose embeddings are further inputs of bids: its shape and its weights. */
public final class BidEncoder {
    private static final int WIDEST = 1024;

    private final ClusterEncoder.Settings settings;
    private final float[] weights;

    private BidEncoder(ClusterEncoder.Settings settings, float[] weights) {
        this.settings = settings;
        this.weights = weights;
    }

    /** With random weights. */
    public static BidEncoder random(ClusterEncoder.Kind kind, int hidden, int rounds, long seed) {
        ClusterEncoder.Settings settings = new ClusterEncoder.Settings(
                kind, NodeColumn.COUNT, hidden, kind == ClusterEncoder.Kind.FLAT ? 0 : rounds);
        return new BidEncoder(settings, settings.initial(seed));
    }

    public ClusterEncoder.Settings settings() {
        return settings;
    }

    /** All weights; a change of the array changes the encoder. */
    public float[] weights() {
        return weights;
    }

    /** Further inputs of a bid. */
    public int inputs() {
        return BidInputs.size(settings.hidden());
    }

    /** A copy with weights of its own. */
    BidEncoder copy() {
        return new BidEncoder(settings, weights.clone());
    }

    void write(DataOutput out) throws IOException {
        out.writeUTF(NodeColumn.schema().hash());
        out.writeUTF(settings.kind().name());
        out.writeInt(settings.hidden());
        out.writeInt(settings.rounds());
        writeWeights(out);
    }

    void writeWeights(DataOutput out) throws IOException {
        for (float weight : weights) {
            out.writeFloat(weight);
        }
    }

    void readWeights(DataInput in) throws IOException {
        for (int w = 0; w < weights.length; w++) {
            weights[w] = in.readFloat();
        }
    }

    /** Reads what {@link #write} wrote to a file of this name. */
    static BidEncoder read(DataInput in, String file) throws IOException {
        NodeColumn.schema().require(file, in.readUTF());
        ClusterEncoder.Kind kind = ClusterEncoder.Kind.valueOf(in.readUTF());
        int hidden = in.readInt();
        int rounds = in.readInt();
        if (hidden < 1 || hidden > WIDEST || rounds < 0 || rounds > WIDEST) {
            throw InputException.at(
                    file, "%d, %d".formatted(hidden, rounds), "hidden units and rounds up to %d".formatted(WIDEST));
        }
        ClusterEncoder.Settings settings = new ClusterEncoder.Settings(kind, NodeColumn.COUNT, hidden, rounds);
        BidEncoder encoder = new BidEncoder(settings, new float[settings.weights()]);
        encoder.readWeights(in);
        return encoder;
    }

    @Override
    public String toString() {
        return "%s, %d hidden, %d rounds, %d parameters"
                .formatted(
                        settings.kind() == ClusterEncoder.Kind.FLAT ? "flat" : "hierarchical",
                        settings.hidden(),
                        settings.rounds(),
                        weights.length);
    }
}
