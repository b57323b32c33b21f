package org.trainyard.experiments.service.live;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.config.topology.TopologyDescription;
import org.trainyard.experiments.io.AtomicFiles;

/** The clusters of a service by id. With a folder for their state they are there again after a restart. */
public final class ServedClusters implements AutoCloseable {
    private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9._-]{0,62}");
    private static final String FORMAT = "trainyard-live-1";

    private final ServiceSettings settings;
    private final ServiceMetrics metrics;
    private final @Nullable Path folder;
    private final Map<String, ServedCluster> clusters = new TreeMap<>();
    /** By id, the description with which it was registered. */
    private final Map<String, String> described = new TreeMap<>();

    /** Held by who registers a cluster; nobody else waits for it. */
    private final Object registering = new Object();

    private final List<String> remarks = new ArrayList<>();

    /**
     * @param folder of the write-ahead files, whose clusters are made again; null for none
     * @throws InputException when a file is damaged
     */
    public ServedClusters(ServiceSettings settings, ServiceMetrics metrics, @Nullable Path folder) {
        this.settings = settings;
        this.metrics = metrics;
        this.folder = folder;
        if (folder != null) {
            AtomicFiles.makeFolder(folder);
            journals(folder).forEach(this::resume);
        }
    }

    private static List<Path> journals(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> String.valueOf(file.getFileName()).endsWith(ClusterJournal.SUFFIX))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void resume(Path file) {
        ClusterJournal journal = ClusterJournal.open(file);
        if (journal.hasDropped()) {
            remarks.add(
                    "%s: an incomplete last line was dropped; nobody was told that it was accepted".formatted(file));
        }
        if (journal.entries().isEmpty()) {
            journal.close();
            deleteEmpty(file);
            return;
        }
        JsonNode first = journal.entries().get(0);
        if (!first.path("format").asText("").equals(FORMAT)) {
            throw InputException.at(file + ":1, format", first.path("format"), FORMAT);
        }
        String id = first.path("cluster").asText("");
        String text = first.path("description").asText("");
        ServedCluster cluster = new ServedCluster(id, recorded(text), settings, metrics);
        try {
            cluster.resume(journal.entries().subList(1, journal.entries().size()));
            cluster.writeTo(journal);
        } catch (RequestException e) {
            throw InputException.at(
                    file.toString(),
                    String.valueOf(e.getMessage()),
                    "events that the cluster accepts, as it did before");
        }
        put(cluster, text);
        remarks.add("%s: %s".formatted(file, cluster.registration()));
    }

    private static void deleteEmpty(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void put(ServedCluster cluster, String text) {
        clusters.put(cluster.id(), cluster);
        described.put(cluster.id(), text);
        metrics.watch(cluster);
    }

    /** The topology of a journal: the name of a preset or of {@code --cluster}, or a description, which has a brace or a line break. */
    private static Topology recorded(String text) {
        return text.contains("\n") || text.contains("{")
                ? TopologyDescription.parse("body", text).build()
                : Clusters.resolve(text);
    }

    /** Notes for the user about clusters that were made again, a line each. */
    public List<String> remarks() {
        return List.copyOf(remarks);
    }

    /** Registers a cluster of the command line, by the name of a preset, a shorthand or a file; nothing happens when it is registered so already. */
    public void registerNamed(String place, String name) {
        try {
            String file = name.replaceFirst(".*[/\\\\]", "").replaceFirst("\\.yaml$", "");
            String id = file.toLowerCase(Locale.ROOT).replace(':', '-').replace('@', '-');
            requireId(id);
            synchronized (registering) {
                if (isFree(id, name)) {
                    add(id, name, checked(() -> Clusters.resolve(name)));
                }
            }
        } catch (RequestException e) {
            throw new InputException("%s: %s".formatted(place, e.getMessage()));
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
                    "%d servers, %d GPUs".formatted(servers, gpus),
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
            if (folder != null) {
                ClusterJournal journal = ClusterJournal.open(folder.resolve(id + ClusterJournal.SUFFIX));
                Map<String, String> first = new TreeMap<>();
                first.put("format", FORMAT);
                first.put("cluster", id);
                first.put("description", text);
                journal.append(first, true);
                cluster.writeTo(journal);
            }
            put(cluster, text);
        }
    }

    /** The cluster of this id. */
    public synchronized ServedCluster cluster(String place, String id) {
        ServedCluster cluster = clusters.get(id);
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

    @Override
    public synchronized void close() {
        clusters.values().forEach(ServedCluster::close);
    }
}
