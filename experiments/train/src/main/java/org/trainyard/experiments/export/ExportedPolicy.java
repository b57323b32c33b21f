package org.trainyard.experiments.export;

import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.agents.learned.policy.TrainedPolicy;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.gnn.onnx.OnnxGraph;

/** A trained policy that can be written as an ONNX graph and be recorded while it plays in Java. */
interface ExportedPolicy extends AutoCloseable {
    /**
     * The policy of a checkpoint, which stays the caller's.
     */
    static ExportedPolicy of(TrainedPolicy policy) {
        if (policy instanceof BidPolicy bids) {
            return new ExportedBids(bids);
        }
        throw new IllegalArgumentException("no export of " + policy.getClass().getSimpleName());
    }

    /** What it is, for its card. */
    String title();

    /** What the policy chooses among in one decision, such as {@code bids}. */
    String choices();

    /** The whole policy. */
    OnnxGraph graph();

    /** The meaning of every input, by name. */
    Map<String, InputMeaning> inputs();

    /** The meaning of every output, by name. */
    Map<String, String> outputs();

    /** The meaning of every axis whose size varies, by name. */
    Map<String, String> axes();

    /** The output whose values decisions in Java record. */
    String comparedOutput();

    /** The policy in Java as a scheduler for one run, which tells of its decisions. */
    Scheduler scheduler(Deployment deployment, Consumer<Supplier<RecordedDecision>> listener);

    /** Frees what is outside the heap. */
    @Override
    default void close() {}
}
