package org.trainyard.experiments.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;
import org.trainyard.env.Counted;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;

/**
 * The types of GPUs that partitions have.
 *
 * @param files slurm.conf and the files beside it; null where there are none, and so no partitions
 */
record PartitionTypes(Topology topology, @Nullable SlurmFiles files) {
    /** The jobs of partitions on the types of GPUs that these have, and what is to be said of partitions. */
    List<TraceJob> placed(List<TraceJob> jobs, List<String> notes) {
        if (files == null || jobs.stream().allMatch(job -> job.terms().partition() == null)) {
            return jobs;
        }
        String free = anywhere(jobs);
        if (!free.isEmpty()) {
            notes.add(
                    "%s, which has some of the servers of a type: under schedulers other than Slurm they run on any of the type."
                            .formatted(free));
        }
        return jobs.stream().map(each()).toList();
    }

    /**
     * The jobs of partitions with some of the servers of a type, which only Slurm heeds, such as {@code 3 jobs of
     * partition debug}; empty without any.
     */
    String anywhere(List<TraceJob> jobs) {
        Set<String> partial = new TreeSet<>();
        typesOf(partial);
        long free = jobs.stream()
                .filter(job -> partial.contains(String.valueOf(job.terms().partition())))
                .count();
        return free == 0 ? "" : "%s of partition %s".formatted(Counted.of(free, "job"), String.join(", ", partial));
    }

    /** Puts jobs on the types of GPUs that their partitions have. */
    UnaryOperator<TraceJob> each() {
        Map<String, List<String>> typesOf = typesOf(new TreeSet<>());
        return job -> inPartition(job, typesOf);
    }

    /**
     * The types of GPUs of each partition; none of one with all types.
     *
     * @param partial is given the partitions with some of the servers of a type
     */
    private Map<String, List<String>> typesOf(Set<String> partial) {
        Map<String, List<String>> typesOf = new HashMap<>();
        if (files == null) {
            return typesOf;
        }
        SlurmCluster cluster = files.on(topology);
        Set<String> all = types(cluster.nodes().size(), node -> true);
        for (SlurmPartition partition : cluster.partitions()) {
            Set<String> types = types(cluster.nodes().size(), partition.nodes()::get);
            boolean isAll = IntStream.range(0, topology.servers())
                    .filter(server -> types.contains(type(server)))
                    .allMatch(partition.nodes()::get);
            typesOf.put(partition.name(), types.equals(all) ? List.of() : List.copyOf(types));
            if (!isAll) {
                partial.add(partition.name());
            }
        }
        return typesOf;
    }

    private String type(int server) {
        return topology.server(server).gpuType().name();
    }

    private Set<String> types(int nodes, IntPredicate isOne) {
        return IntStream.range(0, nodes)
                .filter(isOne)
                .mapToObj(this::type)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static TraceJob inPartition(TraceJob job, Map<String, List<String>> typesOf) {
        String named = job.terms().partition();
        if (named == null || job.gpus() == 0) {
            return job;
        }
        Set<String> types = new TreeSet<>();
        for (String partition : named.split(",", -1)) {
            List<String> some = typesOf.getOrDefault(partition, List.of());
            if (some.isEmpty()) {
                return job;
            }
            types.addAll(some);
        }
        Demand demand = job.demand();
        if (!demand.gpuTypes().isEmpty()) {
            types.removeIf(type -> !demand.allows(type));
        }
        return types.isEmpty() ? job : job.demanding(demand.onTypes(List.copyOf(types)));
    }
}
