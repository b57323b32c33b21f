package org.trainyard.agents.heuristic.packing;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.ScoredFit;
import org.trainyard.agents.heuristic.placing.ServerScore;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.PlacementPolicies;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.scheduling.fragmentation.TargetWorkload;
import org.trainyard.env.topology.Topology;

/** The placement policies compared in Q. Weng et al.: Beware of fragmentation, USENIX ATC 2023. */
@OwnFamily(module = "agents/heuristics")
public final class FragmentationPolicies implements SchedulerPlugin {
    @FunctionalInterface
    private interface ScoreFactory {
        ServerScore create(Topology topology, @Nullable TargetWorkload target, long seed);
    }

    /** Placement policies in the order in which to list them. */
    public static final List<PlacementPolicies.Entry> ENTRIES = List.of(
            scored(
                    "fgd",
                    "where fragmentation grows least (FGD)",
                    (on, target, seed) -> new FragmentationGradient(on, target)),
            scored("best-fit", "the server with least CPU and GPUs left", (on, target, seed) -> new LeastLeft(on)),
            scored(
                    "dot-product",
                    "the server whose free CPU and GPUs have the smallest dot product with the demand",
                    (on, target, seed) -> new DotProduct(on)),
            scored(
                    "gpu-packing",
                    "used GPUs, then used servers, then idle ones",
                    (on, target, seed) -> new GpuPacking()),
            scored("gpu-clustering", "beside jobs that want as many GPUs", (on, target, seed) -> new GpuClustering(on)),
            scored("random", "a random server with room", (on, target, seed) -> new RandomServer(seed)));

    @Override
    public List<PlacementPolicies.Entry> placers() {
        return ENTRIES;
    }

    private static PlacementPolicies.Entry scored(String name, String description, ScoreFactory score) {
        return new PlacementPolicies.Entry(
                name, description, (on, target, seed) -> new ScoredFit(score.create(on, target, seed), on, seed));
    }
}
