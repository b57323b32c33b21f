package org.trainyard.experiments.run;

import java.nio.file.Path;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.policy.TrainedPolicy;
import org.trainyard.gnn.CheckedFile;

/** Files of trained policies, of whatever kind. */
public final class PolicyFiles {
    private PolicyFiles() {}

    /** Whether a file begins as a policy of any kind. */
    public static boolean isPolicy(Path file) {
        return CheckedFile.isOf(file, BidPolicy.KIND);
    }

    /** The policy in a file; the caller closes it. */
    public static TrainedPolicy load(Path file) {
        return BidPolicy.load(file);
    }
}
