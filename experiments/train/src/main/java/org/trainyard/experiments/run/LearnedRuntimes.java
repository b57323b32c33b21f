package org.trainyard.experiments.run;

import java.util.ServiceLoader;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.RuntimePredictor;

/** Run times predicted by random forests, which a module offers by {@link ServiceLoader}. */
public interface LearnedRuntimes {
    /** A fresh predictor; equal seeds give equal forests. */
    RuntimePredictor forest(long seed);

    /** The ones that are here. */
    static LearnedRuntimes installed() {
        return ServiceLoader.load(LearnedRuntimes.class, LearnedRuntimes.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> InputException.at(
                        "runtime", "forest", "history, oracle or lognormal: the module experiments/fit is not here"));
    }
}
