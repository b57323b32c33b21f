package org.trainyard.env.performance.bounds;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Topology;

/**
 * The GPUs of a cluster by type, the fastest first.
 *
 * @param types GPU types of the cluster
 * @param gpus number of GPUs of each
 */
record GpuCapacity(List<GpuType> types, List<Integer> gpus) {
    GpuCapacity {
        types = List.copyOf(types);
        gpus = List.copyOf(gpus);
    }

    static GpuCapacity of(Topology topology) {
        List<GpuType> types = new ArrayList<>();
        for (int server = 0; server < topology.servers(); server++) {
            GpuType type = topology.server(server).gpuType();
            if (topology.gpusOn(server) > 0 && !types.contains(type)) {
                types.add(type);
            }
        }
        types.sort(Comparator.comparingDouble(GpuType::speed).reversed());
        List<Integer> gpus = new ArrayList<>();
        for (GpuType type : types) {
            int sum = 0;
            for (int server = 0; server < topology.servers(); server++) {
                sum += topology.server(server).gpuType().equals(type) ? topology.gpusOn(server) : 0;
            }
            gpus.add(sum);
        }
        return new GpuCapacity(types, gpus);
    }

    /** The sum over types of GPUs times the type's price. */
    double worth(double[] prices) {
        double worth = 0;
        for (int type = 0; type < gpus.size(); type++) {
            worth += gpus.get(type) * prices[type];
        }
        return worth;
    }
}
