package org.trainyard.env.scheduling.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.ModelProfile;

/**
 * Speeds of the servers' GPUs relative to the fastest GPUs of the cluster: from the data sheet of the GPU types, and
 * for a model that was measured on all of them, its own. A model that was measured on some of them only has those of
 * the data sheet, because the two scales do not mix.
 */
public final class GpuSpeeds {
    private final List<GpuType> types = new ArrayList<>();
    private final int[] typeOf;
    /** By type, from the data sheet; one for all models that were not measured. */
    private final double[] sheet;

    private final IdentityHashMap<ModelProfile, double[]> byModel = new IdentityHashMap<>();

    public GpuSpeeds(Topology topology) {
        typeOf = new int[topology.servers()];
        Arrays.fill(typeOf, -1);
        for (int server = 0; server < topology.servers(); server++) {
            if (topology.gpusOn(server) > 0) {
                GpuType type = topology.server(server).gpuType();
                if (!types.contains(type)) {
                    types.add(type);
                }
                typeOf[server] = types.indexOf(type);
            }
        }
        sheet = relative(types.stream().mapToDouble(GpuType::speed).toArray());
    }

    private static double[] relative(double[] speeds) {
        double fastest = Arrays.stream(speeds).max().orElse(1);
        return Arrays.stream(speeds).map(speed -> speed / fastest).toArray();
    }

    /**
     * Relative speed of the server's GPUs, above 0, exactly 1 for the fastest of the cluster and for a server without
     * GPUs.
     */
    public double of(int server) {
        return typeOf[server] < 0 ? 1 : sheet[typeOf[server]];
    }

    /**
     * Relative training speed of the model on the server's GPUs, above 0, exactly 1 for the GPUs of the cluster on
     * which the model trains fastest and for a server without GPUs.
     */
    public double of(int server, ModelProfile model) {
        return typeOf[server] < 0 ? 1 : of(model)[typeOf[server]];
    }

    /** How many times as fast the model trains on the fastest GPUs of the cluster as on the slowest, at least 1. */
    public double speedUp(ModelProfile model) {
        return 1 / Arrays.stream(of(model)).min().orElse(1);
    }

    private double[] of(ModelProfile model) {
        if (types.size() < 2 || model.speeds().isEmpty()) {
            return sheet;
        }
        double[] known = byModel.get(model);
        if (known == null) {
            known = isMeasured(model)
                    ? relative(types.stream()
                            .mapToDouble(type -> 1 / model.computeSecondsOn(type))
                            .toArray())
                    : sheet;
            byModel.put(model, known);
        }
        return known;
    }

    /** Measured speeds are relative to the V100, which need not be among them. */
    private boolean isMeasured(ModelProfile model) {
        return types.stream()
                .allMatch(type -> type.equals(GpuType.V100) || model.speeds().containsKey(type.name()));
    }
}
