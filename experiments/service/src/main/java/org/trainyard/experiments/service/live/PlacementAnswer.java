package org.trainyard.experiments.service.live;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decisions for a cluster now. They are a proposal: the cluster changes when events report that they were carried out.
 *
 * @param sequence number of the last event that the answer knows of
 * @param nowNanos time for which it was asked
 * @param decidedBy {@code policy}, {@code fallback} or {@code nobody}
 * @param scheduler name of the scheduler that decided
 * @param reason why the fallback decided: {@code deadline}, {@code failed}, {@code illegal} or {@code behind}; null
 *     when it did not
 * @param complete whether these are all decisions of this time; otherwise the scheduler was stopped, and goes on when
 *     they are carried out and it is asked again
 * @param decisions in the order in which to carry them out
 * @param hold the first jobs that keep waiting
 * @param held number of all jobs that keep waiting
 * @param wakeNanos time to ask again at the latest, even if nothing happens; null when only an event changes anything
 * @param why the auctions of several bids by which agents decided, in their order; empty for a scheduler without
 *     auctions
 */
public record PlacementAnswer(
        String cluster,
        long sequence,
        long nowNanos,
        String decidedBy,
        String scheduler,
        @Nullable String reason,
        boolean complete,
        List<ProposedDecision> decisions,
        List<HeldJob> hold,
        int held,
        @Nullable Long wakeNanos,
        List<DecidedAuction> why) {

    /**
     * One decision.
     *
     * @param kind {@code start}, {@code preempt}, {@code resize} or {@code forward}
     * @param placement of a start or a resize, else null
     * @param domain of a forward, else null
     * @param predictedRunSeconds of a start or a resize, the time that the job still needs where it is placed; else
     *     null, as for one that a later decision takes back
     * @param predictedSlowdown of a start or a resize, its slowdown by other jobs there; else null
     */
    public record ProposedDecision(
            String kind,
            String job,
            @Nullable List<ServerGpus> placement,
            @Nullable Integer domain,
            @Nullable Double predictedRunSeconds,
            @Nullable Double predictedSlowdown) {}

    /** GPUs of one server, numbered from 0; none for a job without GPUs. */
    public record ServerGpus(String server, List<Integer> gpus) {}

    /**
     * A job that keeps waiting.
     *
     * @param waitedSeconds since it last entered the queue
     * @param predictedRunSeconds the time that it still needs on its best placement
     */
    public record HeldJob(String job, double waitedSeconds, double predictedRunSeconds) {}

    /** An auction: the number of its bids, and those with the highest scores, best first. */
    public record DecidedAuction(int bids, List<Candidate> candidates) {}

    /**
     * A bid.
     *
     * @param kind {@code wait}, {@code start}, {@code make_room}, {@code patience} or {@code move}
     * @param job null for the bid to wait
     * @param servers that it would take, or whose jobs it would move
     * @param legal whether it might win
     * @param chosen whether it won
     * @param predictedRunSeconds the time that the job still needs on its best placement; null for the bid to wait
     */
    public record Candidate(
            String kind,
            @Nullable String job,
            List<String> servers,
            double score,
            boolean legal,
            boolean chosen,
            @Nullable Double predictedRunSeconds) {}
}
