package org.trainyard.experiments.drive;

import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.experiments.forecast.Quantiles;
import org.trainyard.experiments.forecast.StartForecast;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.service.journal.StateFolder;
import org.trainyard.experiments.service.live.ClusterView;
import org.trainyard.experiments.service.live.FreeGpus;
import org.trainyard.experiments.service.live.LiveEvent;
import org.trainyard.experiments.service.live.PlacementAnswer;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;
import org.trainyard.experiments.service.live.RequestException;
import org.trainyard.experiments.service.live.ServedCluster;
import org.trainyard.experiments.service.live.ServedClusters;
import org.trainyard.experiments.service.live.ServiceMetrics;
import org.trainyard.experiments.service.live.ServiceSettings;

/**
 * The live cluster as the service keeps it, with its write-ahead journal: a folder in which it goes on after a kill. A
 * job has the name of its number in the manager, a dot, and the number of the event by which it arrived.
 */
final class Mirror implements AutoCloseable {
    /** Names that a message lists. */
    private static final int MOST_NAMES = 5;

    private final ServedClusters clusters;
    private final ServedCluster cluster;
    private final boolean servesOneServer;
    private final boolean servesTypes;
    /** By type of the manager's nodes, the types of the servers of the same names. */
    private final Map<String, Set<String>> types = new TreeMap<>();

    /**
     * @param id of the cluster, when it is not named
     * @param named the cluster by name or file, or null
     * @param seen the cluster as its manager shows it
     */
    Mirror(
            ServiceSettings settings,
            Path folder,
            String id,
            @Nullable String named,
            LiveSnapshot seen,
            MeterRegistry registry) {
        String described = named == null ? SeenTopology.described(id, seen) : "";
        clusters = new ServedClusters(settings, new ServiceMetrics(registry), new StateFolder(folder, false));
        try {
            if (named != null) {
                clusters.registerNamed("--cluster", named);
            } else {
                clusters.register(id, described);
            }
            if (clusters.registrations().size() != 1) {
                throw InputException.at("--out", folder, "a folder with the state of this cluster alone");
            }
            cluster =
                    clusters.cluster("cluster", clusters.registrations().get(0).cluster());
            servesOneServer = cluster.serves(new Demand(2, 2, 2, Demand.WHOLE, 0, 0, true, List.of()));
            servesTypes = cluster.serves(new Demand(2, 2, 2, Demand.WHOLE, 0, 0, false, List.of(GpuType.V100.name())));
            for (int server = 0; server < topology().servers(); server++) {
                LiveSnapshot.Node node = seen.nodes().get(topology().serverName(server));
                if (node != null) {
                    types.computeIfAbsent(node.type(), label -> new TreeSet<>())
                            .add(topology().server(server).gpuType().name());
                }
            }
            if (named != null && types.isEmpty()) {
                throw InputException.at(
                        "--cluster",
                        named,
                        "a cluster with servers named as nodes, such as "
                                + Counted.some(List.copyOf(seen.nodes().keySet()), MOST_NAMES));
            }
        } catch (RequestException e) {
            clusters.close();
            throw InputException.at("--out", folder, "a folder of the same cluster (%s)".formatted(e.getMessage()));
        } catch (RuntimeException e) {
            clusters.close();
            throw e;
        }
    }

    /** The mirror's types of the GPUs that the manager calls so; none when the scheduler cannot be told of types. */
    List<String> types(String label) {
        return servesTypes ? List.copyOf(types.getOrDefault(label, Set.of())) : List.of();
    }

    /** Whether the scheduler can be told that a job must be on one server; if not, a plan for several is dropped. */
    boolean servesOneServer() {
        return servesOneServer;
    }

    Topology topology() {
        return cluster.topology();
    }

    ClusterView view() {
        return cluster.view();
    }

    long events() {
        return view().sequence();
    }

    /**
     * Forecast of the wait of a job that is submitted now; null where run times are guesses.
     *
     * @param jobs of the manager, whose limits no event tells
     */
    @Nullable Quantiles forecast(int gpus, Map<String, LiveJob> jobs) {
        Map<String, Long> limits = new TreeMap<>();
        ClusterView view = view();
        Stream.concat(view.running().stream().map(ClusterView.RunningJob::job), view.waiting().stream())
                .forEach(name -> {
                    LiveJob job = jobs.get(number(name));
                    if (job != null && job.limit() > 0) {
                        limits.put(name, job.limit());
                    }
                });
        StartForecast forecast = (StartForecast) cluster.when(JsonText.tree(Map.of("gpus", gpus)), limits);
        return forecast.isGuess() ? null : forecast.corrected();
    }

    /** The number in the manager of a job of the mirror. */
    static String number(String name) {
        int dot = name.lastIndexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }

    /** By number in the manager, the names of jobs that wait. */
    static Map<String, String> waiting(ClusterView view) {
        Map<String, String> waiting = new TreeMap<>();
        view.waiting().forEach(name -> waiting.put(number(name), name));
        return waiting;
    }

    /** The GPUs that no job holds and that are in order. */
    FreeGpus free(ClusterView view) {
        FreeGpus free = new FreeGpus(topology());
        view.running().forEach(job -> free.take(job.placement()));
        free.take(cluster.down());
        return free;
    }

    List<ServerGpus> down() {
        return cluster.down();
    }

    /**
     * Feeds events, on the disk before they are believed.
     *
     * @return the words with which the mirror refused some
     */
    List<String> feed(List<LiveEvent> events) {
        return cluster.feed(events);
    }

    /**
     * Decisions of the scheduler now.
     *
     * @throws InputException when the question cannot be written, as on a full disk
     */
    PlacementAnswer ask(long nowNanos) {
        try {
            return cluster.place(nowNanos);
        } catch (RequestException e) {
            if (e.status() == RequestException.UNAVAILABLE) {
                throw new InputException(String.valueOf(e.getMessage()));
            }
            throw e;
        }
    }

    @Override
    public void close() {
        clusters.close();
    }
}
