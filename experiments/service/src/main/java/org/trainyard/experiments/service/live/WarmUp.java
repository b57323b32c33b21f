package org.trainyard.experiments.service.live;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.experiments.io.JsonText;

/**
 * Lets Java load and compile what an answer takes before a service is ready: jobs come, start and end on a cluster of
 * the same shape that nobody sees, until {@link #MOST_NANOS} have passed. Schedulers, random streams, counters and
 * events of the clusters that are served are others.
 */
public final class WarmUp {
    /** Two seconds. */
    private static final long MOST_NANOS = 2_000_000_000L;

    private static final int MOST_QUESTIONS = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
    private static final long SECOND = 1_000_000_000L;
    private static final long BUDGET_NANOS = SECOND / 2;
    private static final int[] GPUS = {1, 1, 2, 4, 8, 8, 16, 32};
    private static final List<ModelProfile> MODELS = ModelCatalog.standard().profiles();
    private static final int MOST_RUNNING = 50;
    private static final int MOST_HELD = 5;

    private final ServedCluster cluster;
    private final int gpus;
    private final Function<PlacementAnswer, String> writing;
    private final Deque<String> running = new ArrayDeque<>();
    private final List<Map<String, Object>> events = new ArrayList<>();
    private long nowNanos;
    private int sequence;
    private int arrived;
    private int answers;
    private int held;

    private WarmUp(ServedCluster cluster, Function<PlacementAnswer, String> writing) {
        this.cluster = cluster;
        this.writing = writing;
        gpus = cluster.topology().gpus();
    }

    /**
     * Asks until the time is over; returns the number of answers. A failure ends it, for the service can do without.
     *
     * @param writing writes an answer as clients get it
     */
    public static int of(ServiceSettings settings, Topology topology, Function<PlacementAnswer, String> writing) {
        ServiceSettings own = settings.with(BUDGET_NANOS, ServiceSettings.Limits.DEFAULT);
        long end = own.clock().nanos() + MOST_NANOS;
        try (ServedCluster unseen =
                new ServedCluster("warm-up", topology, own, new ServiceMetrics(new SimpleMeterRegistry()))) {
            WarmUp warmUp = new WarmUp(unseen, writing);
            try {
                while (warmUp.answers < MOST_QUESTIONS && own.clock().nanos() - end < 0) {
                    warmUp.ask();
                }
            } catch (RuntimeException e) {
                LOG.warn("the warm-up ended after {} answers: {}", warmUp.answers, e.toString());
            }
            return warmUp.answers;
        }
    }

    /** A job comes, the oldest ends where many run or wait, and the proposal is carried out. */
    private void ask() {
        nowNanos += SECOND;
        if (running.size() > MOST_RUNNING || (held > MOST_HELD && !running.isEmpty())) {
            event(Map.of("type", "ended", "job", running.remove()));
        }
        int size = Math.min(gpus, GPUS[arrived % GPUS.length]);
        String model = MODELS.get(arrived % MODELS.size()).name();
        event(Map.of(
                "type", "arrival", "job", "job" + arrived, "gpus", size, "user", "user" + arrived % 5, "model", model));
        arrived++;
        send();
        PlacementAnswer answer = cluster.place(nowNanos);
        held = answer.held();
        JsonNode heard = Requests.parse(writing.apply(answer));
        for (JsonNode decision : heard.path("decisions")) {
            String job = decision.path("job").asText();
            switch (decision.path("kind").asText()) {
                case "start" -> {
                    running.add(job);
                    event(Map.of("type", "started", "job", job, "placement", decision.path("placement")));
                }
                case "preempt" -> {
                    running.remove(job);
                    event(Map.of("type", "preempted", "job", job));
                }
                default -> {
                    // Not carried out, as a cluster may choose.
                }
            }
        }
        send();
        answers++;
    }

    private void event(Map<String, Object> fields) {
        Map<String, Object> event = new HashMap<>(fields);
        event.put("sequence", ++sequence);
        event.put("time_nanos", nowNanos);
        events.add(event);
    }

    private void send() {
        if (!events.isEmpty()) {
            cluster.events(Requests.parse(JsonText.of(Map.of("events", events))));
            events.clear();
        }
    }
}
