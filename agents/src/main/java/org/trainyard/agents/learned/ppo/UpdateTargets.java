package org.trainyard.agents.learned.ppo;

/** What a rollout has to teach: how much better than expected every choice was, and what the critic should have expected. */
final class UpdateTargets {
    final RolloutBuffer rollout;
    /** Normalised over the rollout, one per choice. */
    final float[] advantages;
    /** What the critic should say, in its unit, one per choice. */
    final float[] targets;
    /** Whether the teacher's choices are to be learned rather than those that were made. */
    final boolean imitates;
    /** Whether the teacher's log-probabilities are needed. */
    final boolean isTaught;

    UpdateTargets(
            RolloutBuffer rollout, Advantages found, RunningReturnScale scale, boolean imitates, boolean isTaught) {
        this.rollout = rollout;
        this.imitates = imitates;
        this.isTaught = isTaught;
        RolloutBuffer.Moments spread = rollout.moments(found.advantages);
        advantages = new float[found.advantages.length];
        targets = new float[advantages.length];
        for (int at = 0; at < advantages.length; at++) {
            advantages[at] = (float) ((found.advantages[at] - spread.mean()) / (spread.deviation() + 1e-8));
            targets[at] = scale.normalise(found.returns[at]);
        }
    }
}
