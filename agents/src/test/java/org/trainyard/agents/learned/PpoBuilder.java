package org.trainyard.agents.learned;

import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.training.Imitation;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.ReturnBaseline;

/** Small settings of PPO, to be changed for a test: one worker, no groups, no teacher. */
public final class PpoBuilder {
    private int updates = 6;
    private int environments = 2;
    private int stepsPerEnvironment = 16;
    private int workers = 1;
    private int epochs = 2;
    private int minibatch = 8;
    private double learningRate = 1e-3;
    private double entropyStart = 0.01;
    private double entropyEnd = 0.001;
    private ReturnBaseline baseline = new ReturnBaseline.Critic();
    private double discountHours = 6;
    private double gaeHours = 0.5;
    private double targetKl = 0.05;
    private @Nullable String startFrom;
    private boolean residual;
    private double teacherWeightStart;
    private double teacherWeightEnd;
    private Imitation imitate = new Imitation.None();

    public PpoBuilder run(int count, int envs, int steps) {
        updates = count;
        environments = envs;
        stepsPerEnvironment = steps;
        return this;
    }

    public PpoBuilder workers(int count) {
        workers = count;
        return this;
    }

    public PpoBuilder group(int size) {
        baseline = new ReturnBaseline.CommonEpisodes(size);
        return this;
    }

    public PpoBuilder steps(int passes, int statesPerStep, double rate) {
        epochs = passes;
        minibatch = statesPerStep;
        learningRate = rate;
        return this;
    }

    public PpoBuilder entropy(double start, double end) {
        entropyStart = start;
        entropyEnd = end;
        return this;
    }

    public PpoBuilder hours(double discount, double gae) {
        discountHours = discount;
        gaeHours = gae;
        return this;
    }

    public PpoBuilder targetKl(double nats) {
        targetKl = nats;
        return this;
    }

    /** As if the policy came from a checkpoint. */
    public PpoBuilder teacher(boolean keepsRule, double weightStart, double weightEnd) {
        startFrom = "a checkpoint";
        residual = keepsRule;
        teacherWeightStart = weightStart;
        teacherWeightEnd = weightEnd;
        return this;
    }

    public PpoBuilder imitate(int count) {
        startFrom = null;
        imitate = new Imitation.Rule(count);
        return this;
    }

    public LearnerSettings.Ppo build() {
        return new LearnerSettings.Ppo(
                updates,
                environments,
                stepsPerEnvironment * environments,
                workers,
                epochs,
                minibatch,
                learningRate,
                0.2,
                entropyStart,
                entropyEnd,
                baseline,
                discountHours,
                gaeHours,
                0.5,
                0.5,
                targetKl,
                startFrom,
                1,
                residual,
                teacherWeightStart,
                teacherWeightEnd,
                imitate);
    }
}
