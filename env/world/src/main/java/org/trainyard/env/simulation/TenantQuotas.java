package org.trainyard.env.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;

/** The used part of every virtual cluster's quota, and the use of other limits by running jobs. */
final class TenantQuotas {
    /** Quota held at one time, and the jobs that hold other limits. */
    static final class Image {
        private final long[] milli;
        private final BitSet holding;

        private Image(long[] milli, BitSet holding) {
            this.milli = milli;
            this.holding = holding;
        }
    }

    private final Workload workload;
    private final List<String> tenants;
    private final @Nullable HeldLimits limits;
    private final boolean byLimit;
    /** By job its virtual cluster; with limits also {@link #groupOf}, jobs that are limited alike. */
    private int[] tenantOf;

    private int[] groupOf;
    private final Map<List<Object>, Integer> groups = new HashMap<>();
    private final long[] quotaMilli;
    private final long[] heldMilli;
    /** Jobs that the limits count. */
    private final BitSet holding = new BitSet();

    /** @param byLimit whether jobs of different time limits are limited differently */
    TenantQuotas(Quotas quotas, Workload workload, boolean byLimit) {
        this.workload = workload;
        this.byLimit = byLimit;
        limits = quotas.limits() == null ? null : quotas.limits().get();
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
        groupOf = new int[limits == null && !byLimit ? 0 : workload.size()];
        for (int job = 0; job < groupOf.length; job++) {
            groupOf[job] = group(workload.job(job));
        }
    }

    /**
     * Makes room for the next job of a live cluster.
     *
     * @throws InputException when the quota of its virtual cluster is less than it needs; nothing has changed then
     */
    void admit(JobSpec job) {
        if (!tenants.isEmpty()) {
            int tenant = tenantOf(job);
            tenantOf = longEnough(tenantOf, job.id());
            tenantOf[job.id()] = tenant;
        }
        if (limits != null || byLimit) {
            groupOf = longEnough(groupOf, job.id());
            groupOf[job.id()] = group(job);
        }
    }

    private static int[] longEnough(int[] byJob, int job) {
        return job < byJob.length ? byJob : Arrays.copyOf(byJob, Math.max(64, 2 * job));
    }

    private int tenantOf(JobSpec job) {
        @Nullable String name = job.virtualCluster();
        int tenant = name == null ? SimView.NONE : Math.max(SimView.NONE, tenants.indexOf(name));
        Demand demand = job.demand();
        if (tenant != SimView.NONE && milli(demand, demand.minGpus()) > quotaMilli[tenant]) {
            throw InputException.at(
                    "quotas, " + name,
                    quotaMilli[tenant] / Demand.WHOLE,
                    Counted.say("at least the %d GPUs that job %s needs", demand.minGpus(), job.name()));
        }
        return tenant;
    }

    private int group(JobSpec job) {
        if (limits != null && holding.isEmpty() && !limits.allows(job)) {
            throw InputException.at(
                    "job " + job.name(),
                    Counted.say(
                            "%s, %d GPUs",
                            job.user() == null ? "no user" : job.user(),
                            job.demand().gpus()),
                    "a job that the limits of its account, QOS and licences ever allow");
        }
        Object alike = limits == null ? SimView.NONE : limits.group(job);
        long limit = byLimit ? job.askedLimitNanos() : 0;
        return groups.computeIfAbsent(List.of(quota(job), alike, limit), any -> groups.size());
    }

    /** Quota and limits held now. */
    Image held() {
        return new Image(heldMilli.clone(), (BitSet) holding.clone());
    }

    /** Restores an earlier image. */
    void setHeld(Image held) {
        System.arraycopy(held.milli, 0, heldMilli, 0, heldMilli.length);
        BitSet changed = (BitSet) holding.clone();
        changed.xor(held.holding);
        changed.stream().forEach(job -> count(workload.job(job), holding.get(job) ? -1 : 1));
    }

    private static long milli(Demand demand, int gpus) {
        return (long) gpus * demand.gpuMilli();
    }

    private int quota(JobSpec job) {
        return tenantOf.length == 0 ? SimView.NONE : tenantOf[job.id()];
    }

    /** Dense index of jobs under the same quota and the same limits, or {@link SimView#NONE} without any. */
    int tenant(int job) {
        return limits != null || byLimit ? groupOf[job] : tenantOf.length == 0 ? SimView.NONE : tenantOf[job];
    }

    /** Whether the quota of the job's virtual cluster allows so many GPUs more, and its limits that it runs. */
    boolean allows(JobSpec job, int gpus) {
        int quota = quota(job);
        return (quota == SimView.NONE || heldMilli[quota] + milli(job.demand(), gpus) <= quotaMilli[quota])
                && (limits == null || holding.get(job.id()) || limits.allows(job));
    }

    /** Whether jobs of different tenants may exclude each other. */
    boolean isLimited() {
        return limits != null;
    }

    /** Charges so many GPUs to the job's quota and counts it as running. */
    void take(JobSpec job, int gpus) {
        charge(job, gpus);
        count(job, 1);
    }

    /** Releases so many GPUs and counts it no longer. */
    void release(JobSpec job, int gpus) {
        charge(job, -gpus);
        count(job, -1);
    }

    private void charge(JobSpec job, int gpus) {
        int quota = quota(job);
        if (quota != SimView.NONE) {
            heldMilli[quota] += milli(job.demand(), gpus);
        }
    }

    private void count(JobSpec job, int sign) {
        if (limits != null) {
            limits.hold(job, sign);
            holding.set(job.id(), sign > 0);
        }
    }
}
