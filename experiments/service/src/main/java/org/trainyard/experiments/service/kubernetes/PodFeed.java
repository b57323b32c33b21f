package org.trainyard.experiments.service.kubernetes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.Demand;
import org.trainyard.experiments.service.live.ClusterView;
import org.trainyard.experiments.service.live.FreeGpus;
import org.trainyard.experiments.service.live.LiveEvent;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;
import org.trainyard.experiments.service.live.Registration;
import org.trainyard.experiments.service.live.ServedCluster;
import org.trainyard.experiments.service.live.ServedClusters;

/**
 * Tells the service of the pods and nodes of Kubernetes, by a watch: jobs come, start and end as their pods do. A job
 * is all pods with the same label {@value SchedulerExtender#JOB}; it comes when as many are there as its annotation
 * {@value WatchedPods#PODS} says, and starts when all have nodes. Any other pod with GPUs and a node is a job by
 * itself, since it holds its GPUs. Kubernetes does not tell which GPUs of a node a pod has: the lowest free ones are
 * taken.
 *
 * <p>Events come from a comparison of states, so none that matters is missed after an interruption.
 */
public final class PodFeed implements AutoCloseable {
    private static final String NUMBERED = "#";
    /** Model of every job: Kubernetes does not know the models of jobs. */
    private static final String NEUTRAL = "neutral";

    private static final int MOST_SAID = 10_000;
    private static final Logger LOG = LoggerFactory.getLogger(PodFeed.class);

    private final Supplier<ServedClusters> clusters;
    private final Clock clock;
    private final WatchedPods watched;
    private final Set<String> said = new HashSet<>();

    /**
     * Begins to watch.
     *
     * @param client is not closed with it
     * @param clusters that are told
     * @throws InputException when pods and nodes cannot be listed
     */
    public PodFeed(KubernetesClient client, Supplier<ServedClusters> clusters, Clock clock) {
        this.clusters = clusters;
        this.clock = clock;
        watched = new WatchedPods(client);
    }

    /** Whether a job of the service is the one of this label: a label may come again after its job has ended. */
    static boolean isNamed(String job, String label) {
        return job.equals(label) || (job.startsWith(label) && job.lastIndexOf(NUMBERED) == label.length());
    }

    private static String label(String job) {
        int number = job.lastIndexOf(NUMBERED);
        return number < 0 ? job : job.substring(0, number);
    }

    /** Brings the clusters up to the present. Cost: linear in pods, nodes and jobs. */
    public void look() {
        if (watched.isBroken()) {
            say("the watch of pods and nodes is broken, and is tried again");
            return;
        }
        List<Registration> all = clusters.get().registrations();
        for (Registration one : all) {
            new Look(clusters.get().cluster("cluster", one.cluster()), all.size() == 1).feed();
        }
    }

    private void say(String what) {
        if (said.size() < MOST_SAID && said.add(what)) {
            LOG.warn(what);
        }
    }

    private boolean hasWholeGpus(Pod pod) {
        if (WatchedPods.gpus(pod) == 0
                && WatchedPods.labels(pod).containsKey(SchedulerExtender.JOB)
                && WatchedPods.limits(pod)
                        .anyMatch(one -> RequestedPod.GPU.matcher(one.getKey()).matches())) {
            say("pods with parts of GPUs are held, for no event tells of them (%s)"
                    .formatted(pod.getMetadata().getName()));
        }
        return WatchedPods.gpus(pod) > 0;
    }

    /** One comparison of a cluster with the pods and nodes. */
    private final class Look {
        private final ServedCluster cluster;
        private final boolean isAlone;
        private final ClusterView view;
        private final FreeGpus free;
        private final long now;
        private final List<LiveEvent> events = new ArrayList<>();
        private final Map<String, String> waiting = new LinkedHashMap<>();
        private final Map<String, Node> byServer = new TreeMap<>();
        private final Map<String, String> servers = new HashMap<>();
        private int arrivals;

        Look(ServedCluster cluster, boolean isAlone) {
            this.cluster = cluster;
            this.isAlone = isAlone;
            view = cluster.view();
            now = Math.max(view.nowNanos(), clock.millis() * 1_000_000L);
            free = new FreeGpus(cluster.topology());
            view.running().forEach(job -> free.take(job.placement()));
            free.take(cluster.down());
            for (Node node : watched.nodes().list()) {
                String name = node.getMetadata().getName();
                String server = SchedulerExtender.server(
                        WatchedPods.labels(node).getOrDefault(SchedulerExtender.SERVER, name), free::knows);
                servers.put(name, server);
                byServer.put(server, node);
            }
        }

        void feed() {
            Map<String, List<Pod>> jobs = jobs();
            Set<String> running = new HashSet<>();
            for (ClusterView.RunningJob job : view.running()) {
                if (ran(job, jobs.get(label(job.job())))) {
                    running.add(label(job.job()));
                }
            }
            view.waiting().forEach(job -> waiting.put(label(job), job));
            waiting.forEach((label, job) -> {
                if (!jobs.containsKey(label)) {
                    events.add(new LiveEvent.OfJob("cancelled", job, now));
                }
            });
            cluster.down().stream()
                    .filter(one -> !WatchedPods.takesNoPods(byServer.get(one.server())))
                    .forEach(this::repair);
            jobs.forEach((label, all) -> {
                if (!running.contains(label)) {
                    come(label, all);
                }
            });
            for (int server = 0; server < cluster.topology().servers(); server++) {
                takeOut(cluster.topology().serverName(server));
            }
            cluster.feed(events).forEach(PodFeed.this::say);
        }

        /** Pods that have not ended, by the label of their job, in the order in which the jobs came. */
        private Map<String, List<Pod>> jobs() {
            Map<String, List<Pod>> jobs = new LinkedHashMap<>();
            watched.pods().stream()
                    .filter(pod -> !WatchedPods.hasEnded(pod) && hasWholeGpus(pod) && isHere(pod))
                    .forEach(pod -> jobs.computeIfAbsent(job(pod), label -> new ArrayList<>())
                            .add(pod));
            return jobs;
        }

        private String job(Pod pod) {
            return WatchedPods.labels(pod).getOrDefault(SchedulerExtender.JOB, Cache.metaNamespaceKeyFunc(pod));
        }

        private boolean isHere(Pod pod) {
            String label = WatchedPods.labels(pod).get(SchedulerExtender.CLUSTER);
            String server = servers.get(pod.getSpec().getNodeName());
            boolean isOnOurs = server != null && free.knows(server);
            if (!WatchedPods.labels(pod).containsKey(SchedulerExtender.JOB)) {
                return isOnOurs;
            }
            return label == null ? isAlone || isOnOurs : label.equals(cluster.id());
        }

        /** Whether a job that ran runs on. */
        private boolean ran(ClusterView.RunningJob job, @Nullable List<Pod> all) {
            Map<String, Integer> now = all == null ? Map.of() : allocated(all);
            if (all != null
                    && !now.isEmpty()
                    && job.placement().stream().map(ServerGpus::server).toList().containsAll(now.keySet())) {
                return true;
            }
            events.add(new LiveEvent.OfJob(all == null ? "ended" : "requeued", job.job(), this.now));
            free.give(job.placement());
            if (all != null) {
                waiting.put(label(job.job()), job.job());
            }
            return false;
        }

        private Map<String, Integer> allocated(List<Pod> all) {
            Map<String, Integer> allocated = new TreeMap<>();
            all.stream()
                    .filter(pod -> pod.getSpec().getNodeName() != null)
                    .forEach(pod -> allocated.merge(
                            String.valueOf(servers.get(pod.getSpec().getNodeName())),
                            WatchedPods.gpus(pod),
                            Integer::sum));
            return allocated;
        }

        /** A job comes when all its pods are there, and starts when all have nodes. */
        private void come(String label, List<Pod> all) {
            String job = waiting.get(label);
            if (job == null && all.size() >= WatchedPods.promised(all.get(0), WatchedPods.PODS)) {
                job = label + NUMBERED + (view.sequence() + ++arrivals);
                int gpus = all.stream().mapToInt(WatchedPods::gpus).sum();
                boolean isOnOne = all.size() == 1
                        && gpus > 1
                        && cluster.serves(new Demand(2, 2, 2, Demand.WHOLE, 0, 0, true, List.of()));
                String namespace = all.get(0).getMetadata().getNamespace();
                events.add(new LiveEvent.Arrival(
                        "arrival", job, gpus, NEUTRAL, namespace, namespace, null, isOnOne ? true : null, null, now));
            }
            if (job != null && all.stream().allMatch(pod -> pod.getSpec().getNodeName() != null)) {
                start(job, allocated(all));
            }
        }

        private void start(String job, Map<String, Integer> allocated) {
            List<ServerGpus> placement = free.some(allocated);
            if (placement == null) {
                // It was bound before its node was taken out.
                cluster.down().stream()
                        .filter(one -> allocated.containsKey(one.server()))
                        .forEach(this::repair);
                placement = free.some(allocated);
            }
            if (placement == null) {
                say("job %s has GPUs on %s that the cluster %s has not free".formatted(job, allocated, cluster.id()));
                return;
            }
            free.take(placement);
            events.add(new LiveEvent.Started("started", job, placement, now));
        }

        private void repair(ServerGpus down) {
            down.gpus().forEach(gpu -> events.add(new LiveEvent.OfNode("node_up", down.server(), gpu, now)));
            free.give(List.of(down));
        }

        /**
         * A server without a node, or whose node takes no pods, loses its free GPUs, and those of its jobs as they end.
         */
        private void takeOut(String server) {
            Node node = byServer.get(server);
            if (node == null) {
                say("no node has the name of the server %s of the cluster %s, which gets no pods"
                        .formatted(server, cluster.id()));
            }
            if (WatchedPods.takesNoPods(node)) {
                List<Integer> gpus = free.of(server);
                gpus.forEach(gpu -> events.add(new LiveEvent.OfNode("node_down", server, gpu, now)));
                free.take(List.of(new ServerGpus(server, gpus)));
            }
        }
    }

    @Override
    public void close() {
        watched.close();
    }
}
