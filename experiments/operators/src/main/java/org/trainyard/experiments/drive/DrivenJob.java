package org.trainyard.experiments.drive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** State of a job for a driver: what it told the manager of it, by the log, and what it means to do with it. */
final class DrivenJob {
    /** Ends the hold with which a job was submitted, and lets it wait by a lease. */
    static final String TAKE = "take";
    /** Ends the hold with which a job was submitted, and leaves it to the manager, without a lease. */
    static final String RELEASE = "release";
    /** Ends what a driver did to a job. */
    static final String GIVE_BACK = "give back";
    /** Clears the nodes of a job that the manager has requeued, which stays so. */
    static final String CLEAR = "clear nodes";

    static final String START = "start";
    static final String START_ON = "start on";
    private static final long NEVER = Long.MAX_VALUE / 2;

    /** The last entry of the log, null before anything was done to it. */
    private @Nullable JsonNode last;

    /** Whether it was told to start and not told to wait since. */
    boolean isOpen;
    /** Whether the last that was done to it was to end the hold with which it was submitted, or that was forgotten. */
    boolean isTaken;
    /** Whether the nodes that it must have are ours. */
    boolean isPlaced;
    /** When its hold was ended, milliseconds since 1970. */
    private long takenMillis = Long.MIN_VALUE;
    /** How often it had been requeued when it was told to requeue, -1 when it was not. */
    private int requeuedAt = -1;

    /** When its lease was renewed last, by the time of the driver. */
    @Nullable Long leasedNanos;
    /** End of the wait that it was told last, seconds since 1970. */
    long untilSeconds = NEVER;
    /** The priority with which it was told to start. */
    @Nullable Long priority;
    /** When it was told to start since it last waited, by the time of the driver. */
    @Nullable Long toldNanos;
    /** Whether its last order was refused for good. */
    boolean isRefused;
    /** The last refusal that was said. */
    String saidRefusal = "";
    /** Why it is left to the manager, as it was said; null when it is not. */
    @Nullable String left;

    /** Why its decision was dropped last. */
    String dropped = "";

    /** Why it is left to the manager for a while, until a time of the driver. */
    String pause = "";

    long pausedUntilNanos = Long.MIN_VALUE;
    /** Nodes that it avoids, until a time of the driver. */
    final Map<String, Long> avoided = new HashMap<>();
    /** Since when it has found no room, by its names in the mirror. */
    final Map<String, Long> roomless = new HashMap<>();

    /** An entry of the log. */
    void note(JsonNode entry) {
        String deed = entry.path(DriveLog.DEED).asText();
        if (deed.equals(CLEAR)) {
            isOpen = false;
            return;
        }
        last = entry;
        isTaken = false;
        switch (deed) {
            case TAKE, RELEASE -> {
                isOpen = false;
                isTaken = true;
                takenMillis = entry.path(DriveLog.AT).asLong();
            }
            case START -> isOpen = true;
            case START_ON -> {
                isOpen = true;
                isPlaced = true;
            }
            case "requeue" -> requeuedAt = entry.path(DriveLog.RESTARTS).asInt();
            default -> isOpen = false;
        }
    }

    /** Entries from which {@link #note} makes the same of it. */
    List<JsonNode> entries() {
        List<JsonNode> entries = new ArrayList<>();
        if (last != null) {
            if (isPlaced && !isOpen) {
                entries.add(((ObjectNode) last.deepCopy()).put(DriveLog.DEED, START_ON));
            }
            entries.add(last);
        }
        return entries;
    }

    /** Notes that the job waits by a lease. */
    void waits(long nowNanos, long until) {
        startsByItself();
        leasedNanos = nowNanos;
        untilSeconds = until;
    }

    /** Notes that the job waits without a lease and was told no start. */
    void startsByItself() {
        leasedNanos = null;
        priority = null;
        toldNanos = null;
    }

    /** Notes that the job waits no more, so that nothing of its wait bounds or explains another. */
    void leavesQueue() {
        startsByItself();
        untilSeconds = NEVER;
        isRefused = false;
        saidRefusal = "";
        left = null;
    }

    /** Whether anything was ever done to it. */
    boolean isKnown() {
        return last != null;
    }

    /** Whether it was taken and waits by a lease of ours. */
    boolean isLeased() {
        return isTaken && !isLast(RELEASE);
    }

    private boolean isLast(String deed) {
        return last != null && last.path(DriveLog.DEED).asText().equals(deed);
    }

    /** Whether the manager has it back, so that its begin time is not ours. */
    boolean isGivenBack() {
        return isLast(GIVE_BACK);
    }

    /** Whether the last that was done to it was to start it, so that its priority is ours. */
    boolean isStarted() {
        return isLast(START) || isStartedOnNodes();
    }

    boolean isStartedOnNodes() {
        return isLast(START_ON);
    }

    /** Whether it waits for us, as far as the log knows. */
    boolean isWaiting() {
        return isKnown() && !isGivenBack() && !isLast(RELEASE) && !isStarted();
    }

    /** Nodes on which it was told to start last; none when it was told none. */
    List<String> nodes() {
        List<String> nodes = new ArrayList<>();
        if (last != null) {
            last.path(DriveLog.NODES).forEach(node -> nodes.add(node.asText()));
        }
        return nodes;
    }

    /** Whether it was told to requeue when it had been requeued so often. */
    boolean isRequeued(int restarts) {
        return requeuedAt == restarts;
    }

    /** Whether it was ever told to requeue. */
    boolean wasRequeued() {
        return requeuedAt >= 0;
    }

    /** Whether the manager itself requeued it, as it is now, since anything was done to it. */
    boolean isRequeuedByOthers(LiveJob now) {
        return last != null && last.path(DriveLog.RESTARTS).asInt() < now.restarts() && !isRequeued(now.restarts() - 1);
    }

    /** Whether its number is that of another job now, submitted later and not requeued since. */
    boolean isReusedBy(LiveJob now) {
        return last != null
                && now.submit() > last.path(DriveLog.SUBMIT).asLong(Long.MAX_VALUE)
                && now.restarts() <= last.path(DriveLog.RESTARTS).asInt();
    }

    /** Whether its hold was ended between two times, milliseconds since 1970, and does not count as taken. */
    boolean wasReleasedIn(long after, long before) {
        return !isTaken && takenMillis > after && takenMillis < before;
    }
}
