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

    /**
     * What was compared.
     *
     * @param status whether there is a shadow, and whether anything was compared
     * @param compared number of answers compared
     * @param different of those that differ
     * @param failed of those that the policy failed to give
     * @param skipped of those for which it had no time, because the next question came
     * @param last differences
     */
    public record Summary(
            String status, long compared, long different, long failed, long skipped, List<Difference> last) {
        /** Without a shadow. */
        static final Summary OFF =
                new Summary("off: nothing is compared without serve --shadow", 0, 0, 0, 0, List.of());
    }

    private final Deque<Difference> last = new ArrayDeque<>();
    private long compared;
    private long different;
    private long failed;
    private long skipped;

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

    synchronized void noteSkipped() {
        skipped++;
    }

    synchronized Summary summary() {
        String status = compared > 0 ? "compared" : "nothing compared yet";
        return new Summary(status, compared, different, failed, skipped, List.copyOf(last));
    }
}
