package org.trainyard.experiments.traces;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.run.Episodes;

/** Whole workloads of a pool as episodes, each of one kind. */
record PooledEpisodes(
        List<List<TraceJob>> training,
        List<List<TraceJob>> validating,
        List<List<TraceJob>> testing,
        List<String> remarks)
        implements Episodes {

    static PooledEpisodes of(List<List<TraceJob>> pool, TraceSplit split, long seed) {
        TraceEpisodes.requireShares(split);
        Episodes.requireEpisodes(split.validationEpisodes(), split.testEpisodes());
        List<List<TraceJob>> shuffled = new ArrayList<>(pool);
        RandomGenerator random = RandomStreams.stream(seed, "pool");
        for (int i = shuffled.size() - 1; i > 0; i--) {
            Collections.swap(shuffled, i, random.nextInt(i + 1));
        }
        int train = count("train", split.trainShare(), pool.size());
        int validation = count("validation", split.validationShare(), pool.size());
        if (train + validation >= pool.size()) {
            throw InputException.at(
                    "workload.adversary",
                    pool.size() + " workloads",
                    "more than the %d for training and validation (episodes.train_share, episodes.validation_share)"
                            .formatted(train + validation));
        }
        List<List<TraceJob>> testing = shuffled.subList(train + validation, shuffled.size());
        List<List<TraceJob>> validating = shuffled.subList(train, train + validation);
        return new PooledEpisodes(
                shuffled.subList(0, train),
                validating.subList(0, Math.min(validation, split.validationEpisodes())),
                testing.subList(0, Math.min(testing.size(), split.testEpisodes())),
                List.of(
                        "episodes are whole workloads of the pool, whatever episodes.jobs says: %d for training, %d for validation, %d for tests"
                                .formatted(train, validation, testing.size())));
    }

    /** A share above zero is at least one workload. */
    private static int count(String part, double share, int workloads) {
        int count = (int) Math.round(share * workloads);
        if (share > 0 && count == 0) {
            throw InputException.at(
                    "episodes.%s_share".formatted(part),
                    share,
                    "0, or a share that is a workload of the %d in the pool".formatted(workloads));
        }
        return count;
    }

    @Override
    public Jobs train(long index) {
        if (training.isEmpty()) {
            throw InputException.at("episodes.train_share", 0, "a share above 0, for there is something to train");
        }
        return whole(training.get((int) (Objects.checkIndex(index, Long.MAX_VALUE) % training.size())));
    }

    @Override
    public Jobs validation(int index) {
        return whole(validating.get(index));
    }

    @Override
    public Jobs test(int index) {
        return whole(testing.get(index));
    }

    private static Jobs whole(List<TraceJob> jobs) {
        return new Jobs(jobs, 0);
    }

    @Override
    public int validationCount() {
        return validating.size();
    }

    @Override
    public int testCount() {
        return testing.size();
    }

    @Override
    public boolean testsOverlap() {
        return false;
    }
}
