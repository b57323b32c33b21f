package org.trainyard.experiments.service.live;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** What a policy in shadow mode would have done otherwise. */
final class ShadowReport {
    private static final int KEPT = 100;

    /**
     * An answer in which the two differ.
     *
     * @param nowNanos time of the question
     * @param sequence number of the last event before it
     * @param decided what the heuristic decided, a line each
     * @param policy what the policy would have decided
     */
    public record Difference(long nowNanos, long sequence, List<String> decided, List<String> policy) {}

    /** The number of answers compared, of those that differ, of those that the policy failed to give, and the last differences. */
    public record Summary(long compared, long different, long failed, List<Difference> last) {}

    private final Deque<Difference> last = new ArrayDeque<>();
    private long compared;
    private long different;
    private long failed;

    /** Notes an answer; returns whether the two are equal. */
    synchronized boolean note(long nowNanos, long sequence, List<String> decided, List<String> policy) {
        compared++;
        if (decided.equals(policy)) {
            return true;
        }
        different++;
        if (last.size() == KEPT) {
            last.removeFirst();
        }
        last.addLast(new Difference(nowNanos, sequence, decided, policy));
        return false;
    }

    synchronized void noteFailure() {
        failed++;
    }

    synchronized Summary summary() {
        return new Summary(compared, different, failed, List.copyOf(last));
    }
}
