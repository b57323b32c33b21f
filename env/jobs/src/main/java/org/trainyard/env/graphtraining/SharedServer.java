package org.trainyard.env.graphtraining;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * The division of one server's cores, PCIe bandwidth and network card among the jobs on it.
 *
 * <p>Ours; BGL isolates the stages of one job. {@link #together} makes the largest slowdown as small as possible,
 * exactly: with a limit on all slowdowns every stage needs a least number of cores or units, and only the values at
 * which such a number changes can be the best limit. What is then left goes to the jobs in their order.
 */
public final class SharedServer {
    private static final double ROUNDING = 1 + 1e-12;

    /**
     * A job on the server.
     *
     * @param ownCores cores that it holds for itself, at least 2; 0 for a part of the server's
     */
    public record Tenant(Stages stages, int ownCores) {
        private ServerShare share(ServerShare part) {
            return ownCores == 0 ? part : part.withCores(ownCores);
        }
    }

    private final List<Tenant> tenants;
    private final ServerShare server;
    private final double[] alone;
    private final int[] cores;
    private final int[] units;
    private final double[] nic;

    private SharedServer(List<Tenant> tenants, ServerShare server) {
        this.tenants = tenants;
        this.server = new ServerShare(
                Math.max(2 * pooled(tenants), server.cores()),
                Math.max(2 * tenants.size(), server.pcieUnits()),
                server.bytesPerSecondPerUnit(),
                server.nicBytesPerSecond());
        alone = tenants.stream()
                .mapToDouble(tenant -> seconds(tenant, this.server))
                .toArray();
        cores = new int[tenants.size()];
        units = new int[tenants.size()];
        nic = new double[tenants.size()];
    }

    /** How many of them, at least 1, divide the server's cores. */
    private static int pooled(List<Tenant> tenants) {
        return Math.max(1, (int)
                tenants.stream().filter(tenant -> tenant.ownCores() == 0).count());
    }

    private static double seconds(Tenant tenant, ServerShare part) {
        return StageAllocation.of(tenant.stages(), tenant.share(part)).seconds();
    }

    /**
     * Time of a mini-batch of each tenant when all are isolated, seconds.
     *
     * @param server whose cores are those that no tenant holds for itself; at least 2 of them and 2 units are assumed
     *     for each that divides them
     */
    public static double[] together(List<Tenant> tenants, ServerShare server) {
        SharedServer shared = new SharedServer(tenants, server);
        if (tenants.size() == 1) {
            return shared.alone;
        }
        shared.limit(shared.least());
        double[] seconds = new double[tenants.size()];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = shared.extended(i);
        }
        return seconds;
    }

    /** Time of a mini-batch of each tenant when each has an even part, in which its stages contend, seconds. */
    public static double[] evenly(List<Tenant> tenants, ServerShare server) {
        ServerShare part = server.among(tenants.size()).withCores(Math.max(2, server.cores() / pooled(tenants)));
        return tenants.stream()
                .mapToDouble(tenant -> StageAllocation.contendedSeconds(tenant.stages(), tenant.share(part)))
                .toArray();
    }

    /** The least limit on all slowdowns that can be kept. */
    private double least() {
        double bytesPerSecond = 0;
        for (int i = 0; i < alone.length; i++) {
            bytesPerSecond += tenants.get(i).stages().networkBytes() / alone[i];
        }
        double floor = Math.max(1, bytesPerSecond / server.nicBytesPerSecond());
        double[] limits = candidates(floor);
        int low = 0;
        int high = limits.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (limit(limits[middle])) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return limits[low];
    }

    /** Every slowdown at which a stage needs one core or unit less, sorted; the last can be kept. */
    private double[] candidates(double floor) {
        double[] limits = new double[1 + tenants.size() * 2 * (server.cores() + server.pcieUnits())];
        int count = 0;
        limits[count++] = floor;
        for (int i = 0; i < alone.length; i++) {
            Tenant tenant = tenants.get(i);
            for (int part = 1; tenant.ownCores() == 0 && part <= server.cores(); part++) {
                limits[count++] = tenant.stages().process(part) / alone[i];
                limits[count++] = tenant.stages().lookUp(part) / alone[i];
            }
            for (int part = 1; part <= server.pcieUnits(); part++) {
                double bandwidth = part * server.bytesPerSecondPerUnit();
                limits[count++] = tenant.stages().moveGraph(bandwidth) / alone[i];
                limits[count++] = tenant.stages().moveFeatures(bandwidth) / alone[i];
            }
        }
        return Arrays.stream(limits, 0, count)
                .filter(limit -> limit >= floor)
                .sorted()
                .toArray();
    }

    /** Gives every tenant the least with which its slowdown keeps the limit; false when that is more than there is. */
    private boolean limit(double slowdown) {
        int takenCores = 0;
        int takenUnits = 0;
        for (int i = 0; i < alone.length; i++) {
            take(i, slowdown * alone[i] * ROUNDING);
            takenCores += cores[i];
            takenUnits += units[i];
        }
        return takenCores <= server.cores() && takenUnits <= server.pcieUnits();
    }

    private void take(int tenant, double seconds) {
        Stages stages = tenants.get(tenant).stages();
        double unit = server.bytesPerSecondPerUnit();
        cores[tenant] = tenants.get(tenant).ownCores() > 0
                ? 0
                : least(stages::process, seconds, server.cores()) + least(stages::lookUp, seconds, server.cores());
        units[tenant] = least(part -> stages.moveGraph(part * unit), seconds, server.pcieUnits())
                + least(part -> stages.moveFeatures(part * unit), seconds, server.pcieUnits());
        nic[tenant] = stages.networkBytes() / seconds;
    }

    /** The least part with which a stage takes no longer. */
    private static int least(IntToDoubleFunction stage, double seconds, int most) {
        int low = 1;
        int high = most;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (stage.applyAsDouble(middle) <= seconds) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Gives a tenant what nobody has and takes back what it cannot use; its time of a mini-batch, seconds. */
    private double extended(int tenant) {
        Tenant job = tenants.get(tenant);
        ServerShare part = new ServerShare(
                job.ownCores() > 0
                        ? job.ownCores()
                        : server.cores() - Arrays.stream(cores).sum() + cores[tenant],
                server.pcieUnits() - Arrays.stream(units).sum() + units[tenant],
                server.bytesPerSecondPerUnit(),
                server.nicBytesPerSecond() * ROUNDING - Arrays.stream(nic).sum() + nic[tenant]);
        double seconds = StageAllocation.of(job.stages(), part).seconds();
        take(tenant, seconds * ROUNDING);
        return seconds;
    }
}
