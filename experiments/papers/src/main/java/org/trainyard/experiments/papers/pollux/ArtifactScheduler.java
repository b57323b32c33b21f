package org.trainyard.experiments.papers.pollux;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.trainyard.agents.heuristic.elastic.AllocationSearch;
import org.trainyard.env.Labelled;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.goodput.GoodputModel;
import org.trainyard.experiments.papers.pollux.ArtifactSimulation.Batch;

/** A scheduler of Pollux' artifact, with the batch that its jobs have. */
enum ArtifactScheduler implements Labelled {
    POLLUX(Batch.ADAPTED),
    TIRESIAS(Batch.SUBMITTED),
    OPTIMUS(Batch.SUBMITTED);

    private final Batch batch;

    ArtifactScheduler(Batch batch) {
        this.batch = batch;
    }

    private ArtifactSimulation.Policy policy() {
        return switch (this) {
            case POLLUX -> new ArtifactPollux(1);
            case TIRESIAS -> new ArtifactTiresias();
            case OPTIMUS -> new ArtifactOptimus();
        };
    }

    /** Completion times, seconds, by job of a workload, whose rows are those of the artifact. */
    Map<String, Double> completionSeconds(PolluxArtifact artifact, List<String[]> workload) {
        return ArtifactSimulation.completionSeconds(ArtifactSimulation.jobs(artifact, workload, batch), policy());
    }

    /**
     * Tiresias by the rules of Pollux' artifact: two queues by attained GPU time, first in, first out within each; who
     * fits may pass.
     */
    static final class ArtifactTiresias implements ArtifactSimulation.Policy {
        private static final long LIMIT_GPU_SECONDS = 3600 * 16;

        private final List<ArtifactJob> first = new ArrayList<>();
        private final List<ArtifactJob> second = new ArrayList<>();
        private final Set<ArtifactJob> known = new HashSet<>();
        private final Map<ArtifactJob, Long> executed = new HashMap<>();
        private final Map<ArtifactJob, Boolean> runs = new HashMap<>();
        private long last;

        @Override
        public void allocate(long now, List<ArtifactJob> live) {
            first.retainAll(live);
            second.retainAll(live);
            for (ArtifactJob job : live) {
                if (known.add(job)) {
                    first.add(job);
                } else if (runs.getOrDefault(job, false)) {
                    long seconds = executed.merge(job, now - last, Long::sum);
                    if (seconds * job.submittedGpus >= LIMIT_GPU_SECONDS && first.remove(job)) {
                        second.add(job);
                    }
                }
            }
            last = now;
            List<ArtifactJob> order = new ArrayList<>(first);
            order.addAll(second);
            int free = ArtifactSimulation.SERVERS * ArtifactSimulation.GPUS;
            for (ArtifactJob job : order) {
                boolean fits = job.submittedGpus <= free;
                runs.put(job, fits);
                free -= fits ? job.submittedGpus : 0;
                if (!fits) {
                    ArtifactPlacement.stop(job);
                }
            }
            ArtifactPlacement placement = new ArtifactPlacement(live);
            for (ArtifactJob job : order) {
                if (runs.getOrDefault(job, false) && !ArtifactPlacement.isPlaced(job)) {
                    placement.place(job, job.submittedGpus);
                }
            }
        }
    }

    /** Pollux by the rules of its artifact, with our genetic search. */
    static final class ArtifactPollux implements ArtifactSimulation.Policy {
        private static final int MOST_GPUS = 64;
        private static final double DELAY_SECONDS = 30;

        private final AllocationSearch search;

        ArtifactPollux(long seed) {
            search = new AllocationSearch(RandomStreams.stream(seed, "pollux"));
        }

        @Override
        public void allocate(long now, List<ArtifactJob> live) {
            List<ArtifactJob> jobs = new ArrayList<>(live);
            jobs.sort(Comparator.comparingDouble((ArtifactJob job) -> job.attained)
                    .thenComparingLong(job -> job.submitted));
            int[] capacity = new int[ArtifactSimulation.SERVERS];
            Arrays.fill(capacity, ArtifactSimulation.GPUS);
            int fairGpus = -Math.floorDiv(-ArtifactSimulation.SERVERS * ArtifactSimulation.GPUS, jobs.size());
            List<AllocationSearch.Candidate> candidates = new ArrayList<>();
            int[][] present = new int[jobs.size()][];
            for (int i = 0; i < jobs.size(); i++) {
                candidates.add(candidate(jobs.get(i), now, fairGpus));
                present[i] = jobs.get(i).allocation.length == 0 ? new int[capacity.length] : jobs.get(i).allocation;
            }
            int[][] best = search.best(candidates, capacity, present);
            for (int i = 0; i < jobs.size(); i++) {
                if (!Arrays.equals(best[i], present[i])) {
                    int[] placement =
                            Arrays.stream(best[i]).filter(gpus -> gpus > 0).toArray();
                    jobs.get(i).reallocate(best[i], placement);
                }
            }
        }

        private static AllocationSearch.Candidate candidate(ArtifactJob job, long now, int fairGpus) {
            int most = job.application.name.equals("ncf")
                    ? 1
                    : Math.min(
                            Math.max(1, 2 * job.mostMeasuredGpus()),
                            Math.min(MOST_GPUS, job.application.limits.mostReplicas()));
            double age = now - job.submitted;
            double factor = Math.max(age - Math.max(0, job.restarts) * DELAY_SECONDS, 0) / (age + DELAY_SECONDS);
            GoodputModel goodput = job.goodput();
            if (goodput == null) {
                return new AllocationSearch.Candidate(
                        job.name.hashCode(), 1, most, factor, (nodes, gpus) -> (double) gpus / fairGpus);
            }
            double fair = goodput.best(1, fairGpus).goodput();
            return new AllocationSearch.Candidate(
                    job.name.hashCode(),
                    1,
                    most,
                    factor,
                    (nodes, gpus) -> goodput.best(nodes, gpus).goodput() / fair);
        }
    }

    /**
     * Optimus by the rules of Pollux' artifact: it knows the remaining iterations and measured step times, and gives
     * GPU by GPU.
     */
    static final class ArtifactOptimus implements ArtifactSimulation.Policy {
        @Override
        public void allocate(long now, List<ArtifactJob> live) {
            int jobs = live.size();
            int free = ArtifactSimulation.SERVERS * ArtifactSimulation.GPUS;
            int[] gpus = new int[jobs];
            double[] gain = new double[jobs];
            for (int i = 0; i < jobs && free > 0; i++) {
                gpus[i] = 1;
                free--;
                gain[i] = gain(live.get(i), 1, free);
            }
            while (free > 0) {
                int best = 0;
                for (int i = 1; i < jobs; i++) {
                    best = gain[i] > gain[best] ? i : best;
                }
                if (gain[best] <= 0) {
                    break;
                }
                gpus[best]++;
                // As there, the GPU is still counted as free for this gain.
                gain[best] = gain(live.get(best), gpus[best], free);
                free--;
            }
            for (int i = 0; i < jobs; i++) {
                if (Arrays.stream(live.get(i).allocation).sum() != gpus[i]) {
                    live.get(i).allocation = new int[0];
                }
            }
            ArtifactPlacement placement = new ArtifactPlacement(live);
            IntStream.range(0, jobs)
                    .boxed()
                    .sorted(Comparator.comparingInt(i -> gpus[i]))
                    .filter(i -> live.get(i).allocation.length == 0)
                    .forEach(i -> placement.place(live.get(i), gpus[i]));
        }

        private static double gain(ArtifactJob job, int gpus, int free) {
            int most = job.application.name.equals("ncf") ? 1 : job.fixedBatch / job.application.limits.leastLocal();
            return gpus + 1 > most || free < 1 ? 0 : (seconds(job, gpus) - seconds(job, gpus + 1)) * remaining(job);
        }

        private static double remaining(ArtifactJob job) {
            int last = job.application.epochs - 1;
            return last <= job.epoch
                    ? 1
                    : job.application.iterations(job.fixedBatch, last)
                            - job.application.iterations(job.fixedBatch, job.epoch);
        }

        /** Time of one iteration on full servers. */
        private static double seconds(ArtifactJob job, int gpus) {
            int[] placement = IntStream.range(0, (gpus + ArtifactSimulation.GPUS - 1) / ArtifactSimulation.GPUS)
                    .map(server -> Math.min(ArtifactSimulation.GPUS, gpus - server * ArtifactSimulation.GPUS))
                    .toArray();
            int[] split = ArtifactJob.split(job.application, job.fixedBatch, gpus, true);
            int local = Math.min(split[0], job.application.limits.most() / (gpus * (split[1] + 1)));
            MeasuredApplication.StepTime time = job.application.stepTime(placement, local);
            return time.step() + (time.step() - time.sync()) * split[1];
        }
    }
}
