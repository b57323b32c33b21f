package org.trainyard.experiments.prediction;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.trainyard.agents.learned.inside.IntraNodeEncoder;
import org.trainyard.agents.learned.interiors.GpuSetTraining;
import org.trainyard.agents.learned.interiors.SetRegret;
import org.trainyard.agents.linkestimates.BestRing;
import org.trainyard.agents.linkestimates.MapaPrediction;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Interiors;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.gnn.cluster.ClusterEncoder;
import org.trainyard.gnn.cluster.GpuSetEncoder;

/** Trains a level inside servers, and reports how well it chooses sets of GPUs on interiors with a name. */
public final class InteriorFit {
    private static final int SETS = 384;
    private static final int SIZE = 16;

    private InteriorFit() {}

    private static ClusterEncoder.Kind kind(String encoder) {
        for (ClusterEncoder.Kind kind : ClusterEncoder.Kind.values()) {
            if (kind.name().equalsIgnoreCase(encoder)) {
                return kind;
            }
        }
        throw InputException.at("--encoder", encoder, "Hierarchical or Flat");
    }

    /**
     * Trains, writes the weights to a file and the report to {@code out}.
     *
     * @param encoder Hierarchical, with messages between GPUs, or Flat
     * @param interiors number of drawn ones
     * @param heldOut names of interiors that it is not trained on
     */
    public static void run(
            String encoder, int interiors, int steps, List<String> heldOut, long seed, Path file, PrintWriter out) {
        List<ServerInterior> given = new ArrayList<>();
        for (String name : Interiors.NAMES) {
            if (!heldOut.contains(name)) {
                given.add(Interiors.named(name));
            }
        }
        for (String name : heldOut) {
            if (!Interiors.NAMES.contains(name)) {
                throw InputException.at("--hold-out", name, "one of " + String.join(", ", Interiors.NAMES));
            }
        }
        boolean isFlat = kind(encoder) == ClusterEncoder.Kind.FLAT;
        GpuSetEncoder.Settings shape =
                new GpuSetEncoder.Settings(kind(encoder), isFlat ? 64 : 32, isFlat ? 0 : 4, SIZE);
        GpuSetTraining.Settings settings = new GpuSetTraining.Settings(interiors, steps, SETS, isFlat ? 3e-3 : 4e-3);
        float[] weights = new GpuSetTraining(shape, settings, given, seed).weights();
        IntraNodeEncoder level = new IntraNodeEncoder(shape, weights, false);
        String hash = level.save(file);
        out.println("%s: %s, SHA-256 %s".formatted(file, level, hash));
        out.println("mean loss of ln(bandwidth) by choosing sets of GPUs");
        out.println("%-8s %8s %9s %8s %8s".formatted("interior", "trained", "best ring", "MAPA", "sum"));
        for (String name : Interiors.NAMES) {
            out.println(row(name, heldOut.contains(name), level));
        }
    }

    private static String row(String name, boolean isHeldOut, IntraNodeEncoder level) {
        ServerInterior interior = Interiors.named(name);
        return String.format(
                Locale.ROOT,
                "%-8s %8.4f %9.4f %8.4f %8.4f%s",
                name,
                SetRegret.of(interior, level.table()),
                SetRegret.of(interior, BestRing.FORMULA.of(interior)),
                SetRegret.of(interior, new MapaPrediction(interior)::predicted),
                SetRegret.of(interior, gpus -> SetRegret.sum(interior, gpus)),
                isHeldOut ? "  held out" : "");
    }
}
