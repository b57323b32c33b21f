package org.trainyard.experiments.export;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.run.Experiment;

/**
 * Records decisions of a policy while it plays the validation episodes of its experiment, then training episodes if
 * these are too few; never test episodes. Takes every {@value #STRIDE}th decision, and from an episode at most the
 * {@value #EPISODES}th part of all, so that decisions differ.
 */
final class DecisionRecorder {
    private static final int STRIDE = 7;
    private static final int EPISODES = 8;
    private static final int TRAINING_EPISODES = 200;

    private final List<RecordedDecision> recorded = new ArrayList<>();
    private final int wanted;
    private int seen;
    private int episodes;
    private int ofEpisode;

    private DecisionRecorder(int wanted) {
        this.wanted = wanted;
    }

    /** Records this many decisions, or fewer when all episodes have fewer. */
    static DecisionRecorder play(Experiment experiment, ExportedPolicy policy, int wanted) {
        DecisionRecorder recorder = new DecisionRecorder(wanted);
        Iterator<Workload> workloads = Stream.concat(
                        experiment.validation().stream(),
                        IntStream.range(0, TRAINING_EPISODES).mapToObj(experiment::train))
                .iterator();
        while (recorder.recorded.size() < wanted && workloads.hasNext()) {
            Simulator simulator = experiment.simulator(workloads.next());
            simulator.run(policy.scheduler(experiment.deployment(), recorder::take));
            recorder.episodes++;
            recorder.ofEpisode = 0;
        }
        return recorder;
    }

    private void take(Supplier<RecordedDecision> decision) {
        if (seen++ % STRIDE == 0 && recorded.size() < wanted && ofEpisode <= wanted / EPISODES) {
            recorded.add(decision.get());
            ofEpisode++;
        }
    }

    List<RecordedDecision> recorded() {
        return recorded;
    }

    /** Episodes that were played. */
    int episodes() {
        return episodes;
    }
}
