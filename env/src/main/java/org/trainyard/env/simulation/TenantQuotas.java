package org.trainyard.env.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;

/** The used part of every virtual cluster's quota. */
final class TenantQuotas {
    private final List<String> tenants;
    private int[] tenantOf;
    private final long[] quotaMilli;
    private final long[] heldMilli;

    TenantQuotas(Quotas quotas, Workload workload) {
        tenants = new ArrayList<>(quotas.gpus().keySet());
        tenants.sort(null);
        quotaMilli = tenants.stream()
                .mapToLong(tenant -> (long) Demand.WHOLE * quotas.gpus().getOrDefault(tenant, 0))
                .toArray();
        heldMilli = new long[tenants.size()];
        tenantOf = new int[tenants.isEmpty() ? 0 : workload.size()];
        for (int job = 0; job < tenantOf.length; job++) {
            tenantOf[job] = tenantOf(workload.job(job));
        }
    }

    /**
     * Makes room for the next job of a live cluster.
     *
     * @throws InputException when the quota of its virtual cluster is less than it needs; nothing has changed then
     */
    void admit(JobSpec job) {
        if (tenants.isEmpty()) {
            return;
        }
        int tenant = tenantOf(job);
        if (job.id() >= tenantOf.length) {
            tenantOf = Arrays.copyOf(tenantOf, Math.max(64, 2 * job.id()));
        }
        tenantOf[job.id()] = tenant;
    }

    private int tenantOf(JobSpec job) {
        @Nullable String name = job.virtualCluster();
        int tenant = name == null ? SimView.NONE : Math.max(SimView.NONE, tenants.indexOf(name));
        Demand demand = job.demand();
        if (tenant != SimView.NONE && milli(demand, demand.minGpus()) > quotaMilli[tenant]) {
            throw InputException.at(
                    "quotas, " + name,
                    quotaMilli[tenant] / Demand.WHOLE,
                    "at least the %d GPUs that job %s needs".formatted(demand.minGpus(), job.name()));
        }
        return tenant;
    }

    /** The GPUs held by each virtual cluster, thousandths. */
    long[] held() {
        return heldMilli.clone();
    }

    /** Puts held GPUs in place of its own. */
    void setHeld(long[] held) {
        System.arraycopy(held, 0, heldMilli, 0, held.length);
    }

    private static long milli(Demand demand, int gpus) {
        return (long) gpus * demand.gpuMilli();
    }

    /** Dense index of the job's virtual cluster among those with a quota, or {@link SimView#NONE}. */
    int tenant(int job) {
        return tenantOf.length == 0 ? SimView.NONE : tenantOf[job];
    }

    /** Whether the quota of the job's virtual cluster allows so many GPUs more. */
    boolean allows(JobSpec job, int gpus) {
        int tenant = tenant(job.id());
        return tenant == SimView.NONE || heldMilli[tenant] + milli(job.demand(), gpus) <= quotaMilli[tenant];
    }

    /** Charges so many GPUs to the job's quota; a negative number releases them. */
    void take(JobSpec job, int gpus) {
        int tenant = tenant(job.id());
        if (tenant != SimView.NONE) {
            heldMilli[tenant] += milli(job.demand(), gpus);
        }
    }
}
