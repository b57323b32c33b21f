package org.trainyard.experiments.service.live;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.LiveCluster;
import org.trainyard.env.simulation.LiveScheduler;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.topology.Topology;

/**
 * A live cluster of a service: it accepts numbered events and answers what to do now.
 *
 * <p>There are two states of it. The ledger is what the events say; it judges events and answers, and the fallback decides on it. The {@link Planner}
 * follows the ledger, and the served scheduler decides there. An answer changes neither.
 */
public final class ServedCluster implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServedCluster.class);
    private static final long VERSION = 1;

    private final String id;
    private final ServiceSettings settings;
    private final ServiceMetrics metrics;
    private final Topology topology;
    private final LiveCluster ledger;
    private final EventReader reader;
    private final AnswerWriter writer;
    private final Planner planner;
    private final LiveScheduler deputy;
    private final ShadowReport shadow = new ShadowReport();
    private @Nullable CompletableFuture<?> lastComparison;
    private @Nullable ClusterJournal journal;
    private boolean isBroken;
    /** By number of the event less one, the beginning of the hash of its content. */
    private long[] hashes = new long[64];

    private int sequence;
    private @Nullable PlacementAnswer last;
    private long lastReports;

    ServedCluster(String id, Topology topology, ServiceSettings settings, ServiceMetrics metrics) {
        this.id = id;
        this.topology = topology;
        this.settings = settings;
        this.metrics = metrics;
        ledger = new LiveCluster(
                topology, settings.performance(topology), settings.predictor(), settings.options(topology));
        reader = new EventReader(settings, topology, ledger);
        writer = new AnswerWriter(id, topology, ledger);
        planner = new Planner(id, settings, topology);
        deputy = new LiveScheduler(ledger, this::fallback);
    }

    private Scheduler fallback() {
        return settings.fallback().maker().scheduler(topology, null);
    }

    public String id() {
        return id;
    }

    public Topology topology() {
        return topology;
    }

    /** Makes the state again of which these lines of a journal tell. */
    synchronized void resume(List<JsonNode> entries) {
        for (JsonNode entry : entries) {
            if (entry.has("asked")) {
                think(entry.get("asked").longValue());
            } else {
                List<JsonNode> events = new ArrayList<>();
                entry.path("events").forEach(events::add);
                accept(events, new ArrayList<>());
            }
        }
    }

    /** Writes to this journal from now on. */
    synchronized void writeTo(ClusterJournal to) {
        journal = to;
    }

    /** Asks the schedulers again as they were asked before the restart, without time limit, so that they remember what they did. */
    private void think(long nowNanos) {
        ledger.moveTo(nowNanos);
        CompletableFuture<Planner.Plan> future = planner.ask(nowNanos);
        try {
            if (future != null) {
                future.get();
            }
            if (settings.isShadow()) {
                deputy.propose();
            }
        } catch (ExecutionException | RuntimeException e) {
            LOG.warn("{}: a scheduler failed at {} ns as the state was made again: {}", id, nowNanos, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted as the state was made again", e);
        }
    }

    /** Accepts the events of a body; those before a refused one stay accepted. */
    public synchronized EventReceipt events(JsonNode body) {
        requireSound();
        JsonFields fields = JsonFields.of(body, "");
        fields.wholeOr("version", VERSION, VERSION, VERSION);
        List<JsonNode> events = fields.list("events", settings.limits().events());
        fields.end();
        List<JsonNode> accepted = new ArrayList<>();
        try {
            accept(events, accepted);
        } catch (RequestException e) {
            throw e.after(sequence);
        } finally {
            write(accepted);
        }
        int repeated = events.size() - accepted.size();
        metrics.events(accepted.size(), repeated);
        return new EventReceipt(id, accepted.size(), repeated, sequence);
    }

    private void write(List<JsonNode> accepted) {
        if (journal != null && !accepted.isEmpty()) {
            append(Map.of("events", accepted), true);
        }
    }

    private void append(Object entry, boolean isForced) {
        if (journal == null) {
            return;
        }
        try {
            journal.append(entry, isForced);
        } catch (UncheckedIOException e) {
            // What is in memory is not on the disk: the service must start again before it promises anything else.
            isBroken = true;
            LOG.error("{}: {}", id, e.toString());
            requireSound();
        }
    }

    private void requireSound() {
        if (isBroken) {
            throw new RequestException(
                    RequestException.UNAVAILABLE,
                    "cluster",
                    id,
                    "a write-ahead file that can be written; free the disk and start again");
        }
    }

    /** Whether it can accept events and its scheduler decides. */
    public synchronized boolean isReady() {
        return !isBroken && !planner.isLost();
    }

    private void accept(List<JsonNode> events, List<JsonNode> accepted) {
        List<Change> changes = new ArrayList<>();
        try {
            for (int i = 0; i < events.size(); i++) {
                JsonNode event = events.get(i);
                Change change = accept(JsonFields.of(event, "events[%d]".formatted(i)), event);
                if (change != null) {
                    changes.add(change);
                    accepted.add(event);
                }
            }
        } finally {
            if (!changes.isEmpty()) {
                planner.follow(changes);
            }
        }
    }

    /** Applies an event to the ledger; null when the cluster knows it already. */
    private @Nullable Change accept(JsonFields fields, JsonNode event) {
        long number = fields.whole("sequence", 1, Integer.MAX_VALUE);
        String place = fields.at("sequence");
        if (number > sequence + 1L) {
            throw new RequestException(
                    RequestException.CONFLICT,
                    place,
                    number,
                    "%d: events are missing from there on".formatted(sequence + 1));
        }
        long hash = ContentHash.of(event);
        if (number <= sequence) {
            if (hashes[(int) number - 1] != hash) {
                throw new RequestException(
                        RequestException.CONFLICT,
                        place,
                        number,
                        "the content that event %d had before".formatted(number));
            }
            return null;
        }
        Change change = reader.read(fields);
        int arrived = ledger.view().arrived();
        try {
            change.applyTo(ledger);
        } catch (IllegalArgumentException | InputException e) {
            throw new RequestException(
                    RequestException.IMPOSSIBLE, place.replace(".sequence", ""), event, String.valueOf(e.getMessage()));
        }
        if (ledger.view().arrived() > arrived) {
            reader.arrived(arrived);
        }
        if (sequence == hashes.length) {
            hashes = Arrays.copyOf(hashes, 2 * sequence);
        }
        hashes[sequence++] = hash;
        return change;
    }

    /** What to do at the time of the last event or question. */
    public synchronized PlacementAnswer placeNow() {
        return place(ledger.view().nowNanos());
    }

    /** What to do at this time. */
    public synchronized PlacementAnswer place(long nowNanos) {
        requireSound();
        long from = System.nanoTime();
        if (nowNanos < ledger.view().nowNanos()) {
            throw new RequestException(
                    RequestException.IMPOSSIBLE,
                    "now_nanos",
                    nowNanos,
                    "at least %d, the time of the cluster"
                            .formatted(ledger.view().nowNanos()));
        }
        PlacementAnswer before = last;
        if (before != null && before.nowNanos() == nowNanos && lastReports == ledger.reports()) {
            return before;
        }
        append(Map.of("asked", nowNanos), false);
        ledger.moveTo(nowNanos);
        PlacementAnswer answer = settings.isShadow() ? inShadow(nowNanos) : decided(nowNanos, from);
        last = answer;
        lastReports = ledger.reports();
        metrics.answered(answer.decidedBy(), answer.reason(), System.nanoTime() - from);
        return answer;
    }

    private PlacementAnswer decided(long nowNanos, long from) {
        CompletableFuture<Planner.Plan> future = planner.ask(nowNanos);
        if (future == null) {
            return byFallback("behind");
        }
        try {
            long left = settings.budgetNanos() - (System.nanoTime() - from);
            Planner.Plan plan = future.get(Math.max(0, left), TimeUnit.NANOSECONDS);
            return writer.answer(
                    new AnswerWriter.Source("policy", settings.served().name(), null),
                    sequence,
                    plan.decisions(),
                    plan.why());
        } catch (TimeoutException e) {
            return byFallback("deadline");
        } catch (ExecutionException e) {
            LOG.warn(
                    "{}: {} failed at {} ns: {}", id, settings.served().name(), nowNanos, String.valueOf(e.getCause()));
            return byFallback("failed");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return byFallback("failed");
        } catch (IllegalArgumentException | IllegalStateException e) {
            LOG.warn(
                    "{}: {} proposed what is impossible: {}",
                    id,
                    settings.served().name(),
                    e.getMessage());
            return byFallback("illegal");
        }
    }

    /** The answer of a fallback that knows nothing but the state; if it fails too, all jobs wait. */
    private PlacementAnswer byFallback(String reason) {
        AnswerWriter.Source source =
                new AnswerWriter.Source("fallback", settings.fallback().name(), reason);
        try {
            List<Decision> decisions = new LiveScheduler(ledger, this::fallback).propose();
            return writer.answer(source, sequence, decisions, List.of());
        } catch (IllegalArgumentException | IllegalStateException | InputException e) {
            LOG.error("{}: the fallback {} failed: {}", id, settings.fallback().name(), e.toString());
            return writer.answer(
                    new AnswerWriter.Source("nobody", "none", reason), sequence, List.of(Decision.WAIT), List.of());
        }
    }

    private PlacementAnswer inShadow(long nowNanos) {
        List<Decision> decisions;
        try {
            decisions = deputy.propose();
        } catch (IllegalArgumentException | IllegalStateException | InputException e) {
            LOG.error("{}: the heuristic {} failed: {}", id, settings.fallback().name(), e.toString());
            decisions = List.of(Decision.WAIT);
        }
        PlacementAnswer answer = writer.answer(
                new AnswerWriter.Source("fallback", settings.fallback().name(), "shadow"),
                sequence,
                decisions,
                List.of());
        List<String> decided = writer.lines(decisions);
        int at = sequence;
        CompletableFuture<Planner.Plan> future = planner.ask(nowNanos);
        if (future != null) {
            lastComparison = future.whenComplete((plan, failure) -> compare(nowNanos, at, decided, plan, failure));
        } else {
            shadow.noteFailure();
        }
        return answer;
    }

    private void compare(
            long nowNanos, int at, List<String> decided, Planner.@Nullable Plan plan, @Nullable Throwable failure) {
        if (plan == null) {
            LOG.warn(
                    "{}: in shadow, {} failed at {} ns: {}",
                    id,
                    settings.served().name(),
                    nowNanos,
                    String.valueOf(failure));
            shadow.noteFailure();
            return;
        }
        List<String> policy = planner.lines(plan.decisions());
        boolean isEqual = shadow.note(nowNanos, at, decided, policy);
        metrics.compared(isEqual);
        LOG.info(
                "{}: in shadow at {} ns, {} would decide {}",
                id,
                nowNanos,
                settings.served().name(),
                policy);
    }

    /** What the policy in shadow would have done otherwise, up to the last question. */
    public ShadowReport.Summary shadow() {
        CompletableFuture<?> pending;
        synchronized (this) {
            pending = lastComparison;
        }
        try {
            if (pending != null) {
                pending.get(1, TimeUnit.SECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("{}: the last comparison is not there", id, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return shadow.summary();
    }

    /** Its state. */
    public synchronized ClusterView view() {
        return writer.view(sequence);
    }

    synchronized Registration registration() {
        return new Registration(id, sequence, topology.servers(), topology.gpus(), topology.serverName(0));
    }

    synchronized int waiting() {
        return ledger.view().waitingCount();
    }

    synchronized int running() {
        return ledger.view().runningCount();
    }

    long renewals() {
        return planner.renewals();
    }

    @Override
    public synchronized void close() {
        planner.close();
        if (journal != null) {
            journal.close();
            journal = null;
            isBroken = true;
        }
    }
}
