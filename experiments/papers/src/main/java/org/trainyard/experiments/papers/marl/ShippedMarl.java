package org.trainyard.experiments.papers.marl;

import java.nio.file.Path;
import java.util.List;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.experiments.training.Checkpoint;

/** The policy of the rows on large clusters, that of the paper's agents, which ships. */
final class ShippedMarl {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", "."));

    static final String NAME = "marl";
    /** Folder of the policy, in that of the project. */
    static final String FOLDER = "checkpoints/" + NAME;
    /** The GPUs of the largest cluster of its training. */
    static final int TRAINED_GPUS = 128;

    static final int AGENTS = 16;
    /** All bid for all jobs, as in the policy's training. */
    static final List<String> APART = List.of("environment.domains=" + AGENTS, "environment.jobs=Shared");
    /** One agent with the whole cluster in view. */
    static final List<String> ONE_VIEW =
            List.of("environment.domains=1", "environment.view=null", "environment.jobs=Shared");

    private ShippedMarl() {}

    static BidPolicy policy() {
        return Checkpoint.open("reproduce marl", ROOT.resolve(FOLDER)).policy();
    }
}
