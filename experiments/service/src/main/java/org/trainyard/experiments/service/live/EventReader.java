package org.trainyard.experiments.service.live;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.LiveCluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TraceLimits;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.experiments.service.input.ArrivalSpecs;
import org.trainyard.experiments.service.target.ServedScheduler;

/**
 * Reads the events of one cluster: names of jobs and servers become their numbers, and what is unknown or
 * impossible is refused.
 */
final class EventReader {
    /** So that times and durations add up within a long: about 146 years. */
    static final long LATEST_NANOS = Long.MAX_VALUE / 2;

    private static final long HOST = 1_000_000_000_000L;
    private static final List<String> TYPES = List.of(
            "arrival",
            "started",
            "resized",
            "forwarded",
            "preempted",
            "requeued",
            "progress",
            "ended",
            "cancelled",
            "node_down",
            "node_up");

    /**
     * What an event changes in the state of a cluster.
     *
     * @param timeNanos when it happened
     */
    record Change(long timeNanos, Effect effect) {
        /** The change itself; it refuses what is impossible and changes nothing then. */
        @FunctionalInterface
        interface Effect {
            void on(LiveCluster cluster);
        }

        void applyTo(LiveCluster cluster) {
            cluster.moveTo(timeNanos);
            effect.on(cluster);
        }
    }

    private final ServiceSettings settings;
    private final Topology topology;
    private final SimView view;
    private final LiveCluster cluster;
    private final ArrivalSpecs specs;
    private final Map<String, Integer> jobs = new HashMap<>();
    private final ServerNames servers;
    private int unknownModels;

    EventReader(ServiceSettings settings, Topology topology, LiveCluster cluster) {
        this.settings = settings;
        this.topology = topology;
        this.cluster = cluster;
        view = cluster.view();
        servers = new ServerNames(topology);
        specs = new ArrivalSpecs(
                topology,
                ModelCatalog.standard(),
                RandomStreams.derive(settings.seed(), "models"),
                settings.world(topology).truth());
    }

    /** The number of a job; refused when there is none of this name. */
    int job(String name, String place) {
        Integer job = jobs.get(name);
        if (job == null) {
            throw impossible(place, name, "a job that has arrived");
        }
        return job;
    }

    /** Number of jobs that got the neutral model, for the catalogue does not know theirs. */
    int unknownModels() {
        return unknownModels;
    }

    /** Notes that a job has arrived. */
    void arrived(int job) {
        jobs.put(view.job(job).name(), job);
    }

    private static RequestException impossible(String place, Object value, String expected) {
        return new RequestException(RequestException.IMPOSSIBLE, place, value, expected);
    }

    /** The change that an event makes. */
    Change read(JsonFields event) {
        long time = event.whole("time_nanos", 0, LATEST_NANOS);
        if (time < view.nowNanos()) {
            throw impossible(
                    event.at("time_nanos"), time, "at least %d, the time of the cluster".formatted(view.nowNanos()));
        }
        String type = event.text("type");
        Change.Effect effect = switch (type) {
            case "arrival" -> arrival(event, time);
            case "node_down", "node_up" -> outage(event, type.equals("node_down"));
            case "started", "resized", "forwarded", "preempted", "requeued", "progress", "ended", "cancelled" ->
                ofJob(event, type);
            default ->
                throw new RequestException(
                        RequestException.MALFORMED, event.at("type"), type, "one of " + String.join(", ", TYPES));
        };
        event.end();
        return new Change(time, effect);
    }

    private Change.Effect ofJob(JsonFields event, String type) {
        int job = job(event.text("job"), event.at("job"));
        JobState wanted = switch (type) {
            case "started", "forwarded", "cancelled" -> JobState.WAITING;
            default -> JobState.RUNNING;
        };
        if (view.state(job) != wanted) {
            throw impossible(
                    event.at("job"),
                    "%s, which is %s".formatted(view.job(job).name(), view.state(job)),
                    "a job that is " + wanted);
        }
        return switch (type) {
            case "started" -> {
                Placement placement = placement(event);
                yield live -> live.start(job, placement);
            }
            case "resized" -> {
                Placement placement = placement(event);
                yield live -> live.resize(job, placement);
            }
            case "forwarded" -> {
                int domain = (int) event.whole("domain", 0, topology.servers() - 1L);
                yield live -> live.forward(job, domain);
            }
            case "preempted" -> live -> live.preempt(job);
            case "requeued" -> live -> live.requeue(job);
            case "progress" -> {
                double iterations = event.number("iterations", 0);
                yield live -> live.report(job, iterations);
            }
            case "cancelled" -> live -> live.cancel(job);
            default -> {
                Double iterations = event.numberOrNull("iterations", 0);
                yield iterations == null ? live -> live.finish(job) : live -> live.finish(job, iterations);
            }
        };
    }

    private Change.Effect outage(JsonFields event, boolean isDown) {
        int server = servers.index(event.text("server"), event.at("server"));
        long gpu = event.wholeOr("gpu", 0, topology.gpusOn(server) - 1L, -1);
        int unit = gpu < 0 ? server : topology.servers() + topology.firstGpu(server) + (int) gpu;
        if (cluster.isDown(unit) == isDown) {
            throw impossible(
                    event.at(gpu < 0 ? "server" : "gpu"),
                    topology.serverName(server) + (gpu < 0 ? "" : " GPU " + gpu),
                    isDown ? "one that is not down already" : "one that is down");
        }
        return isDown ? live -> live.breakDown(unit) : live -> live.repair(unit);
    }

    /** The placement in the field of that name: servers with the numbers of their GPUs. */
    private Placement placement(JsonFields event) {
        return servers.placement(event.list("placement", topology.servers()), event.at("placement"));
    }

    private Change.Effect arrival(JsonFields event, long time) {
        String name = event.text("job");
        if (jobs.containsKey(name)) {
            throw impossible(event.at("job"), name, "the name of a new job");
        }
        if (view.arrived() >= settings.limits().jobs()) {
            throw impossible(
                    event.at("job"),
                    name,
                    "at most %d jobs".formatted(settings.limits().jobs()));
        }
        Demand demand = demand(event);
        @Nullable String model = event.textOrNull("model");
        // A live job's duration is not known; one nanosecond is the least that a trace may say, and nobody reads it.
        TraceJob row = new TraceJob(
                name,
                time,
                demand,
                1,
                model,
                event.textOrNull("user"),
                event.textOrNull("group"),
                event.textOrNull("virtual_cluster"));
        Double predicted = event.numberOrNull("predicted_run_seconds", 1e-6);
        requirePlaceable(event, demand);
        if (model != null && !specs.knows(model)) {
            unknownModels++;
        }
        JobSpec spec = specs.of(view.arrived(), row);
        return predicted == null ? live -> live.arrive(spec) : live -> live.arrive(spec, predicted);
    }

    private void requirePlaceable(JsonFields event, Demand demand) {
        if (!specs.fits(demand)) {
            throw impossible(
                    event.at("gpus"),
                    demand.gpus(),
                    "a demand that fits the %d GPUs of the cluster".formatted(topology.gpus()));
        }
        for (ServedScheduler one : List.of(settings.served(), settings.fallback())) {
            if (!one.serves().test(demand)) {
                throw impossible(
                        event.at("gpus"),
                        String.valueOf(demand.notWholeGpus()),
                        "a fixed number of whole GPUs of any type, for %s places nothing else".formatted(one.name()));
            }
        }
    }

    private static Demand demand(JsonFields event) {
        long cpuMilli = event.wholeOr("cpu_milli", 0, HOST, 0);
        long memoryMib = event.wholeOr("memory_mib", 0, HOST, 0);
        int least = cpuMilli + memoryMib > 0 ? 0 : 1;
        int gpus = (int) event.whole("gpus", least, TraceLimits.GPUS);
        return new Demand(
                gpus,
                (int) event.wholeOr("min_gpus", Math.min(1, gpus), gpus, gpus),
                (int) event.wholeOr("max_gpus", gpus, TraceLimits.GPUS, gpus),
                (int) event.wholeOr("gpu_milli", 1, Demand.WHOLE, Demand.WHOLE),
                cpuMilli,
                memoryMib,
                event.flagOr("one_server", false),
                event.texts("gpu_types", 16));
    }
}
