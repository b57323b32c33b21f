package org.trainyard.experiments.papers.pollux;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.trainyard.env.InputException;
import org.trainyard.experiments.papers.pollux.ArtifactSimulation.Batch;

/** A scheduler of Pollux' artifact, with the batch that its jobs have. */
enum ArtifactScheduler {
    POLLUX(Batch.ADAPTED),
    TIRESIAS(Batch.SUBMITTED),
    OPTIMUS(Batch.SUBMITTED);

    private final Batch batch;

    ArtifactScheduler(Batch batch) {
        this.batch = batch;
    }

    static ArtifactScheduler named(String name) {
        return Arrays.stream(values())
                .filter(one -> one.label().equals(name))
                .findFirst()
                .orElseThrow(() -> InputException.at(
                        "--replay",
                        name,
                        Arrays.stream(values()).map(ArtifactScheduler::label).collect(Collectors.joining(", "))));
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    private ArtifactSimulation.Policy policy() {
        return switch (this) {
            case POLLUX -> new ArtifactPollux(1);
            case TIRESIAS -> new ArtifactTiresias();
            case OPTIMUS -> new ArtifactOptimus();
        };
    }

    /** Completion times, seconds, by job of a workload, whose rows are those of the artifact. */
    Map<String, Double> completionSeconds(PolluxArtifact artifact, List<String[]> workload) {
        return ArtifactSimulation.completionSeconds(ArtifactSimulation.jobs(artifact, workload, batch), policy());
    }
}
