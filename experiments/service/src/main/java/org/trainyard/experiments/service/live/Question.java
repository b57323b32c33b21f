package org.trainyard.experiments.service.live;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Decision;
import org.trainyard.experiments.service.live.PlacementAnswer.DecidedAuction;

/** A question to a {@link Planner}, from its arrival until its answer, or until no client waits for one. */
final class Question {
    /**
     * Plan of a scheduler.
     *
     * @param decisions the last is to wait
     * @param why the auctions that led to them
     * @param isComplete whether the scheduler decided to wait, rather than being stopped
     * @param isFirst whether a new scheduler decided, so that earlier questions do not matter any more
     * @param isRepeated whether nothing has changed since the last plan, which this is
     * @param isKept whether the scheduler remembers the plan
     */
    record Plan(
            List<Decision> decisions,
            List<DecidedAuction> why,
            boolean isComplete,
            boolean isFirst,
            boolean isRepeated,
            boolean isKept) {
        /** Decisions of a plan that the scheduler has not just made, and nothing after them. */
        static Plan beginning(List<Decision> made, List<DecidedAuction> why, long nowNanos, boolean isKept) {
            List<Decision> decisions = new ArrayList<>(made);
            decisions.add(Decision.waitUntil(nowNanos + 1));
            return new Plan(decisions, why, false, false, true, isKept);
        }
    }

    private enum Stage {
        WAITING,
        BEGUN,
        ENDED,
        DROPPED
    }

    private final long nowNanos;
    private final CompletableFuture<Plan> end = new CompletableFuture<>();
    private final List<Decision> ready = new ArrayList<>();
    private List<DecidedAuction> why = List.of();
    private Stage stage = Stage.WAITING;
    private @Nullable Plan late;

    Question(long nowNanos) {
        this.nowNanos = nowNanos;
    }

    long nowNanos() {
        return nowNanos;
    }

    /** Completes with the plan, or with the failure of the scheduler; never when the question is dropped. */
    CompletableFuture<Plan> end() {
        return end;
    }

    /** Whether to plan for this question: not when no client waits for it. */
    synchronized boolean begin() {
        if (stage == Stage.DROPPED) {
            return false;
        }
        stage = Stage.BEGUN;
        return true;
    }

    /** Offers the decisions so far, with which an answer can end; returns whether a client waits for more. */
    synchronized boolean offer(List<Decision> made, List<DecidedAuction> auctions) {
        for (int i = ready.size(); i < made.size(); i++) {
            ready.add(made.get(i));
        }
        why = auctions;
        return stage == Stage.BEGUN;
    }

    /** Whether there are decisions with which an answer can end. */
    synchronized boolean hasDecisions() {
        return !ready.isEmpty();
    }

    /** Gives the plan; returns whether it is in time. */
    synchronized boolean answer(Plan plan) {
        if (stage == Stage.DROPPED) {
            late = plan;
            return false;
        }
        stage = Stage.ENDED;
        end.complete(plan);
        return true;
    }

    synchronized void fail(Throwable failure) {
        if (stage != Stage.DROPPED) {
            stage = Stage.ENDED;
            end.completeExceptionally(failure);
        }
    }

    /**
     * A newer question takes its place, unless the scheduler thinks about it already; returns whether it is dropped.
     */
    synchronized boolean dropUnlessBegun() {
        if (stage == Stage.WAITING) {
            stage = Stage.DROPPED;
        }
        return stage == Stage.DROPPED;
    }

    /** The plan that came after the question was dropped; null when there is none so far. */
    synchronized @Nullable Plan late() {
        return late;
    }

    /**
     * Drops the question, unless it has ended, as no client waits for it; returns whether planning for it had begun.
     */
    synchronized boolean drop() {
        boolean isBegun = stage == Stage.BEGUN;
        if (stage != Stage.ENDED) {
            stage = Stage.DROPPED;
        }
        return isBegun;
    }

    /** The decisions that were ready when the question was dropped; null when there were none. */
    synchronized @Nullable Plan partly() {
        return ready.isEmpty() ? null : Plan.beginning(ready, why, nowNanos, true);
    }
}
