package org.trainyard.env.pipeline.mixed;

import java.util.ArrayList;
import java.util.List;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.planning.DeviceGraph;

/**
 * Mixed data and tensor parallelism without stages: every layer is a matrix product whose layouts are chosen, on one
 * group of all GPUs, or on a grid with the batch split over servers and the layouts chosen within them.
 *
 * <p>Source: the cost model of J. Yuan et al.: OneFlow, 2021. Our reading: (1) all micro-batches are one batch; (2) a
 * conversion on p GPUs takes its bytes over p times the slowest link between them; (3) nothing is overlapped; (4) on
 * the grid, gradients are all-reduced over the network cards once; (5) a grid needs equally many GPUs on each server;
 * (6) no loss has a softmax.
 */
public final class MixedPlanner {
    private static final double PARAMETER_COPIES = 2;

    private MixedPlanner() {}

    /**
     * How a layer lies on the GPUs of a group: its input as the product reads it, its weights as they stay, and its
     * output as the product leaves it.
     */
    public record LayerLayout(TensorLayout input, TensorLayout weights, TensorLayout output) {}

    /**
     * The best layouts.
     *
     * @param servers groups over which the batch is split before, 1 for one group of all GPUs
     * @param layers the layout of each
     * @param groupSeconds time of one iteration without the exchange of gradients between groups
     * @param iterationSeconds time of one iteration
     * @param memoryBytes on each GPU
     * @param fits whether every GPU has the memory
     */
    public record Plan(
            int servers,
            List<LayerLayout> layers,
            double groupSeconds,
            double iterationSeconds,
            double memoryBytes,
            boolean fits) {
        public Plan {
            layers = List.copyOf(layers);
        }

        boolean isBetterThan(Plan other) {
            return fits != other.fits ? fits : iterationSeconds < other.iterationSeconds;
        }
    }

    /** The faster of both ways, of those that fit in memory if one does. */
    public static Plan plan(LayerProfile profile, DeviceGraph devices, int microBatches) {
        Plan flat = group(profile, devices, microBatches, 1);
        int servers = evenServers(devices);
        if (servers < 2) {
            return flat;
        }
        Plan grid = group(profile, devices, microBatches, servers);
        return grid.isBetterThan(flat) ? grid : flat;
    }

    /**
     * The time of an iteration of a plan for the same GPUs where the network is narrower; on one group the layouts are
     * chosen anew, on a grid no server uses the network for them.
     */
    public static double iterationSeconds(Plan plan, LayerProfile profile, DeviceGraph devices, int microBatches) {
        return plan.servers() == 1
                ? group(profile, devices, microBatches, 1).iterationSeconds()
                : plan.groupSeconds() + exchangeSeconds(profile, devices, plan.servers());
    }

    private static double exchangeSeconds(LayerProfile profile, DeviceGraph devices, int servers) {
        return servers == 1 ? 0 : 2.0 * (servers - 1) / servers * profile.parameterBytes() / devices.narrowestCard();
    }

    /** The number of servers when each has equally many GPUs, at least two, else 1. */
    private static int evenServers(DeviceGraph devices) {
        int servers = devices.serverOf(devices.count() - 1) + 1;
        int each = devices.count() / servers;
        for (int gpu = 0; gpu < devices.count(); gpu++) {
            if (devices.serverOf(gpu) != gpu / each) {
                return 1;
            }
        }
        return each < 2 ? 1 : servers;
    }

    private static Plan group(LayerProfile profile, DeviceGraph devices, int microBatches, int servers) {
        int gpus = devices.count() / servers;
        double batch = (double) microBatches / servers;
        double slowest = slowest(devices);
        List<LayoutChain.Product> products = new ArrayList<>();
        for (int layer = 0; layer < profile.size(); layer++) {
            double input = layer == 0 ? 0 : profile.cutBytes(layer);
            products.add(new LayoutChain.Product(
                    batch * input,
                    profile.parameterBytes(layer, layer + 1),
                    batch * profile.layers().get(layer).cutBytes(),
                    batch * profile.forwardSeconds(layer, layer + 1) / slowest,
                    batch * profile.backwardSeconds(layer, layer + 1) / slowest));
        }
        double link = gpus == 1 ? 0 : 1 / (gpus * narrowest(devices, gpus));
        LayoutSearch.Result best = LayoutSearch.best(new LayoutChain(products, gpus, link, 0), true);
        List<LayerLayout> layouts = new ArrayList<>();
        double weights = 0;
        double activations = 0;
        for (int layer = 0; layer < profile.size(); layer++) {
            LayoutChain.Choice choice = best.choices().get(layer);
            boolean isSplit = choice.stored().isSplit();
            layouts.add(new LayerLayout(
                    choice.forward().left(), choice.stored(), choice.forward().product()));
            weights += profile.parameterBytes(layer, layer + 1) / (isSplit ? gpus : 1);
            activations += batch
                    * profile.activationBytes(layer, layer + 1)
                    / (choice.forward().product().isSplit() ? gpus : 1);
        }
        double memory = PARAMETER_COPIES * weights + activations;
        double iteration = best.seconds() + exchangeSeconds(profile, devices, servers);
        return new Plan(servers, layouts, best.seconds(), iteration, memory, memory <= leastMemory(devices));
    }

    private static double slowest(DeviceGraph devices) {
        double slowest = Double.POSITIVE_INFINITY;
        for (int gpu = 0; gpu < devices.count(); gpu++) {
            slowest = Math.min(slowest, devices.speed(gpu));
        }
        return slowest;
    }

    private static double leastMemory(DeviceGraph devices) {
        double least = Double.POSITIVE_INFINITY;
        for (int gpu = 0; gpu < devices.count(); gpu++) {
            least = Math.min(least, devices.memoryBytes(gpu));
        }
        return least;
    }

    /** The slowest link within a group of so many neighbouring GPUs. */
    private static double narrowest(DeviceGraph devices, int group) {
        double narrowest = Double.POSITIVE_INFINITY;
        for (int a = 0; a < devices.count(); a++) {
            for (int b = 0; b < a; b++) {
                narrowest = a / group == b / group ? Math.min(narrowest, devices.bytesPerSecond(a, b)) : narrowest;
            }
        }
        return narrowest;
    }
}
