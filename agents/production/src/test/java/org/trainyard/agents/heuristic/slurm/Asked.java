package org.trainyard.agents.heuristic.slurm;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.Qos;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;
import org.trainyard.env.workload.Segments;

/**
 * A request of ann's for a GPU and a CPU of one node of the default partition for ten minutes, unless it says
 * otherwise.
 */
final class Asked {
    private final SlurmState state;
    private final long id;
    private int task = -1;
    private String user = "ann";
    private List<SlurmPartition> partitions;
    private Qos qos;
    private int nodes = 1;
    private int gpus = 1;
    private int cpus = 1;
    private long seconds = 600;
    private int nice;
    private boolean alone;
    private @Nullable String reservation;
    private Map<String, Integer> licenses = Map.of();
    private long memoryMib;
    private @Nullable BitSet featured;
    private @Nullable BitSet typed;
    private @Nullable Segments segments;

    Asked(SlurmState state, long id) {
        this.state = state;
        this.id = id;
        partitions = List.of(state.cluster().partition(null));
        qos = state.cluster().qos(null);
    }

    /** The next task of an array, where it is one. */
    Asked task(@Nullable SlurmArray array) {
        task = array == null ? -1 : array.waiting();
        return this;
    }

    Asked by(String name) {
        user = name;
        return this;
    }

    /** In partitions by name, split by commas. */
    Asked in(@Nullable String names) {
        partitions = names == null
                ? partitions
                : List.of(names.split(",", -1)).stream()
                        .map(state.cluster()::partition)
                        .toList();
        return this;
    }

    Asked qos(@Nullable String name) {
        qos = state.cluster().qos(name);
        return this;
    }

    /** So many nodes, with so many GPUs and CPUs of each. */
    Asked nodes(int count, int gpusEach, int cpusEach) {
        nodes = count;
        gpus = gpusEach;
        cpus = cpusEach;
        return this;
    }

    Asked seconds(long limit) {
        seconds = limit;
        return this;
    }

    Asked nice(int amount) {
        nice = amount;
        return this;
    }

    Asked alone(boolean exclusive) {
        alone = exclusive;
        return this;
    }

    Asked reservation(@Nullable String name) {
        reservation = name;
        return this;
    }

    Asked licenses(Map<String, Integer> counts) {
        licenses = counts;
        return this;
    }

    Asked memoryMib(long each) {
        memoryMib = each;
        return this;
    }

    /** On nodes of two sets, or of any where they are null. */
    Asked on(@Nullable BitSet nodesWithFeatures, @Nullable BitSet nodesOfType) {
        featured = nodesWithFeatures;
        typed = nodesOfType;
        return this;
    }

    Asked segments(@Nullable Segments groups) {
        segments = groups;
        return this;
    }

    SlurmJob.Request request() {
        return new SlurmJob.Request(
                id,
                task,
                user,
                partitions,
                qos,
                nodes,
                gpus,
                cpus,
                seconds,
                nice,
                alone,
                reservation,
                licenses,
                memoryMib,
                0,
                featured,
                typed,
                segments);
    }

    /** Submits it. */
    SlurmJob at(long second) {
        return state.submit(request(), null, null, second);
    }
}
