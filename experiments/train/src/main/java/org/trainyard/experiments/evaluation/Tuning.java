package org.trainyard.experiments.evaluation;

import org.trainyard.env.InputException;
import org.trainyard.env.ServiceProviders;
import org.trainyard.experiments.run.Experiment;

/** A search among schedulers with hyperparameters on validation episodes, which a module offers. */
public interface Tuning {
    /** The result of a search. */
    interface Outcome {
        /** The name of the best scheduler in the registry. */
        String member();

        /** A sentence for notes. */
        String remark();

        /** The tuning as {@code tuning.json} has it. */
        Object json();
    }

    /** Searches on the validation episodes of an experiment. */
    Outcome of(Experiment experiment);

    /** @throws InputException where no module offers a search */
    static Tuning installed() {
        return ServiceProviders.first(Tuning.class)
                .orElseThrow(
                        () -> new InputException(
                                "--tune: no schedulers with hyperparameters are here; agents/heuristics and experiments/simulate have them"));
    }
}
