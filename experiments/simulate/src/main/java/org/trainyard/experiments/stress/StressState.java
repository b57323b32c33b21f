package org.trainyard.experiments.stress;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.trainyard.gnn.CheckedFile;

/**
 * The state of a {@link StressSearch} between two generations, as a file.
 *
 * @param random hardness of the first generation
 * @param lineages the hardest first
 */
record StressState(int generations, List<Double> random, List<StressSearch.Found> lineages) {
    private static final String KIND = "TYSTRESS";
    private static final int VERSION = 1;

    StressState {
        random = List.copyOf(random);
        lineages = List.copyOf(lineages);
    }

    /** Replaces the file atomically. */
    void save(Path file) {
        CheckedFile.write(file, KIND, VERSION, out -> {
            out.writeInt(generations);
            out.writeInt(random.size());
            for (double hardness : random) {
                out.writeDouble(hardness);
            }
            out.writeInt(lineages.size());
            for (StressSearch.Found found : lineages) {
                write(found, out);
            }
        });
    }

    private static void write(StressSearch.Found found, DataOutputStream out) throws IOException {
        ShuffledWorkload workload = found.workload();
        out.writeDouble(found.hardness());
        out.writeLong(workload.seed());
        out.writeInt(workload.order().size());
        for (int i = 0; i < workload.order().size(); i++) {
            out.writeInt(workload.order().get(i));
            out.writeLong(workload.submitNanos().get(i));
        }
    }

    static StressState load(Path file) {
        try (DataInputStream in = CheckedFile.read(file, KIND, VERSION)) {
            int generations = in.readInt();
            List<Double> random = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                random.add(in.readDouble());
            }
            List<StressSearch.Found> lineages = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                lineages.add(read(in));
            }
            return new StressState(generations, random, lineages);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read %s".formatted(file), e);
        }
    }

    private static StressSearch.Found read(DataInputStream in) throws IOException {
        double hardness = in.readDouble();
        long seed = in.readLong();
        List<Integer> order = new ArrayList<>();
        List<Long> submitNanos = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            order.add(in.readInt());
            submitNanos.add(in.readLong());
        }
        return new StressSearch.Found(new ShuffledWorkload(seed, order, submitNanos), hardness);
    }
}
