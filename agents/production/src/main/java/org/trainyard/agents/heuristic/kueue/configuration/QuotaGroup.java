package org.trainyard.agents.heuristic.kueue.configuration;

import java.util.List;
import java.util.Map;

/**
 * Resources that come from the same flavor, and the flavors to try, in order.
 *
 * @param resources those that are covered
 * @param flavors with their quotas
 */
public record QuotaGroup(List<String> resources, List<FlavorQuotas> flavors) {
    /** A limit that nobody set. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    public QuotaGroup {
        resources = List.copyOf(resources);
        flavors = List.copyOf(flavors);
    }

    /** A flavor with its quota of each resource. */
    public record FlavorQuotas(String flavor, Map<String, Quota> quotas) {
        public FlavorQuotas {
            quotas = Map.copyOf(quotas);
        }
    }

    /**
     * @param nominal what is there for itself
     * @param borrowing the most that it takes from others, or {@link #UNLIMITED}
     * @param lending the most that others take of it, or {@link #UNLIMITED}
     */
    public record Quota(long nominal, long borrowing, long lending) {}
}
