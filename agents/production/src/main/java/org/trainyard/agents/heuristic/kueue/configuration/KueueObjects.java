package org.trainyard.agents.heuristic.kueue.configuration;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that configures Kueue.
 *
 * @param priorityClasses values by name
 * @param topologies labels of their levels, from the top, by name
 * @param fairSharing the rules by which a queue may displace another one's workloads, in order; null where shares do
 *     not count
 * @param usageSharing how usage of LocalQueues is counted; null where it does not count
 * @param notes what the files say that has no effect here
 */
public record KueueObjects(
        Map<String, Flavor> flavors,
        List<ClusterQueue> queues,
        List<Cohort> cohorts,
        List<LocalQueue> localQueues,
        Map<String, Long> priorityClasses,
        Map<String, List<String>> topologies,
        @Nullable List<ShareRule> fairSharing,
        @Nullable UsageSharing usageSharing,
        List<String> notes) {
    /**
     * @param labels of its nodes
     * @param topology the topology by which pods are placed, or null
     */
    public record Flavor(
            String name,
            Map<String, String> labels,
            @Nullable String topology) {
        public Flavor {
            labels = Map.copyOf(labels);
        }
    }

    /** Queues and cohorts that share quotas, under another one or none. */
    public record Cohort(String name, @Nullable String parent, List<QuotaGroup> groups, double weight) {
        public Cohort {
            groups = List.copyOf(groups);
        }
    }

    /**
     * @param pods annotations about the topology of its pods, where they say nothing themselves
     * @param weight by which its usage is divided
     */
    public record LocalQueue(
            String namespace, String name, String clusterQueue, Map<String, String> pods, double weight) {
        public LocalQueue {
            pods = Map.copyOf(pods);
        }
    }

    /**
     * @param halfLifeNanos in which usage decays by half; 0 where none is kept
     * @param samplingNanos between two looks at what is in use
     * @param weights of resources; 1 for those that are not named
     */
    public record UsageSharing(long halfLifeNanos, long samplingNanos, Map<String, Double> weights) {
        public UsageSharing {
            weights = Map.copyOf(weights);
        }
    }

    /** When a share allows a queue to displace a workload of another. */
    public enum ShareRule {
        /** The queue's share with the newcomer is at most that of the other queue without the victim. */
        AT_MOST_FINAL,
        /** The queue's share with the newcomer is below that of the other queue with the victim. */
        BELOW_INITIAL
    }

    /** One ClusterQueue that has so many GPUs and any amount of all else. */
    public static KueueObjects ofGpus(int gpus) {
        String gpu = "nvidia.com/gpu";
        QuotaGroup.Quota all = new QuotaGroup.Quota(gpus, QuotaGroup.UNLIMITED, QuotaGroup.UNLIMITED);
        QuotaGroup group =
                new QuotaGroup(List.of(gpu), List.of(new QuotaGroup.FlavorQuotas("default", Map.of(gpu, all))));
        ClusterQueue queue = new ClusterQueue(
                "default",
                null,
                false,
                List.of(group),
                ClusterQueue.Preemption.NEVER,
                ClusterQueue.Fungibility.DEFAULT,
                1,
                false,
                false);
        return new KueueObjects(
                Map.of("default", new Flavor("default", Map.of(), null)),
                List.of(queue),
                List.of(),
                List.of(),
                Map.of(),
                Map.of(),
                null,
                null,
                List.of());
    }

    public KueueObjects {
        queues = List.copyOf(queues);
        cohorts = List.copyOf(cohorts);
        localQueues = List.copyOf(localQueues);
        notes = List.copyOf(notes);
    }
}
