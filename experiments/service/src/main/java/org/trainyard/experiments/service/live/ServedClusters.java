package org.trainyard.experiments.service.live;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.service.input.TopologyDescription;
import org.trainyard.experiments.service.journal.ClusterJournal;
import org.trainyard.experiments.service.journal.RegisteredCluster;
import org.trainyard.experiments.service.journal.StateFolder;

/** The clusters of a service by id. With a folder for their state they are there again after a restart. */
public final class ServedClusters implements AutoCloseable {
    private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9._-]{0,62}");

    private final ServiceSettings settings;
    private final ServiceMetrics metrics;
    private final @Nullable StateFolder state;
    private final Map<String, ServedCluster> clusters = new TreeMap<>();
    /** By id, the description with which it was registered. */
    private final Map<String, String> described = new TreeMap<>();

    /** Held by who registers a cluster; nobody else waits for it. */
    private final Object registering = new Object();

    private final List<String> remarks = new ArrayList<>();

    /**
     * @param state with the clusters that are made again, which is closed with them; null for none
     * @throws InputException when a file is damaged
     */
    public ServedClusters(ServiceSettings settings, ServiceMetrics metrics, @Nullable StateFolder state) {
        this.settings = settings;
        this.metrics = metrics;
        this.state = state;
        if (state != null) {
            try {
                for (Path file : state.files()) {
                    resume(state, file);
                }
            } catch (RuntimeException e) {
                close();
                throw e;
            }
            remarks.addAll(state.remarks());
        }
    }

    private void resume(StateFolder from, Path file) {
        ServedCluster[] made = new ServedCluster[1];
        RegisteredCluster[] known = new RegisteredCluster[1];
        ClusterJournal journal = from.reopen(file, (registered, events, questions) -> {
            known[0] = registered;
            made[0] = new ServedCluster(registered.id(), registered.topology(), settings, metrics);
            try {
                made[0].replay(events, questions);
            } catch (RuntimeException e) {
                made[0].close();
                throw e;
            }
        });
        if (journal != null) {
            made[0].writeTo(journal);
            put(made[0], known[0].description());
            Registration now = made[0].registration();
            remarks.add(Counted.say(
                    "%s: cluster %s of %d servers and %d GPUs, after event %d",
                    file, now.cluster(), now.servers(), now.gpus(), now.sequence()));
        }
    }

    private void put(ServedCluster cluster, String text) {
        clusters.put(cluster.id(), cluster);
        described.put(cluster.id(), text);
        metrics.watch(cluster);
    }

    /** Notes for the user about clusters that were made again, a line each. */
    public List<String> remarks() {
        return List.copyOf(remarks);
    }

    /**
     * Registers a cluster of the command line, by the name of a preset, a shorthand or a file; nothing happens when it
     * is registered so already.
     */
    public void registerNamed(String place, String name) {
        try {
            String file = name.replaceFirst(".*[/\\\\]", "").replaceFirst("\\.yaml$", "");
            String id = file.toLowerCase(Locale.ROOT).replace(':', '-').replace('@', '-');
            requireId(id);
            synchronized (registering) {
                Topology topology = checked(() -> Clusters.resolve(name));
                ServedCluster known = find(id);
                if (known != null) {
                    requireEqual(place, name, known, topology);
                } else if (isFree(id, name)) {
                    add(id, name, topology);
                }
            }
        } catch (RequestException e) {
            throw new InputException("%s: %s".formatted(place, e.getMessage()));
        }
    }

    private static void requireEqual(String place, String name, ServedCluster known, Topology now) {
        List<String> differences = new RegisteredCluster(known.id(), name, known.topology()).differences(now);
        if (!differences.isEmpty()) {
            throw InputException.at(
                    place,
                    name,
                    "the cluster %s of --state (%s); register it by another name, or delete the old one"
                            .formatted(known.id(), String.join("; ", differences)));
        }
    }

    /**
     * Registers a cluster that a client describes.
     *
     * @param text its description in YAML or JSON, or the name of a preset in JSON
     * @return whether it is new
     */
    public boolean register(String id, String text) {
        requireId(id);
        // One at a time: what a description takes while it is read is many times its own size.
        synchronized (registering) {
            TopologyDescription description = described(text);
            boolean isNew = isFree(id, description.text());
            if (isNew) {
                add(id, description.text(), checked(description::build));
            }
            return isNew;
        }
    }

    private static void requireId(String id) {
        if (!ID.matcher(id).matches()) {
            throw new RequestException(
                    RequestException.MALFORMED, "cluster", id, "1 to 63 of a-z, 0-9, dot, underscore and dash");
        }
    }

    private TopologyDescription described(String text) {
        try {
            TopologyDescription description = TopologyDescription.parse("body", text);
            requireSize(description.servers(), description.gpus());
            return description;
        } catch (InputException e) {
            throw malformed(e);
        }
    }

    private Topology checked(Supplier<Topology> made) {
        try {
            Topology topology = made.get();
            requireSize(topology.servers(), topology.gpus());
            return topology;
        } catch (InputException e) {
            throw malformed(e);
        }
    }

    private static RequestException malformed(InputException e) {
        return new RequestException(
                RequestException.MALFORMED,
                "body",
                String.valueOf(e.getMessage()),
                "a topology as in experiments/clusters");
    }

    private void requireSize(long servers, long gpus) {
        ServiceSettings.Limits limits = settings.limits();
        if (servers > limits.servers() || gpus > limits.gpus()) {
            throw new RequestException(
                    RequestException.TOO_LARGE,
                    "body",
                    Counted.say("%d servers, %d GPUs", servers, gpus),
                    "at most %d servers and %d GPUs".formatted(limits.servers(), limits.gpus()));
        }
    }

    /** Whether a cluster can be registered by this id; not so when it is there already with the same description. */
    private synchronized boolean isFree(String id, String text) {
        if (clusters.containsKey(id)) {
            if (!text.equals(described.get(id))) {
                throw new RequestException(
                        RequestException.CONFLICT, "cluster", id, "the description with which it was registered");
            }
            return false;
        }
        int most = settings.limits().clusters();
        if (clusters.size() >= most) {
            throw new RequestException(RequestException.TOO_MANY, "cluster", id, "at most %d clusters".formatted(most));
        }
        return true;
    }

    /** Adds a cluster, which is made before anybody who asks for another one has to wait. */
    private void add(String id, String text, Topology topology) {
        ServedCluster cluster = new ServedCluster(id, topology, settings, metrics);
        synchronized (this) {
            if (state != null) {
                cluster.writeTo(state.create(new RegisteredCluster(id, text, topology)));
            }
            put(cluster, text);
        }
    }

    /** Forgets a cluster with all its events, on the disk too. */
    public void delete(String id) {
        synchronized (registering) {
            ServedCluster cluster = cluster("cluster", id);
            synchronized (this) {
                clusters.remove(id);
                described.remove(id);
            }
            metrics.forget(cluster);
            cluster.close();
            if (state != null) {
                state.delete(id);
            }
        }
    }

    /** The topology of the cluster with the most GPUs; null when there is none. */
    public synchronized @Nullable Topology largest() {
        return clusters.values().stream()
                .map(ServedCluster::topology)
                .max(Comparator.comparingInt(Topology::gpus))
                .orElse(null);
    }

    private synchronized @Nullable ServedCluster find(String id) {
        return clusters.get(id);
    }

    public synchronized ServedCluster cluster(String place, String id) {
        ServedCluster cluster = find(id);
        if (cluster == null) {
            throw new RequestException(
                    RequestException.UNKNOWN,
                    place,
                    id,
                    clusters.isEmpty()
                            ? "a cluster that is registered first"
                            : "one of " + String.join(", ", clusters.keySet()));
        }
        return cluster;
    }

    /** All clusters. */
    public synchronized List<Registration> registrations() {
        return clusters.values().stream().map(ServedCluster::registration).toList();
    }

    public synchronized Registration registration(String id) {
        return cluster("cluster", id).registration();
    }

    /** Whether all clusters can accept events and their schedulers decide. */
    public synchronized boolean isReady() {
        return clusters.values().stream().allMatch(ServedCluster::isReady);
    }

    /** The clusters whose scheduler misses one answer after another. */
    public synchronized List<String> degraded() {
        return clusters.values().stream()
                .filter(ServedCluster::isDegraded)
                .map(ServedCluster::id)
                .toList();
    }

    @Override
    public synchronized void close() {
        clusters.values().forEach(ServedCluster::close);
        if (state != null) {
            state.close();
        }
    }
}
