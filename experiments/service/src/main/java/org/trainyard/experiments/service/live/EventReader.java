package org.trainyard.experiments.service.live;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.trainyard.env.Counted;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.LiveCluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.experiments.service.input.ArrivalSpecs;
import org.trainyard.experiments.service.target.ServedScheduler;

/**
 * Reads the events of one cluster: names of jobs and servers become their numbers, and unknown names or impossible
 * values are refused.
 */
final class EventReader {
    /** Change of the state of a cluster by an event. */
    record Change(long timeNanos, Effect effect) {
        /** The change itself; an impossible one is refused and changes nothing. */
        @FunctionalInterface
        interface Effect {
            void on(LiveCluster cluster);
        }

        void applyTo(LiveCluster cluster) {
            cluster.moveTo(timeNanos);
            effect.on(cluster);
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(EventReader.class);

    private final ServiceSettings settings;
    private final Topology topology;
    private final SimView view;
    private final LiveCluster cluster;
    private final ArrivalSpecs specs;
    private final Map<String, Integer> jobs = new HashMap<>();
    private final ServerNames servers;
    private final UnknownModels unknownModels;
    /** Where the present event is in its request. */
    private String place = "";

    private long timeNanos;

    EventReader(ServiceSettings settings, Topology topology, LiveCluster cluster) {
        this.settings = settings;
        this.topology = topology;
        this.cluster = cluster;
        view = cluster.view();
        servers = new ServerNames(topology);
        unknownModels = new UnknownModels(!InterferenceModel.NONE.equals(settings.belief()));
        specs = new ArrivalSpecs(
                topology,
                ModelCatalog.standard(),
                RandomStreams.derive(settings.seed(), "models"),
                settings.world(topology).truth());
    }

    /** Number of jobs whose models the catalogue does not know, or that name none. */
    int unknownModels() {
        return unknownModels.jobs();
    }

    /** Notes that a job has arrived. */
    void arrived(int job) {
        jobs.put(view.job(job).name(), job);
    }

    private RequestException impossible(String key, Object value, String expected) {
        return new RequestException(RequestException.IMPOSSIBLE, place + "." + key, value, expected);
    }

    /** The change that an event makes, which is at that place of its request. */
    Change read(Requests.Event event, String at) {
        place = at;
        long time = event.timeNanos();
        timeNanos = time;
        if (time < view.nowNanos()) {
            throw impossible("time_nanos", time, "at least %d, the time of the cluster".formatted(view.nowNanos()));
        }
        return new Change(time, event.what().effect(this));
    }

    /** The number of a job; refused when there is none of this name, or it is not in this state. */
    int job(String name, JobState wanted) {
        Integer job = jobs.get(name);
        if (job == null) {
            throw impossible("job", name, "a job that has arrived");
        }
        if (view.state(job) != wanted) {
            throw impossible("job", "%s, which is %s".formatted(name, view.state(job)), "a job that is " + wanted);
        }
        return job;
    }

    void requireDomain(int domain) {
        if (domain >= topology.servers()) {
            throw impossible("domain", domain, "a whole number from 0 to %d".formatted(topology.servers() - 1));
        }
    }

    /** The number of a server, or of one of its GPUs, that is up and fails, or is down and is repaired. */
    int unit(String name, @Nullable Integer gpu, boolean isDown) {
        int server = servers.index(name, place + ".server");
        if (gpu != null && gpu >= topology.gpusOn(server)) {
            throw impossible("gpu", gpu, "a whole number from 0 to %d".formatted(topology.gpusOn(server) - 1));
        }
        int unit = gpu == null ? server : topology.servers() + topology.firstGpu(server) + gpu;
        if (cluster.isDown(unit) == isDown) {
            throw impossible(
                    gpu == null ? "server" : "gpu",
                    topology.serverName(server) + (gpu == null ? "" : " GPU " + gpu),
                    isDown ? "one that is not down already" : "one that is down");
        }
        return unit;
    }

    Placement placement(List<ClusterEvent.Placed> placed) {
        return servers.placement(placed, place + ".placement");
    }

    Change.Effect arrival(ClusterEvent.Arrival event) {
        if (jobs.containsKey(event.job())) {
            throw impossible("job", event.job(), "the name of a new job");
        }
        if (view.arrived() >= settings.limits().jobs()) {
            throw impossible(
                    "job",
                    event.job(),
                    "at most %d jobs".formatted(settings.limits().jobs()));
        }
        Demand demand = event.demand();
        // A live job's duration is not known and never read; one nanosecond is the least that a trace may have.
        TraceJob row = new TraceJob(
                event.job(), timeNanos, demand, 1, event.model(), event.user(), event.group(), event.virtualCluster());
        requirePlaceable(demand);
        String model = event.model();
        if (model == null || !specs.knows(model)) {
            String remark = unknownModels.count(event.job(), model);
            if (remark != null) {
                LOG.warn("{}", remark);
            }
        }
        JobSpec spec = specs.of(view.arrived(), row);
        Double predicted = event.predictedRunSeconds();
        return predicted == null ? live -> live.arrive(spec) : live -> live.arrive(spec, predicted);
    }

    private void requirePlaceable(Demand demand) {
        if (!specs.fits(demand)) {
            throw impossible(
                    "gpus",
                    demand.gpus(),
                    Counted.say("a demand that fits the %d GPUs of the cluster", topology.gpus()));
        }
        for (ServedScheduler one : List.of(settings.served(), settings.fallback())) {
            if (!one.serves().test(demand)) {
                throw impossible(
                        "gpus", String.valueOf(demand.notWholeGpus()), "a demand that %s places".formatted(one.name()));
            }
        }
    }
}
