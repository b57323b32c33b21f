package org.trainyard.env.simulation;

import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Invalid;

/**
 * Limits on the GPUs that the jobs of a virtual cluster hold together, as at Microsoft's Philly and SenseTime's Helios
 * (M. Jeon et al., ATC 2019; Q. Hu et al., SC 2021). A share of a GPU counts as demanded.
 *
 * @param gpus limit by name of the virtual cluster; jobs of other virtual clusters, or of none, are not limited
 * @param limits makes the other limits of a simulation, in which no job runs yet; null for none
 */
public record Quotas(Map<String, Integer> gpus, @Nullable Supplier<HeldLimits> limits) {
    /** No limits. */
    public static final Quotas NONE = new Quotas(Map.of());

    /** Quotas alone. */
    public Quotas(Map<String, Integer> gpus) {
        this(gpus, null);
    }

    public Quotas {
        gpus = Map.copyOf(gpus);
        gpus.forEach((tenant, quota) -> {
            Invalid.when(quota < 0, "quota (%d GPUs) of virtual cluster (%s) must not be negative", quota, tenant);
        });
    }
}
