package org.trainyard.agents.learned.inside;

import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.RingBelief;
import org.trainyard.gnn.CheckedFile;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.cluster.ClusterEncoder;
import org.trainyard.gnn.cluster.GpuSetEncoder;
import org.trainyard.gnn.cluster.GpuSetTable;
import org.trainyard.gnn.cluster.LinkMatrix;

/**
 * The level inside servers of an encoder for bids: the encoder of sets of GPUs, its weights, and the embeddings of the
 * sets that were asked for since the weights changed.
 */
public final class IntraNodeEncoder {
    private static final int WIDEST = 1024;
    private static final String KIND = "TYGPUSET";
    private static final int VERSION = 1;
    private static final String SHIPPED = "gpu-sets.bin";
    /** File of two layers over the links in a row, for comparison. */
    private static final String FLAT = "flat-sets.bin";

    /** Lower bound of every believed bandwidth, GB/s. */
    private static final double LEAST = 0.1;

    private final GpuSetEncoder.Settings settings;
    private final float[] weights;
    private final boolean learns;
    private @Nullable GpuSetTable table;

    /**
     * Owns the weights.
     *
     * @param learns whether they change with the policy
     */
    public IntraNodeEncoder(GpuSetEncoder.Settings settings, float[] weights, boolean learns) {
        if (weights.length != settings.weights()) {
            throw new IllegalArgumentException(
                    "there are (%d) weights, not (%d)".formatted(settings.weights(), weights.length));
        }
        this.settings = settings;
        this.weights = weights;
        this.learns = learns;
    }

    public GpuSetEncoder.Settings settings() {
        return settings;
    }

    /**
     * The level in tensors: creates its weights among the parameters, in the order of {@link #weights} but with other
     * values.
     */
    public GpuSetEncoder layers(Parameters parameters) {
        return new GpuSetEncoder(parameters, settings);
    }

    /** All weights; whoever changes the array calls {@link #changed}. */
    public float[] weights() {
        return weights;
    }

    /** Whether the weights change with the policy. */
    public boolean learns() {
        return learns;
    }

    /** The embeddings by the present weights. */
    public synchronized GpuSetTable table() {
        if (table == null) {
            table = new GpuSetTable(settings, weights);
        }
        return table;
    }

    /** Forgets the embeddings. */
    public synchronized void changed() {
        table = null;
    }

    /** A copy with weights of its own. */
    public IntraNodeEncoder copy() {
        return new IntraNodeEncoder(settings, weights.clone(), learns);
    }

    /** The one that ships: trained on drawn interiors and those of {@code trainyard fit interiors}. */
    public static IntraNodeEncoder shipped(boolean learns) {
        return resource(SHIPPED, learns);
    }

    private static IntraNodeEncoder resource(String name, boolean learns) {
        try (InputStream in = Objects.requireNonNull(IntraNodeEncoder.class.getResourceAsStream(name))) {
            return read(CheckedFile.content(in.readAllBytes(), name, KIND, VERSION), name, learns);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }

    /** Belief of the shipped graph encoder about bandwidths: the first value of its embeddings. */
    public static RingBelief graph() {
        return Believed.GRAPH;
    }

    /** Belief of the shipped flat encoder, which was trained on the same interiors. */
    public static RingBelief flat() {
        return Believed.FLAT;
    }

    /** Belief of a level with the present weights about bandwidths. */
    RingBelief belief() {
        GpuSetTable sets = table();
        return interior -> {
            int number = sets.number(new LinkMatrix(interior));
            return set -> Math.max(LEAST, LinkMatrix.bandwidth(sets.embedding(number, set)[0]));
        };
    }

    /** The two that ship, each read when it is first asked for. */
    private static final class Believed {
        private static final RingBelief GRAPH = resource(SHIPPED, false).belief();
        private static final RingBelief FLAT =
                resource(IntraNodeEncoder.FLAT, false).belief();

        private Believed() {}
    }

    /** Writes it to a file of its own; returns the SHA-256 of the file. */
    public String save(Path file) {
        return CheckedFile.write(file, KIND, VERSION, this::write);
    }

    /** Reads what {@link #save} wrote. */
    public static IntraNodeEncoder load(Path file, boolean learns) {
        try (DataInputStream in = CheckedFile.read(file, KIND, VERSION)) {
            return read(in, file.toString(), learns);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read %s".formatted(file), e);
        }
    }

    private static IntraNodeEncoder read(DataInputStream in, String file, boolean learns) throws IOException {
        IntraNodeEncoder level = read(in, file);
        return new IntraNodeEncoder(level.settings, level.weights, learns);
    }

    /** Writes shape and weights. */
    public void write(DataOutput out) throws IOException {
        out.writeUTF(settings.kind().name());
        out.writeInt(settings.hidden());
        out.writeInt(settings.rounds());
        out.writeInt(settings.size());
        out.writeBoolean(learns);
        writeWeights(out);
    }

    public void writeWeights(DataOutput out) throws IOException {
        for (float weight : weights) {
            out.writeFloat(weight);
        }
    }

    /** Reads as many weights. */
    public void readWeights(DataInput in) throws IOException {
        for (int w = 0; w < weights.length; w++) {
            weights[w] = in.readFloat();
        }
        changed();
    }

    /** Reads what {@link #write} wrote to a file of this name. */
    public static IntraNodeEncoder read(DataInput in, String file) throws IOException {
        ClusterEncoder.Kind kind = ClusterEncoder.Kind.valueOf(in.readUTF());
        int hidden = in.readInt();
        int rounds = in.readInt();
        int size = in.readInt();
        boolean learns = in.readBoolean();
        boolean isOutOfRange = hidden < 1 || hidden > WIDEST || rounds < 0 || rounds > WIDEST;
        if (isOutOfRange || size < GpuSetEncoder.BELIEFS || size > WIDEST) {
            throw InputException.at(
                    file,
                    "%d, %d, %d".formatted(hidden, rounds, size),
                    "hidden units, rounds and values of embeddings up to %d".formatted(WIDEST));
        }
        GpuSetEncoder.Settings settings = new GpuSetEncoder.Settings(kind, hidden, rounds, size);
        IntraNodeEncoder level = new IntraNodeEncoder(settings, new float[settings.weights()], learns);
        level.readWeights(in);
        return level;
    }

    @Override
    public String toString() {
        return Counted.say(
                "%s, %d hidden, %d rounds, %d values of a set, %d parameters%s",
                settings.kind() == ClusterEncoder.Kind.FLAT ? "flat" : "hierarchical",
                settings.hidden(),
                settings.rounds(),
                settings.size(),
                weights.length,
                learns ? "" : ", kept as they are");
    }
}
