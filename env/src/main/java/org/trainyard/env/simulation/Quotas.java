package org.trainyard.env.simulation;

import java.util.Map;

/**
 * How many GPUs the jobs of each virtual cluster may hold together at any time, as at Microsoft's Philly and SenseTime's Helios
 * (M. Jeon et al., ATC 2019; Q. Hu et al., SC 2021). Parts of GPUs count as what was asked for.
 *
 * @param gpus by name of the virtual cluster; one that is not named, and jobs of none, have no limit
 */
public record Quotas(Map<String, Integer> gpus) {
    /** No limits. */
    public static final Quotas NONE = new Quotas(Map.of());

    public Quotas {
        gpus = Map.copyOf(gpus);
        gpus.forEach((tenant, quota) -> {
            if (quota < 0) {
                throw new IllegalArgumentException(
                        "quota (%d GPUs) of virtual cluster (%s) must not be negative".formatted(quota, tenant));
            }
        });
    }
}
