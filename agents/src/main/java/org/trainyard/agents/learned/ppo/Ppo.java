package org.trainyard.agents.learned.ppo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.agents.learned.training.FiniteCheck;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.agents.learned.training.TrainerFile;
import org.trainyard.agents.learned.training.UpdateStatistics;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.ClusterEnv;

/**
 * Proximal policy optimisation of one shared actor with a central critic (J. Schulman et al.: Proximal policy optimization algorithms,
 * 2017; C. Yu et al.: The surprising effectiveness of PPO in cooperative multi-agent games, NeurIPS 2022), from scratch, from another
 * policy or after imitating one. With one epoch, one minibatch and no clipping it is advantage actor-critic (S. Huang et al.: A2C is a
 * special case of PPO, 2022).
 *
 * <p>Details, numbered as in the module's README: 1. only choices of agents that had one count; 2. GAE in simulated time, {@link
 * Advantages}, and less what befell a group alike, {@link InputDrivenBaseline}; 3. returns normalised by running statistics; 4. advantages
 * normalised over the rollout; 5. clipped ratio; 6. squared value error, not clipped; 7. entropy bonus, learning rate and the teacher's
 * weight falling linearly over the run; 8. global-norm gradient clipping; 9. epochs end early when the policy has moved too far; 10. every
 * update draws from streams of its own, so that a resumed run is the same run; 11. what is not finite stops the run.
 */
public final class Ppo implements PolicyTrainer {
    private static final String KIND = "TYPPORUN";
    private static final int VERSION = 2;

    private final PolicyNetwork policy;
    private final PpoSettings settings;
    private final long seed;
    private final WorkerPool crew;
    private final RolloutBuffer rollout;
    private final Advantages advantages;
    private final InputDrivenBaseline luck;
    private final RunningReturnScale scale = new RunningReturnScale();
    private final List<RolloutCollector> players = new ArrayList<>();
    private final List<PolicyNetwork> copies = new ArrayList<>();
    private final MinibatchOptimiser descent;
    private int updates;

    /**
     * Owns policy and environments from now on; starts the first episodes.
     *
     * @param teacher what the policy is to imitate or not to leave far behind, or null for the policy as it is now; stays the caller's
     */
    public Ppo(
            PolicyNetwork policy,
            @Nullable PolicyNetwork teacher,
            List<ClusterEnv> envs,
            PpoSettings settings,
            WorkerPool crew,
            long seed) {
        if (envs.size() != settings.environments()) {
            throw new IllegalArgumentException(
                    "made for (%d) environments, not (%d)".formatted(settings.environments(), envs.size()));
        }
        this.policy = policy;
        this.settings = settings;
        this.crew = crew;
        this.seed = seed;
        boolean isTaught = settings.teaching().needsTeacher();
        ClusterEnv any = envs.get(0);
        rollout = new RolloutBuffer(envs.size(), any.agents(), any.spec(), settings.stepsPerUpdate(), isTaught);
        advantages = new Advantages(rollout.actions.length, settings.discountHours(), settings.gaeHours());
        luck = new InputDrivenBaseline(rollout, settings.group());
        List<GradientWorker> workers = new ArrayList<>();
        int each = envs.size() / settings.workers();
        for (int worker = 0; worker < settings.workers(); worker++) {
            PolicyNetwork own = worker == 0 ? policy : copy(policy);
            PolicyNetwork taughtBy = isTaught ? copy(teacher == null ? policy : teacher) : null;
            int first = worker * each;
            players.add(new RolloutCollector(
                    rollout, envs.subList(first, first + each), first, settings.group(), own, taughtBy));
            workers.add(new GradientWorker(own, rollout));
        }
        descent = new MinibatchOptimiser(
                policy, settings.descent(), settings.teaching().keepRule(), workers, crew);
    }

    private PolicyNetwork copy(PolicyNetwork original) {
        PolicyNetwork copy = original.twin();
        copies.add(copy);
        return copy;
    }

    @Override
    public PolicyNetwork policy() {
        return policy;
    }

    @Override
    public int updates() {
        return updates;
    }

    @Override
    public int plannedUpdates() {
        return settings.updates();
    }

    @Override
    public UpdateStatistics update() {
        FiniteCheck check = new FiniteCheck(updates + 1);
        PpoLoss.Weights weights = weights();
        boolean isTaught = weights.imitates() || weights.teacher() > 0;
        gather(isTaught, weights.imitates() ? ledByTeacher() : 0);
        advantages.estimate(rollout, scale);
        RolloutBuffer.Moments returns = rollout.moments(advantages.returns);
        check.loss("spread of returns", returns.meanSquare());
        double explained = explainedVariance(returns);
        if (settings.group() > 1) {
            luck.takeFrom(advantages.advantages);
        }
        scale.add(returns.mean(), returns.meanSquare());
        double rate = settings.descent().learningRate();
        MinibatchOptimiser.Learning learning = descent.learn(
                new UpdateTargets(rollout, advantages, scale, weights.imitates(), isTaught),
                weights,
                settings.linear(rate, rate / 10, updates),
                RandomStreams.stream(seed, "shuffle/" + updates),
                check);
        check.weights(policy.parameters());
        updates++;
        return statistics(learning, explained, isTaught);
    }

    private PpoLoss.Weights weights() {
        PpoSettings.Descent d = settings.descent();
        PpoSettings.Teaching t = settings.teaching();
        boolean imitates = updates < t.imitationUpdates();
        return new PpoLoss.Weights(
                imitates,
                d.clip(),
                d.valueWeight(),
                imitates ? 0 : settings.linear(d.entropyStart(), d.entropyEnd(), updates),
                imitates ? 0 : settings.linear(t.weightStart(), t.weightEnd(), updates));
    }

    /** Environments that the teacher plays: all at first, none at the end of imitation, so that its pupil learns to mend its own ways. */
    private int ledByTeacher() {
        int left = settings.teaching().imitationUpdates() - updates;
        return (int) Math.round(
                (double) settings.environments() * left / settings.teaching().imitationUpdates());
    }

    private void gather(boolean isTaught, int ledByTeacher) {
        crew.each(
                players.size(),
                i -> Autograd.unrecorded(() -> {
                    RolloutCollector player = players.get(i);
                    if (player.policy() != policy) {
                        player.policy().follow(policy);
                    }
                    player.play(
                            RandomStreams.stream(seed, "rollout/%d/%d".formatted(updates, i)), isTaught, ledByTeacher);
                    return player;
                }));
    }

    private double explainedVariance(RolloutBuffer.Moments returns) {
        double missed = rollout.moments(advantages.advantages).deviation();
        double spread = returns.deviation();
        return spread == 0 ? 0 : 1 - missed * missed / (spread * spread);
    }

    private UpdateStatistics statistics(MinibatchOptimiser.Learning learning, double explained, boolean isTaught) {
        double hours = rollout.simulatedHours();
        int finished =
                players.stream().mapToInt(RolloutCollector::finishedEpisodes).sum();
        double jct = players.stream()
                .mapToDouble(RolloutCollector::finishedJctSeconds)
                .sum();
        return new UpdateStatistics(
                updates,
                rollout.decisions(),
                rollout.madeStates().length,
                hours,
                rollout.episodes(),
                hours > 0 ? rollout.reward() / hours : 0,
                finished == 0 ? Double.NaN : jct / finished,
                learning.mean(PpoLoss.POLICY),
                learning.mean(PpoLoss.VALUE),
                learning.mean(PpoLoss.ENTROPY),
                learning.mean(PpoLoss.DIVERGENCE),
                isTaught ? learning.mean(PpoLoss.TEACHER) : Double.NaN,
                learning.mean(PpoLoss.CLIPPED),
                explained,
                learning.gradientNorm / learning.minibatches,
                learning.minibatches);
    }

    @Override
    public void save(Path file) {
        new TrainerFile(KIND, VERSION, seed).write(file, out -> {
            out.writeInt(updates);
            policy.parameters().write(out);
            descent.write(out);
            scale.write(out);
            for (RolloutCollector player : players) {
                player.save(out);
            }
        });
    }

    @Override
    public void load(Path file) {
        new TrainerFile(KIND, VERSION, seed).read(file, in -> {
            updates = in.readInt();
            policy.freeze(false);
            policy.parameters().read(in, file.toString());
            descent.read(in, file.toString());
            scale.read(in);
            for (RolloutCollector player : players) {
                player.restore(in);
            }
        });
    }

    @Override
    public void close() {
        policy.close();
        copies.forEach(PolicyNetwork::close);
    }
}
