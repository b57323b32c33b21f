package org.trainyard.experiments.service.live;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Digests;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.LiveCluster;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.service.journal.AskedQuestion;
import org.trainyard.experiments.service.journal.ClusterJournal;
import org.trainyard.experiments.service.journal.RecentHashes;
import org.trainyard.experiments.service.live.EventReader.Change;

/**
 * State of a cluster by its accepted events: it validates new events, and writes them to the journal before it
 * acknowledges them. Questions do not change it.
 */
final class ClusterLedger implements AutoCloseable {
    /**
     * Result of a batch of events.
     *
     * @param changes by the new events
     * @param refusal of the first unacceptable event; events after it were not read
     */
    record Batch(
            List<Change> changes, int repeated, @Nullable RequestException refusal) {}

    /** Events whose content is known when they are sent again. */
    private static final int MOST_HASHES = 1 << 20;

    private final String id;
    private final LiveCluster cluster;
    private final EventReader reader;
    private final ServiceClock clock;
    private volatile @Nullable ClusterJournal journal;
    /** Why nothing can be written any more. */
    private volatile @Nullable String failure;

    private final RecentHashes hashes = new RecentHashes(MOST_HASHES);

    private int acknowledged;
    private final long skewNanos;
    /** Arrival of the last event, by the monotonic clock. */
    private long heardNanos;

    ClusterLedger(String id, ServiceSettings settings, Topology topology) {
        this.id = id;
        clock = settings.clock();
        skewNanos = settings.limits().skewNanos();
        cluster = new LiveCluster(settings.world(topology));
        reader = new EventReader(settings, topology, cluster);
    }

    LiveCluster cluster() {
        return cluster;
    }

    /** Number of jobs whose model the catalogue does not know. */
    int unknownModels() {
        return reader.unknownModels();
    }

    /** Number of the last event. */
    int sequence() {
        return hashes.count();
    }

    /** Number of the last event that does not get lost. */
    int acknowledged() {
        return acknowledged;
    }

    /** Writes to this journal from now on. */
    void writeTo(ClusterJournal to) {
        journal = to;
    }

    boolean isSound() {
        ClusterJournal known = journal;
        return failure == null && (known == null || known.isThere());
    }

    /** Refuses all requests after a failed write: the state in memory may not be on the disk. */
    void requireSound() {
        String cause = failure;
        if (cause != null) {
            throw new RequestException(
                    RequestException.UNAVAILABLE,
                    "cluster",
                    id,
                    "a write-ahead file that can be written (%s); free the disk and start again".formatted(cause));
        }
    }

    /**
     * Accepts events from the journal, which need not be written again.
     *
     * @param wallMillis when they came
     */
    Batch replay(List<JsonNode> events, long wallMillis) {
        heardNanos = clock.nanos() - 1_000_000 * Math.max(0, clock.wallMillis() - wallMillis);
        List<Change> changes = new ArrayList<>();
        for (JsonNode event : events) {
            Batch one = ClusterJournal.isGap(event)
                    ? skip(event)
                    : accept(List.of(event), new ArrayList<>(), Requests.LATEST_NANOS);
            changes.addAll(one.changes());
            if (one.refusal() != null) {
                return new Batch(changes, 0, one.refusal());
            }
        }
        acknowledged = sequence();
        return new Batch(changes, 0, null);
    }

    /** Passes over the numbers of events that changed nothing which still matters. */
    private Batch skip(JsonNode gap) {
        if (ClusterJournal.firstOf(gap) != sequence() + 1) {
            return new Batch(
                    List.of(),
                    0,
                    new RequestException(RequestException.CONFLICT, "replaced", gap, (sequence() + 1) + " first"));
        }
        while (hashes.count() < ClusterJournal.lastOf(gap)) {
            hashes.add(RecentHashes.UNKNOWN);
        }
        return new Batch(List.of(), 0, null);
    }

    /** Accepts events; those that are accepted are on the disk when this returns. */
    Batch accept(List<JsonNode> events) {
        requireSound();
        List<JsonNode> accepted = new ArrayList<>();
        Batch batch = accept(events, accepted, latestNanos());
        if (!accepted.isEmpty()) {
            heardNanos = clock.nanos();
            long now = clock.wallMillis();
            write(to -> to.events(accepted, now));
        }
        acknowledged = sequence();
        return batch;
    }

    /**
     * The latest time that an event or a question may have. A later one comes from a wrong clock, and after it all
     * events with the right time would be refused. The first event may have any time.
     */
    long latestNanos() {
        if (sequence() == 0) {
            return Requests.LATEST_NANOS;
        }
        double silentNanos = clock.nanos() - heardNanos;
        double latest = cluster.view().nowNanos() + silentNanos + skewNanos;
        return latest >= Requests.LATEST_NANOS ? Requests.LATEST_NANOS : (long) latest;
    }

    /** Refuses a time that is too far ahead. */
    static void requireHeard(String place, long nanos, long latestNanos) {
        if (nanos > latestNanos) {
            throw new RequestException(
                    RequestException.IMPOSSIBLE,
                    place,
                    nanos,
                    "at most %d, by the last event, the time since it came and --most-skew".formatted(latestNanos));
        }
    }

    /** Remembers that the scheduler was asked. */
    void asked(AskedQuestion question) {
        write(to -> to.asked(question));
    }

    /** A new scheduler takes over, which does not know the earlier questions. */
    void forgetQuestions() {
        write(ClusterJournal::forgetQuestions);
    }

    /** Whether there are so many questions to remember that a new scheduler has to take over. */
    boolean isFull() {
        return journal != null && journal.isFull();
    }

    private interface Writing {
        void to(ClusterJournal journal);
    }

    private void write(Writing entry) {
        if (journal == null) {
            return;
        }
        try {
            entry.to(journal);
        } catch (UncheckedIOException e) {
            failure = e.getMessage();
            requireSound();
        }
    }

    private Batch accept(List<JsonNode> events, List<JsonNode> accepted, long latestNanos) {
        List<Change> changes = new ArrayList<>();
        int repeated = 0;
        try {
            for (int i = 0; i < events.size(); i++) {
                JsonNode event = events.get(i);
                Change change = accept(event, "events[%d]".formatted(i), latestNanos);
                if (change == null) {
                    repeated++;
                } else {
                    changes.add(change);
                    accepted.add(event);
                }
            }
            return new Batch(changes, repeated, null);
        } catch (RequestException e) {
            return new Batch(changes, repeated, e.after(sequence()));
        }
    }

    /** Applies an event; null when the cluster knows it already. */
    private @Nullable Change accept(JsonNode event, String at, long latestNanos) {
        Requests.Event bound = Requests.bind(event, at, Requests.Event.class);
        int number = bound.sequence();
        String place = at + ".sequence";
        if (number > sequence() + 1L) {
            throw new RequestException(
                    RequestException.CONFLICT,
                    place,
                    number,
                    "%d: events are missing from there on".formatted(sequence() + 1));
        }
        long hash = ContentHash.of(event);
        if (number <= sequence()) {
            long before = hashes.of(number);
            if (before != hash && before != RecentHashes.UNKNOWN) {
                throw new RequestException(
                        RequestException.CONFLICT,
                        place,
                        number,
                        "the content that event %d had before".formatted(number));
            }
            return null;
        }
        Change change = reader.read(bound, at);
        requireHeard(at + ".time_nanos", change.timeNanos(), latestNanos);
        int arrived = cluster.view().arrived();
        try {
            change.applyTo(cluster);
        } catch (IllegalArgumentException | InputException e) {
            throw new RequestException(RequestException.IMPOSSIBLE, at, event, String.valueOf(e.getMessage()));
        }
        if (cluster.view().arrived() > arrived) {
            reader.arrived(arrived);
        }
        hashes.add(hash);
        return change;
    }

    @Override
    public void close() {
        failure = failure == null ? "it is closed" : failure;
        if (journal != null) {
            journal.close();
            journal = null;
        }
    }

    /** The beginning of the SHA-256 of JSON content: blanks and the order of fields do not matter. */
    private static final class ContentHash {
        private ContentHash() {}

        static long of(JsonNode node) {
            StringBuilder text = new StringBuilder();
            write(node, text);
            byte[] hash = Digests.sha256().digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(hash).getLong();
        }

        private static void write(JsonNode node, StringBuilder text) {
            if (node.isObject()) {
                List<String> names = new ArrayList<>();
                node.fieldNames().forEachRemaining(names::add);
                names.sort(null);
                text.append('{');
                for (String name : names) {
                    text.append(name.length()).append(':').append(name).append('=');
                    write(node.get(name), text);
                }
                text.append('}');
            } else if (node.isArray()) {
                text.append('[');
                node.forEach(item -> {
                    write(item, text);
                    text.append(',');
                });
                text.append(']');
            } else {
                text.append(node);
            }
        }
    }
}
