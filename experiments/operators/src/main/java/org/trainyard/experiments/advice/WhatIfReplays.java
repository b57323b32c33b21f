package org.trainyard.experiments.advice;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.MaintenanceWindow;
import org.trainyard.env.simulation.Quotas;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.simulation.FreeWait;
import org.trainyard.experiments.simulation.LoggedCluster;
import org.trainyard.experiments.timeline.RunRecorder;
import org.trainyard.experiments.timeline.RunTimeline;

/** The replays of a log behind a {@link WhatIfAnswer}: as the log is, under changes, and with submissions shifted. */
final class WhatIfReplays implements AutoCloseable {
    /** Replays of each row: a second's difference in a submission may change the waits of many jobs after it. */
    static final int REPLAYS = 4;

    static final long SHIFT_NANOS = 10_000_000_000L;
    private static final double LIMIT_SECONDS = 600;
    private static final String OPTION = "--what-if";

    private final WhatIfAnswer.Question question;
    private final Topology now;
    private final double delaySeconds;
    private final ThreadWorkerPool workers = new ThreadWorkerPool();
    private final List<RunTimeline> timelines = new ArrayList<>();

    WhatIfReplays(WhatIfAnswer.Question question) {
        this.question = question;
        now = question.resolve().apply(question.cluster());
        delaySeconds = FreeWait.ofDated(now, question.account().jobs()).delaySeconds();
    }

    /** The cluster without a change. */
    Topology cluster() {
        return now;
    }

    /** The nominal speed of the GPUs of the cluster without a change. */
    double speed() {
        return now.server(0).gpuType().speed();
    }

    /** The cluster with a change; null for none. */
    WhatIf.Changed changed(@Nullable WhatIf change) {
        return change == null
                ? new WhatIf.Changed(question.cluster(), now, now.servers() - 1)
                : change.cluster(OPTION, question.cluster(), now, question.resolve());
    }

    /** The first replay of each row over time. */
    List<RunTimeline> timelines() {
        return timelines;
    }

    /**
     * Replays jobs of the log as they are, and with submissions shifted.
     *
     * @param change null for none
     * @param cluster the cluster with the change
     */
    List<LogOutcome> run(String name, @Nullable WhatIf change, WhatIf.Changed cluster, List<TraceJob> jobs) {
        LogReplays replays = replays(change, cluster);
        List<Played> played = IntStream.range(0, REPLAYS)
                .mapToObj(replay -> played(change, jobs, replay))
                .toList();
        Played first = played.get(0);
        LogReplays.Candidate candidate =
                candidate(change, cluster, replays, first.jobs).named(name);
        RunRecorder recorder =
                new RunRecorder(cluster.topology(), question.changes().size() + 1, 1);
        List<LogOutcome> made = new ArrayList<>();
        replays.record(List.of(candidate), first.jobs, 1, recorder).forEach(one -> made.add(one.beside(first.places)));
        if (!made.isEmpty()) {
            timelines.addAll(recorder.timelines(List.of(name)));
            try (ReplayProgress progress = new ReplayProgress("what if", REPLAYS - 1, first.jobs.size())) {
                workers.map(
                                REPLAYS - 1,
                                i -> Optional.ofNullable(played.get(i + 1)
                                        .under(candidate.named("%s, replay %d".formatted(name, i)), replays, progress)))
                        .forEach(one -> one.ifPresent(made::add));
            }
        }
        if (made.size() < REPLAYS) {
            throw InputException.at(
                    OPTION,
                    name,
                    "a change under which the log ends (in %s)".formatted(Durations.human(LIMIT_SECONDS)));
        }
        return made;
    }

    private LogReplays replays(@Nullable WhatIf change, WhatIf.Changed cluster) {
        Topology topology = cluster.topology();
        List<MaintenanceWindow> windows =
                new ArrayList<>(question.maintenance().grown(now.servers(), topology.servers(), cluster.after()));
        if (change != null) {
            windows.addAll(
                    change.windows(OPTION, topology, question.maintenance().zeroNanos()));
        }
        World world = LogReplays.world(topology, question.seed()).maintained(windows);
        Quotas quotas = change == null ? Quotas.NONE : new Quotas(change.quotas());
        SlurmFiles files = question.files() == null ? null : files(question.files(), change, cluster);
        return new LogReplays(
                        new LoggedCluster(topology, files)
                                .limited(world.with(world.options().with(quotas))),
                        workers,
                        new LogReplays.Limits(null, LIMIT_SECONDS, question.restartSeconds()),
                        null)
                .delayed(delaySeconds);
    }

    /** The scheduler on a cluster, and with changed files when it is Slurm. */
    private LogReplays.Candidate candidate(
            @Nullable WhatIf change, WhatIf.Changed cluster, LogReplays replays, List<TraceJob> jobs) {
        String name = question.scheduler().name();
        if (name.startsWith("slurm") && !name.contains("(")) {
            String conf = question.slurmConf();
            SlurmFiles files = conf == null ? SlurmFiles.DEFAULT : SlurmFiles.read(conf);
            return LogReplays.Candidate.slurm(
                    name, files(files, change, cluster), cluster.topology(), question.restartSeconds());
        }
        if (change != null && change.configures()) {
            throw InputException.at(
                    OPTION,
                    change.text(),
                    "--scheduler slurm or slurm:PATH/slurm.conf, for %s is not Slurm".formatted(name));
        }
        return replays.registered(jobs, true).stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> InputException.at(
                        OPTION,
                        name,
                        "a scheduler of `trainyard list schedulers` without variant that serves these jobs"));
    }

    /** Files with a change, and with the servers that a cluster has more than there were. */
    private SlurmFiles files(SlurmFiles files, @Nullable WhatIf change, WhatIf.Changed cluster) {
        int more = cluster.topology().servers() - now.servers();
        SlurmFiles grown = more > 0 ? files.grown(more, cluster.after()) : files;
        return change == null ? grown : change.files(grown);
    }

    private Played played(@Nullable WhatIf change, List<TraceJob> log, int replay) {
        List<TraceJob> jobs = new ArrayList<>(log);
        jobs.addAll(question.sequel().jobs().apply(replay));
        jobs.sort(Comparator.comparingLong(TraceJob::submitNanos));
        Set<TraceJob> ofLog = Collections.newSetFromMap(new IdentityHashMap<>());
        ofLog.addAll(log);
        List<TraceJob> counted = LoggedCluster.counted(jobs);
        int[] places = IntStream.range(0, counted.size())
                .filter(place -> ofLog.contains(counted.get(place)))
                .toArray();
        List<TraceJob> changed = change == null ? jobs : change.jobs(jobs, speed());
        return new Played(replay == 0 ? changed : shifted(changed, replay - 1), places);
    }

    /** The jobs in their order, each submitted some seconds later. */
    private List<TraceJob> shifted(List<TraceJob> jobs, int replay) {
        RandomGenerator random = RandomStreams.stream(question.seed(), "submissions of replay " + replay);
        List<TraceJob> shifted = new ArrayList<>(jobs.size());
        long last = 0;
        for (TraceJob job : jobs) {
            last = Math.max(last, job.submitNanos() + random.nextLong(SHIFT_NANOS));
            shifted.add(job.submittedAt(last));
        }
        return shifted;
    }

    @Override
    public void close() {
        workers.close();
    }

    /** The jobs of one replay. */
    private static final class Played {
        /** The jobs in order of submission. */
        private final List<TraceJob> jobs;
        /** Places of the log's jobs among those that count. */
        private final int[] places;

        Played(List<TraceJob> jobs, int[] places) {
            this.jobs = jobs;
            this.places = places;
        }

        @Nullable LogOutcome under(LogReplays.Candidate candidate, LogReplays replays, ReplayProgress progress) {
            LogOutcome made = replays.run(candidate, jobs, 1, progress);
            return made == null ? null : made.beside(places);
        }
    }
}
