package org.trainyard.experiments.run;

import java.util.List;
import org.trainyard.env.workload.Workload;

/**
 * Successive episodes of an experiment. Part, number and speed name an episode: the same experiment makes the same
 * workload of them on any machine.
 *
 * @param first number of the first in its part
 * @param arrivalSpeeds how many times as fast the jobs arrive, cycled over the numbers; not for test episodes
 */
public record EpisodeSet(Part part, long first, List<Double> arrivalSpeeds, List<Workload> workloads) {
    /** Purpose of episodes, as in a data split. */
    public enum Part {
        TRAINING,
        VALIDATION,
        TEST
    }

    private static final List<Double> AS_DRAWN = List.of(1.0);

    public EpisodeSet {
        arrivalSpeeds = List.copyOf(arrivalSpeeds);
        workloads = List.copyOf(workloads);
    }

    public static EpisodeSet validation(Experiment experiment) {
        return validation(experiment, AS_DRAWN);
    }

    /** All validation episodes at these multipliers of the arrival rate. */
    public static EpisodeSet validation(Experiment experiment, List<Double> arrivalSpeeds) {
        return new EpisodeSet(Part.VALIDATION, 0, arrivalSpeeds, experiment.validation(arrivalSpeeds));
    }

    public static EpisodeSet test(Experiment experiment) {
        return new EpisodeSet(Part.TEST, 0, AS_DRAWN, experiment.test());
    }

    public static Workload workload(Experiment experiment, Part part, long number, List<Double> arrivalSpeeds) {
        double speed = arrivalSpeeds.get((int) (number % arrivalSpeeds.size()));
        return switch (part) {
            case TRAINING -> experiment.train(number, speed);
            case VALIDATION -> experiment.validation((int) number, speed);
            case TEST -> experiment.test((int) number);
        };
    }

    public int size() {
        return workloads.size();
    }

    /** The episodes from one index to before another. */
    public EpisodeSet subList(int from, int to) {
        return new EpisodeSet(part, first + from, arrivalSpeeds, workloads.subList(from, to));
    }
}
