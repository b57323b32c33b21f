package org.trainyard.experiments.gym;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.run.Experiment;

/** The episodes of an experiment by split and number: those on which policies are trained, selected and tested. */
final class GymEpisodes {
    /** Kinds of episodes. */
    enum Split {
        TRAIN("train"),
        VALIDATION("validation"),
        TEST("test");

        private final String title;

        Split(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }

        /** The split of this number in the protocol. */
        static Split of(int number) {
            if (number < 0 || number >= values().length) {
                throw InputException.at("reset, split", number, "0 (train), 1 (validation) or 2 (test)");
            }
            return values()[number];
        }
    }

    private final Experiment experiment;
    /** By number, each made when it is first asked for. */
    private final AtomicReferenceArray<@Nullable Workload> validation;

    private final AtomicReferenceArray<@Nullable Workload> test;

    GymEpisodes(Experiment experiment) {
        this.experiment = experiment;
        validation = new AtomicReferenceArray<>(experiment.validationCount());
        test = new AtomicReferenceArray<>(experiment.testCount());
    }

    private List<Double> speeds() {
        return experiment.config().learner().arrivalSpeeds();
    }

    /** Episodes of a split that has an end. */
    int count(Split split) {
        return split == Split.VALIDATION ? validation.length() : test.length();
    }

    /** Refuses a number that no episode of the split has. */
    void require(Split split, long number) {
        if (number < 0 || (split != Split.TRAIN && number >= count(split))) {
            throw InputException.at(
                    "reset, episode",
                    number,
                    split == Split.TRAIN
                            ? "a number of at least 0"
                            : "a number of the %d %s episodes, from 0 on".formatted(count(split), split.title()));
        }
    }

    /** The jobs of an episode; training episodes arrive at the learner's arrival speeds, in turn. */
    Workload workload(Split split, long number) {
        require(split, number);
        return switch (split) {
            case TRAIN -> experiment.train(number, speedOf(number));
            case VALIDATION ->
                kept(validation, (int) number, () -> experiment.validation((int) number, speedOf(number)));
            case TEST -> kept(test, (int) number, () -> experiment.test((int) number));
        };
    }

    private double speedOf(long number) {
        return speeds().get((int) (number % speeds().size()));
    }

    /** Equal whichever thread made it. */
    private static Workload kept(AtomicReferenceArray<@Nullable Workload> made, int number, Supplier<Workload> maker) {
        Workload kept = made.get(number);
        if (kept == null) {
            kept = maker.get();
            made.set(number, kept);
        }
        return kept;
    }
}
