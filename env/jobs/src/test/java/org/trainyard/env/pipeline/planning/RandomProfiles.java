package org.trainyard.env.pipeline.planning;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.trainyard.env.pipeline.Layer;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;

/** Random layer profiles and small clusters. */
final class RandomProfiles {
    private RandomProfiles() {}

    static LayerProfile of(RandomGenerator random, int layers) {
        List<Layer> made = new ArrayList<>();
        for (int i = 0; i < layers; i++) {
            double forward = 0.001 * (1 + random.nextInt(9));
            made.add(new Layer("layer" + i, forward, 2 * forward, 1e6 * random.nextInt(20), 1e6 * random.nextInt(200)));
        }
        return new LayerProfile("random", 1, made);
    }

    static Devices servers(int servers, int gpus) {
        Topology topology = Topology.uniform("rack", Fabric.DEFAULT, 1, servers, ServerSpec.ofV100(gpus), 1);
        return DeviceGraph.of(
                topology,
                Placement.of(topology, IntStream.range(0, topology.gpus()).toArray()));
    }
}
