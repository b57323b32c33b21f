package org.trainyard.agents.learned.training;

import org.jspecify.annotations.Nullable;

/** The metrics of an update, in the order of the log. A learner leaves out those that it does not have. */
public enum UpdateMetric {
    UPDATE("update", null, null, "number of the update, from 1 on"),
    DECISIONS("decisions", "train/decisions", "decisions", "decisions of agents that had a choice"),
    STEPS("steps", null, null, "environment steps, over all environments; of auctions the choices of a play"),
    SIMULATED_HOURS("simulatedHours", null, null, "simulated time, over all environments"),
    EPISODES("episodes", null, null, "episodes that ended"),
    MEAN_JCT_SECONDS(
            "meanJctSeconds",
            "train/mean_jct_seconds",
            "training mean JCT, seconds",
            "mean JCT of the episodes that ended with all jobs done, with drawn actions (the greedy policy is better)"),
    POLICY_LOSS(
            "policyLoss",
            "loss/policy",
            null,
            "minus the mean clipped surrogate objective, over minibatches as the next ones; near zero, negative is progress"),
    VALUE_LOSS(
            "valueLoss",
            "loss/value",
            null,
            "of Q-learning: Huber's loss of the values against their targets; a constant prediction has loss 1"),
    ENTROPY(
            "entropy",
            "loss/entropy",
            "entropy, nats",
            "of the distribution over legal actions, nats; falls as the policy becomes deterministic; near 0 early means it stopped exploring"),
    KL(
            "kl",
            "loss/kl",
            "divergence (KL), nats",
            "approximate divergence of the new policy from the old, nats; steadily at `target_kl` means the learning rate is too high"),
    CLIP_FRACTION(
            "clipFraction",
            "loss/clip_fraction",
            "clip fraction",
            "part of the decisions whose probability ratio was outside the clip range"),
    EXPLAINED_VARIANCE(
            "explainedVariance",
            "loss/explained_variance",
            "explained variance of returns",
            "part of the variance of `baselineSpread` that the control variate explains: 1 is perfect, 0 a constant"),
    GRADIENT_NORM("gradientNorm", "loss/gradient_norm", null, "norm of the gradient before clipping"),
    MINIBATCHES(
            "minibatches",
            "loss/gradient_steps",
            "gradient steps",
            "gradient steps made; fewer than epochs x minibatches when the divergence grew too large"),
    RETURN_SPREAD(
            "returnSpread",
            "advantage/return_spread",
            "spread of returns",
            "standard deviation of the returns of decisions, in the unit of the reward; of the costs of an episode with bids, job-hours"),
    BASELINE_SPREAD(
            "baselineSpread",
            "advantage/baseline_spread",
            "spread of returns less the group's mean",
            "the same less the mean of the group that plays the same episode"),
    ADVANTAGE_SPREAD(
            "advantageSpread",
            "advantage/advantage_spread",
            "spread of advantages",
            "the same less the group's mean and what the control variate explains: advantages before they are scaled"),
    WAIT_SHARE(
            "waitShare",
            "train/wait_share",
            "share of auctions won by the bid to wait",
            "part of the auctions in which the bid to wait won");

    private final String title;
    private final @Nullable String tag;
    private final @Nullable String curve;
    private final String meaning;

    UpdateMetric(String title, @Nullable String tag, @Nullable String curve, String meaning) {
        this.title = title;
        this.tag = tag;
        this.curve = curve;
        this.meaning = meaning;
    }

    /** Name of the metric in the log of a run. */
    public String title() {
        return title;
    }

    /** Tag of the metric in TensorBoard; null where it is not shown there. */
    public @Nullable String tag() {
        return tag;
    }

    /** The title of its curve in reports; null where it has none. */
    public @Nullable String curve() {
        return curve;
    }

    /** Unit and meaning of the metric, a phrase. */
    public String meaning() {
        return meaning;
    }

    /** Whether it counts something, so that it is a whole number. */
    public boolean isCount() {
        return switch (this) {
            case UPDATE, DECISIONS, STEPS, EPISODES, MINIBATCHES -> true;
            default -> false;
        };
    }
}
