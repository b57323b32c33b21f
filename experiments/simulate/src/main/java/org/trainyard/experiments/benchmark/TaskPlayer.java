package org.trainyard.experiments.benchmark;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.evaluation.EvaluationRunner;
import org.trainyard.experiments.evaluation.SchedulerFactory;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.io.Sha256;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.training.Checkpoint;

/** Plays the test episodes of a {@link BenchmarkTask} with schedulers and trained policies. */
public final class TaskPlayer implements AutoCloseable {
    private final BenchmarkTask task;
    private final int mostEpisodes;
    private final Experiment experiment;
    private final EvaluationRunner runner;

    public TaskPlayer(BenchmarkTask task) {
        this(task, Integer.MAX_VALUE);
    }

    /** A player of no more than the first episodes. */
    TaskPlayer(BenchmarkTask task, int mostEpisodes) {
        this.task = task;
        this.mostEpisodes = mostEpisodes;
        experiment = new Experiment(task.config());
        List<Workload> episodes = experiment.test();
        runner = new EvaluationRunner(experiment, episodes.subList(0, Math.min(mostEpisodes, episodes.size())));
    }

    public BenchmarkTask task() {
        return task;
    }

    /** Why a scheduler of the registry cannot play the task, or null when it can. */
    public @Nullable String obstacle(String scheduler) {
        SchedulerRegistry.Entry entry = SchedulerRegistry.named(scheduler);
        if (entry.replaysTrace()) {
            return "replays a published simulator in that simulator's settings";
        }
        if (!experiment.serves(scheduler)) {
            return "places a fixed number of whole GPUs only";
        }
        try {
            experiment.scheduler(scheduler, 0);
            return null;
        } catch (InputException e) {
            return e.getMessage();
        }
    }

    /**
     * The result of a scheduler of the registry.
     *
     * @throws InputException when it cannot play the task
     */
    public BenchmarkResult play(String scheduler) {
        String obstacle = obstacle(scheduler);
        if (obstacle != null) {
            throw InputException.at(task.name(), scheduler, "a scheduler that can play it, but it " + obstacle);
        }
        return BenchmarkResult.of(
                task,
                runner.run(SchedulerFactory.registered(experiment, scheduler).named(scheduler)),
                null);
    }

    /**
     * The result of a trained policy, whose agents divide the cluster and preempt as in its training.
     *
     * @throws InputException when it cannot place the jobs of the task
     */
    public BenchmarkResult play(Checkpoint checkpoint) {
        BenchmarkTask own = task.playedBy(ConfigReader.read(checkpoint.config(), List.of()));
        BidPolicy policy = checkpoint.policy();
        try (TaskPlayer player = new TaskPlayer(own, mostEpisodes)) {
            player.experiment.requirePlaceableJobs();
            SchedulerRuns runs =
                    player.runner.run(SchedulerFactory.learned(player.experiment, BenchmarkResult.LEARNED, policy));
            return BenchmarkResult.of(own, runs, Sha256.of(checkpoint.policyFile()));
        }
    }

    /**
     * The result of the same scheduler once more.
     *
     * @param policy for the result of a trained policy
     * @throws InputException when the policy is not that of the result
     */
    public BenchmarkResult replay(BenchmarkResult stored, @Nullable Checkpoint policy) {
        String sha256 = stored.policySha256();
        if (sha256 == null) {
            Schedulers.named("scheduler", stored.scheduler());
            return play(stored.scheduler());
        }
        if (policy == null) {
            throw new InputException("--checkpoint: missing: expected the policy with SHA-256 %s".formatted(sha256));
        }
        String given = Sha256.of(policy.policyFile());
        if (!given.equals(sha256)) {
            throw InputException.at("--checkpoint", given, "the policy with SHA-256 %s".formatted(sha256));
        }
        return play(policy);
    }

    @Override
    public void close() {
        experiment.close();
    }
}
