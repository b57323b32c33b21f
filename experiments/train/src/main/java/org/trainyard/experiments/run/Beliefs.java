package org.trainyard.experiments.run;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.experiments.config.BeliefConfig;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.model.InterferenceFiles;
import org.trainyard.interference.profiled.ProfiledInterference;
import org.trainyard.interference.profiled.ProfiledInterference.Sample;

/** The interference models that schedulers and rewards believe in. */
public final class Beliefs {
    /** Root mean squared difference of slowdowns below which two models count as one function. */
    private static final double SAME = 1e-6;

    /**
     * Rank correlation in a scope from which a belief counts as the truth in other units. A pressure model fitted to
     * samples of the analytic law has 0.996 to 1.000 in each scope, the shipped model at most 0.28;
     * experiments/docs/science/interference.md has all values.
     */
    static final double SAME_ORDER = 0.95;

    private Beliefs() {}

    /** The model called {@code shipped}, which null stands for, or {@code none}, or that of a fit's folder. */
    public static InterferenceModel named(@Nullable String name) {
        BeliefConfig belief = name == null ? BeliefConfig.SHIPPED : new BeliefConfig.Named(name);
        if (belief.equals(BeliefConfig.SHIPPED)) {
            return files("shipped").shipped();
        }
        return belief.equals(BeliefConfig.NONE)
                ? InterferenceModel.NONE
                : files(belief.toString()).read(InputFiles.path(belief.toString()));
    }

    private static InterferenceFiles files(String name) {
        return InterferenceFiles.installed("belief", name, "none, or a mapping of type Samples");
    }

    /**
     * The model that a config names, or that is fitted to samples of its cluster: equal seeds give equal models.
     *
     * @param cluster slows the jobs that are measured; a named belief does not ask it
     * @param models that the jobs train
     * @param scopes that the jobs can share
     */
    static InterferenceModel of(
            ExperimentConfig config,
            InterferenceModel cluster,
            List<ModelProfile> models,
            Set<Scope> scopes,
            int serverGpus) {
        if (config.expected() instanceof BeliefConfig.Samples settings) {
            List<Sample> samples =
                    new ClusterSamples(models, scopes, serverGpus).take(cluster, settings, config.seed());
            return samples.isEmpty()
                    ? InterferenceModel.NONE
                    : ProfiledInterference.fit(samples, serverGpus, config.seed());
        }
        return named(config.expected().toString());
    }

    /**
     * Refuses a belief that equals the truth, or that orders the co-locations of a scope as the truth does, because
     * schedulers would then know the simulator's own law, which nobody knows of a real cluster.
     *
     * @param place key or option that names the belief
     * @param mismatch the difference from the simulator's interference, in the scopes that the jobs can share
     */
    public static void requireNotTruth(String place, String name, TruthMismatch mismatch) {
        boolean same = !mismatch.scopes().isEmpty() && mismatch.all().rmse() < SAME;
        if (same || mismatch.highestRank() >= SAME_ORDER) {
            throw InputException.at(
                    place,
                    name,
                    "another model than the interference of the simulator, because it is the truth itself or imitates it: %s; a rank correlation of %s in any scope is too much"
                            .formatted(mismatch, SAME_ORDER));
        }
    }
}
