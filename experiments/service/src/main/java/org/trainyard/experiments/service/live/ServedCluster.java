package org.trainyard.experiments.service.live;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.service.journal.AskedQuestion;
import org.trainyard.experiments.service.journal.ClusterJournal;
import org.trainyard.experiments.service.journal.JournalReader;

/**
 * A live cluster of a service: it accepts numbered events and answers with decisions.
 *
 * <p>There are two states of it. The {@link ClusterLedger} is the state by the events; it validates events and answers,
 * and the fallback decides on it. The {@link Planner} follows the ledger, and the served scheduler decides there. A
 * question changes neither.
 */
public final class ServedCluster implements AutoCloseable {
    /** Answers in a row that the scheduler misses before the service says that it is degraded. */
    static final int MOST_MISSED = 20;

    private static final int MOST_FORECAST = 2000;
    /** Events that are fed at once. */
    private static final int MOST_FED = 1000;

    private static final @Nullable StartForecasting FORECASTS = StartForecasting.installed();

    private final String id;
    private final ServiceSettings settings;
    private final ServiceMetrics metrics;
    private final Topology topology;
    private final ClusterLedger ledger;
    private final AnswerWriter writer;
    private final Planner planner;
    private final PolicyAnswers answering;
    private final Semaphore forecasting = new Semaphore(1);
    private @Nullable PlacementAnswer last;
    private long lastReports;

    ServedCluster(String id, Topology topology, ServiceSettings settings, ServiceMetrics metrics) {
        this.id = id;
        this.topology = topology;
        this.settings = settings;
        this.metrics = metrics;
        ledger = new ClusterLedger(id, settings, topology);
        writer = new AnswerWriter(id, topology, ledger.cluster());
        planner = new Planner(id, settings, topology);
        Fallback fallback = new Fallback(id, settings, topology, ledger.cluster());
        answering = new PolicyAnswers(id, settings, ledger, writer, planner, fallback);
    }

    public String id() {
        return id;
    }

    public Topology topology() {
        return topology;
    }

    /** Restores the state from a journal, and repeats the questions to the scheduler for its memory. */
    synchronized void replay(JournalReader events, List<AskedQuestion> questions) {
        Deque<AskedQuestion> toAsk = new ArrayDeque<>(questions);
        try {
            askAgain(toAsk);
            for (JsonNode entry = events.next(); entry != null; entry = events.next()) {
                List<JsonNode> batch = new ArrayList<>();
                entry.path("events").forEach(batch::add);
                ClusterLedger.Batch accepted =
                        ledger.replay(batch, entry.path("at").longValue());
                if (accepted.refusal() != null) {
                    throw events.refused(
                            String.valueOf(accepted.refusal().getMessage()),
                            "events that the cluster accepts, as it did before");
                }
                planner.catchUp(accepted.changes());
                askAgain(toAsk);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted as the state was made again", e);
        }
    }

    private void askAgain(Deque<AskedQuestion> questions) throws InterruptedException {
        while (!questions.isEmpty() && questions.peek().after() <= ledger.sequence()) {
            answering.askAgain(questions.remove());
        }
    }

    /** Writes to this journal from now on. */
    synchronized void writeTo(ClusterJournal journal) {
        ledger.writeTo(journal);
    }

    /** Accepts the events of a body; those before a refused one stay accepted. */
    public synchronized EventReceipt events(JsonNode body) {
        ledger.requireSound();
        List<JsonNode> events = Requests.bind(body, "", Requests.Events.class).events();
        int most = settings.limits().events();
        if (events.size() > most) {
            throw new RequestException(
                    RequestException.MALFORMED,
                    "events",
                    events.size() + " items",
                    "a list of at most %d items".formatted(most));
        }
        ClusterLedger.Batch batch = ledger.accept(events);
        int accepted = batch.changes().size();
        if (accepted > 0) {
            planner.follow(batch.changes());
        }
        metrics.events(accepted, batch.repeated());
        if (batch.refusal() != null) {
            throw batch.refusal();
        }
        return new EventReceipt(id, accepted, batch.repeated(), ledger.sequence());
    }

    /** An event with its number. */
    private record Numbered(@JsonUnwrapped LiveEvent event, long sequence) {}

    /**
     * Accepts events of a sender in this program, which get the next numbers; on the disk before they are believed.
     *
     * @return the words with which some were refused
     * @throws InputException when they cannot be written
     */
    public synchronized List<String> feed(List<LiveEvent> events) {
        List<String> refused = new ArrayList<>();
        int next = 0;
        while (next < events.size()) {
            long sequence = ledger.sequence();
            List<Numbered> numbered = new ArrayList<>();
            for (LiveEvent event : events.subList(next, Math.min(events.size(), next + MOST_FED))) {
                numbered.add(new Numbered(event, sequence + 1 + numbered.size()));
            }
            try {
                events(JsonText.tree(Map.of("events", numbered)));
                next += numbered.size();
            } catch (RequestException e) {
                next += (int) (ledger.sequence() - sequence) + 1;
                refused.add(String.valueOf(e.getMessage()));
                if (e.status() == RequestException.UNAVAILABLE) {
                    throw new InputException(String.valueOf(e.getMessage()));
                }
            }
        }
        return refused;
    }

    /** Whether its scheduler and the fallback place jobs of such a demand. */
    public boolean serves(Demand demand) {
        return settings.served().serves().test(demand)
                && settings.fallback().serves().test(demand);
    }

    /** Decisions in the present state: the last answer, or the decisions at the time of the last event. */
    public synchronized PlacementAnswer placeNow() {
        ledger.requireSound();
        PlacementAnswer before = last;
        return before != null && lastReports == ledger.cluster().reports()
                ? before
                : place(ledger.cluster().view().nowNanos());
    }

    /** Decisions at this time. */
    public synchronized PlacementAnswer place(long nowNanos) {
        ledger.requireSound();
        long from = settings.clock().nanos();
        long time = ledger.cluster().view().nowNanos();
        if (nowNanos < time) {
            throw new RequestException(
                    RequestException.IMPOSSIBLE,
                    "now_nanos",
                    nowNanos,
                    "at least %d, the time of the cluster".formatted(time));
        }
        ClusterLedger.requireHeard("now_nanos", nowNanos, ledger.latestNanos());
        PlacementAnswer before = last;
        if (before != null
                && before.nowNanos() == nowNanos
                && lastReports == ledger.cluster().reports()) {
            return before;
        }
        PlacementAnswer answer = answering.answer(nowNanos, from);
        last = answer;
        lastReports = ledger.cluster().reports();
        metrics.answered(answer, settings.clock().nanos() - from);
        return answer;
    }

    /**
     * When a job that is submitted now would start; the state stays as it is. One question at a time, on a bounded
     * number of jobs.
     */
    public Object when(JsonNode body) {
        return when(body, Map.of());
    }

    /**
     * Forecasts the start of a job where somebody knows time limits of jobs, which are no events.
     *
     * @param limitSeconds by job
     */
    public Object when(JsonNode body, Map<String, Long> limitSeconds) {
        if (!forecasting.tryAcquire()) {
            throw new RequestException(
                    RequestException.TOO_MANY, "when", "a question", "one forecast of a cluster at a time; ask again");
        }
        try {
            if (FORECASTS == null) {
                throw new RequestException(
                        RequestException.UNKNOWN, "when", "a question", "an installation with experiments/operators");
            }
            Supplier<Object> forecast;
            synchronized (this) {
                ledger.requireSound();
                SimView view = ledger.cluster().view();
                int jobs = view.waitingCount() + view.runningCount();
                if (jobs > MOST_FORECAST) {
                    throw new RequestException(
                            RequestException.TOO_LARGE,
                            "cluster",
                            jobs,
                            "at most %d jobs that wait or run".formatted(MOST_FORECAST));
                }
                forecast = FORECASTS.of(
                        view,
                        topology,
                        asked(Requests.bind(body, "", Requests.When.class)),
                        limitSeconds,
                        settings.served().name(),
                        () -> settings.served().maker().scheduler(topology, null),
                        settings.seed());
            }
            return forecast.get();
        } finally {
            forecasting.release();
        }
    }

    private StartForecasting.Asked asked(Requests.When question) {
        if (question.gpus() > topology.gpus()) {
            throw new RequestException(
                    RequestException.MALFORMED,
                    "gpus",
                    question.gpus(),
                    "a whole number from 1 to %d".formatted(topology.gpus()));
        }
        Double limit = question.limitSeconds();
        return new StartForecasting.Asked(
                question.gpus(), limit == null ? 0 : limit, question.user(), question.group());
    }

    /** State of the cluster. */
    public synchronized ClusterView view() {
        ledger.requireSound();
        return writer.view(ledger.sequence());
    }

    /** The GPUs that are out of order by themselves. */
    public synchronized List<PlacementAnswer.ServerGpus> down() {
        List<PlacementAnswer.ServerGpus> down = new ArrayList<>();
        for (int server = 0; server < topology.servers(); server++) {
            int first = topology.servers() + topology.firstGpu(server);
            List<Integer> gpus = IntStream.range(0, topology.gpusOn(server))
                    .filter(gpu -> ledger.cluster().isDown(first + gpu))
                    .boxed()
                    .toList();
            if (!gpus.isEmpty()) {
                down.add(new PlacementAnswer.ServerGpus(topology.serverName(server), gpus));
            }
        }
        return down;
    }

    /** Whether it can accept events and its scheduler decides. */
    public boolean isReady() {
        return ledger.isSound() && !planner.isLost();
    }

    /** Whether its scheduler has missed at least {@link #MOST_MISSED} answers in a row. */
    boolean isDegraded() {
        return answering.missedInARow() >= MOST_MISSED;
    }

    synchronized Registration registration() {
        return new Registration(id, ledger.acknowledged(), topology.servers(), topology.gpus(), topology.serverName(0));
    }

    synchronized int waiting() {
        return ledger.cluster().view().waitingCount();
    }

    synchronized int running() {
        return ledger.cluster().view().runningCount();
    }

    synchronized int unknownModels() {
        return ledger.unknownModels();
    }

    Planner planner() {
        return planner;
    }

    @Override
    public synchronized void close() {
        planner.close();
        ledger.close();
    }
}
