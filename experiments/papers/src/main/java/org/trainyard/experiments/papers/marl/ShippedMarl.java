package org.trainyard.experiments.papers.marl;

import java.nio.file.Path;
import java.util.List;
import org.trainyard.agents.learned.policy.InferencePolicy;
import org.trainyard.experiments.training.Checkpoint;

/** The policy of the rows on large clusters, which ships and was trained on at most 256 GPUs. */
final class ShippedMarl {
    static final String NAME = "no-preemption";
    /** In the folder of the project. */
    static final String FOLDER = "checkpoints/" + NAME;

    static final int AGENTS = 16;
    /** All bid for all jobs, because the policy forwards none. */
    static final List<String> APART = List.of("environment.domains=" + AGENTS, "environment.jobs=Shared");
    /** One agent with the whole cluster in view. */
    static final List<String> ONE_VIEW =
            List.of("environment.domains=1", "environment.view=null", "environment.jobs=Shared");

    private ShippedMarl() {}

    /** The caller closes it. */
    static InferencePolicy policy() {
        Path folder = Path.of(System.getProperty("trainyard.root", ".")).resolve(FOLDER);
        return Checkpoint.open("reproduce marl", folder).policy().toInferencePolicy();
    }
}
