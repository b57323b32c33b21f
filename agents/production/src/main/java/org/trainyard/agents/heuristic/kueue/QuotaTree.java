package org.trainyard.agents.heuristic.kueue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.configuration.ClusterQueue;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects.Cohort;
import org.trainyard.agents.heuristic.kueue.configuration.QuotaGroup;
import org.trainyard.env.InputException;

/** The ClusterQueues under their cohorts, and the flavors and resources by index. */
final class QuotaTree {
    final KueueObjects objects;
    final List<String> flavors;
    final List<String> resources;
    /** By the index of their queue. */
    final List<QuotaNode> queues = new ArrayList<>();

    private final Map<String, QuotaNode> cohorts = new LinkedHashMap<>();

    /** @throws InputException when cohorts form a circle, or two queues have the same name */
    QuotaTree(KueueObjects objects) {
        this.objects = objects;
        Set<String> flavorNames = new LinkedHashSet<>(objects.flavors().keySet());
        Set<String> resourceNames = new LinkedHashSet<>();
        List<QuotaGroup> groups = new ArrayList<>();
        objects.queues().forEach(queue -> groups.addAll(queue.groups()));
        objects.cohorts().forEach(cohort -> groups.addAll(cohort.groups()));
        for (QuotaGroup group : groups) {
            resourceNames.addAll(group.resources());
            group.flavors().forEach(flavor -> {
                flavorNames.add(flavor.flavor());
                resourceNames.addAll(flavor.quotas().keySet());
            });
        }
        flavors = List.copyOf(flavorNames);
        resources = List.copyOf(resourceNames);
        Map<String, Cohort> described = new LinkedHashMap<>();
        objects.cohorts().forEach(cohort -> described.put(cohort.name(), cohort));
        described.keySet().forEach(name -> cohort(name, described, new HashSet<>()));
        for (ClusterQueue queue : objects.queues()) {
            QuotaNode parent = queue.cohort() == null ? null : cohort(queue.cohort(), described, new HashSet<>());
            QuotaNode node = node(queue.name(), parent, queues.size(), queue.weight());
            fill(node, queue.groups());
            if (queues.stream().anyMatch(other -> other.name.equals(node.name))) {
                throw InputException.at("ClusterQueue", node.name, "a name that no other has");
            }
            queues.add(node);
        }
        cohorts.values().stream().filter(node -> node.parent == null).forEach(QuotaNode::addUp);
        queues.stream().filter(node -> node.parent == null).forEach(QuotaNode::addUp);
    }

    /** A copy of what is in use at each ClusterQueue and cohort. */
    Map<QuotaNode, long[]> usage() {
        Map<QuotaNode, long[]> usage = new HashMap<>();
        for (QuotaNode queue : queues) {
            for (QuotaNode node = queue; node != null; node = node.parent) {
                usage.computeIfAbsent(node, any -> any.usage.clone());
            }
        }
        return usage;
    }

    private QuotaNode cohort(String name, Map<String, Cohort> described, Set<String> above) {
        QuotaNode known = cohorts.get(name);
        if (known != null) {
            return known;
        }
        if (!above.add(name)) {
            throw InputException.at("Cohort", name, "a cohort that is not below itself");
        }
        Cohort cohort = described.get(name);
        String parent = cohort == null ? null : cohort.parent();
        QuotaNode node = node(
                name,
                parent == null ? null : cohort(parent, described, above),
                -1,
                cohort == null ? 1 : cohort.weight());
        if (cohort != null) {
            fill(node, cohort.groups());
        }
        cohorts.put(name, node);
        return node;
    }

    private QuotaNode node(String name, @Nullable QuotaNode parent, int queue, double weight) {
        return new QuotaNode(name, parent, queue, weight, flavors.size(), resources.size());
    }

    private void fill(QuotaNode node, List<QuotaGroup> groups) {
        for (QuotaGroup group : groups) {
            for (QuotaGroup.FlavorQuotas flavor : group.flavors()) {
                flavor.quotas().forEach((resource, quota) -> {
                    int at = at(flavors.indexOf(flavor.flavor()), resources.indexOf(resource));
                    node.nominal[at] = quota.nominal();
                    node.borrowing[at] = quota.borrowing();
                    node.lending[at] = quota.lending();
                });
            }
        }
    }

    /** The index of a resource of a flavor. */
    int at(int flavor, int resource) {
        return flavor * resources.size() + resource;
    }

    int size() {
        return flavors.size() * resources.size();
    }

    ClusterQueue queue(int index) {
        return objects.queues().get(index);
    }

    /** Whether the usage of its LocalQueues orders the workloads of a queue. */
    boolean sharesByUsage(int queue) {
        return objects.usageSharing() != null && queue(queue).sharesByUsage();
    }

    /** The queues that can borrow from each other with this one, itself among them. */
    List<QuotaNode> related(int queue) {
        QuotaNode node = queues.get(queue);
        List<QuotaNode> related = new ArrayList<>();
        if (node.parent == null) {
            related.add(node);
        } else {
            gather(node.root(), related);
        }
        return related;
    }

    private static void gather(QuotaNode cohort, List<QuotaNode> to) {
        to.addAll(cohort.queues);
        cohort.cohorts.forEach(child -> gather(child, to));
    }

    /** The group of flavors that a queue has for a resource, or null. */
    @Nullable QuotaGroup group(int queue, int resource) {
        String name = resources.get(resource);
        for (QuotaGroup group : queue(queue).groups()) {
            if (group.resources().contains(name)) {
                return group;
            }
        }
        return null;
    }

    /** The topology by which pods of a flavor are placed, or null. */
    @Nullable String topology(int flavor) {
        KueueObjects.Flavor known = objects.flavors().get(flavors.get(flavor));
        return known == null ? null : known.topology();
    }

    /** The levels of that topology, from the top. */
    List<String> levels(int flavor) {
        return objects.topologies().getOrDefault(Objects.requireNonNull(topology(flavor)), List.of());
    }
}
