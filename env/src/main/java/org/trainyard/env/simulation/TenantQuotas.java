package org.trainyard.env.simulation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;

/** The used part of every virtual cluster's quota. */
final class TenantQuotas {
    private final int[] tenantOf;
    private final long[] quotaMilli;
    private final long[] heldMilli;

    TenantQuotas(Quotas quotas, Workload workload) {
        List<String> tenants = new ArrayList<>(quotas.gpus().keySet());
        tenants.sort(null);
        quotaMilli = tenants.stream()
                .mapToLong(tenant -> (long) Demand.WHOLE * quotas.gpus().getOrDefault(tenant, 0))
                .toArray();
        heldMilli = new long[tenants.size()];
        tenantOf = new int[tenants.isEmpty() ? 0 : workload.size()];
        for (int job = 0; job < tenantOf.length; job++) {
            @Nullable String tenant = workload.job(job).virtualCluster();
            tenantOf[job] = tenant == null ? SimView.NONE : Math.max(SimView.NONE, tenants.indexOf(tenant));
            Demand demand = workload.job(job).demand();
            if (tenantOf[job] != SimView.NONE && milli(demand, demand.minGpus()) > quotaMilli[tenantOf[job]]) {
                throw InputException.at(
                        "quotas, " + tenant,
                        quotaMilli[tenantOf[job]] / Demand.WHOLE,
                        "at least the %d GPUs that job %s needs"
                                .formatted(demand.minGpus(), workload.job(job).name()));
            }
        }
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
