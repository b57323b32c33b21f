package org.trainyard.experiments.advice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.blocks.BlockBootstrap;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.metrics.JobMetric;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.simulation.FreeWait;
import org.trainyard.experiments.simulation.LogAccount;
import org.trainyard.experiments.simulation.LoggedCluster;

/**
 * Which scheduler would serve a cluster best, by its own log.
 *
 * @param jobs that were replayed
 * @param days from the first submission to the last
 * @param reproduction of the past; null when the log does not say when jobs ran
 * @param ranking best first
 * @param notes what was left out, a sentence each
 * @param gpuHours of the jobs that were replayed
 * @param account of the jobs of the log
 * @param restarts which scheduler is best where a restart after a preemption costs so much; the first cost is that of
 *     the ranking
 * @param pays who would wait longer than today
 * @param limits what is known of the limits of QOS and accounts
 * @param manager whose settings are named
 * @param held what held jobs while enough GPUs were free; null without a past
 * @param unequal jobs that the cluster's own Slurm alone keeps on some servers, as {@link LoggedCluster#anywhere} says
 * @param savings what schedulers that are named save in the metric against a replay of today, by name
 */
public record Advice(
        int jobs,
        double days,
        @Nullable Reproduction reproduction,
        RankingMetric metric,
        List<RankedScheduler> ranking,
        List<String> notes,
        double gpuHours,
        LogAccount account,
        List<RestartAnswer> restarts,
        WhoPays pays,
        LoggedCluster.Limits limits,
        ResourceManager manager,
        @Nullable Held held,
        String unequal,
        Map<String, BlockBootstrap.Bounds> savings) {
    /** The name of the policy that ships with the project. */
    public static final String LEARNED = "learned";

    /**
     * Waits while enough GPUs were free.
     *
     * @param unexplained the part of the wait that is such in the past and not in the nearest replay of a scheduler
     *     that managers of clusters run
     * @param unexplainedByOthers the same without Slurm as the cluster's own files configure it, where limits of
     *     partitions hold there alone
     * @param isReckoned whether servers have an end of CPUs or memory, with which replays reckon
     */
    public record Held(FreeWait past, double unexplained, double unexplainedByOthers, boolean isReckoned) {
        /** @param told jobs that all have a past */
        static Held of(Topology topology, List<TraceJob> told, LogOutcome managed, LogOutcome others) {
            FreeWait past = FreeWait.of(topology, told);
            ToDoubleFunction<LogOutcome> unexplained = replay -> past.unexplained(
                    FreeWait.freeSeconds(topology, told, replay.values(JobMetric.WAIT), past.delaySeconds()));
            return new Held(
                    past,
                    unexplained.applyAsDouble(managed),
                    unexplained.applyAsDouble(others),
                    new LoggedCluster(topology).saysHosts());
        }

        /** Whether so little is unexplained that a gain can be told. */
        boolean isExplained() {
            return unexplained <= Reproduction.WEAKENS;
        }

        /** Unexplained waits; 0 where replays reckon with CPUs and memory: a real manager repeats itself no better. */
        double doubt() {
            return isReckoned && isExplained() ? 0 : unexplained;
        }
    }

    /** Jobs with a past below which nothing is compared. */
    private static final int ENOUGH = 30;

    public Advice {
        ranking = List.copyOf(ranking);
        notes = List.copyOf(notes);
        restarts = List.copyOf(restarts);
        savings = Map.copyOf(savings);
    }

    /** Returns this answer with further notes at the end. */
    public Advice noting(List<String> more) {
        List<String> all = new ArrayList<>(notes);
        all.addAll(more);
        return but(all, savings);
    }

    private Advice but(List<String> noted, Map<String, BlockBootstrap.Bounds> saved) {
        return new Advice(
                jobs,
                days,
                reproduction,
                metric,
                ranking,
                noted,
                gpuHours,
                account,
                restarts,
                pays,
                limits,
                manager,
                held,
                unequal,
                saved);
    }

    /** Returns this advice with the savings of the best schedulers of each kind, where there is a replay of today. */
    private Advice comparing() {
        LogOutcome today = today();
        if (today == null) {
            return this;
        }
        double[] now = today.values(metric.ofJob());
        return but(
                notes,
                Stream.of(best(), bestWithoutPreemption(), bestConfigurable(), bestWithinBound())
                        .filter(Objects::nonNull)
                        .distinct()
                        .collect(Collectors.toMap(
                                RankedScheduler::name,
                                one -> BlockBootstrap.saved(now, one.log().values(metric.ofJob()), metric, 1))));
    }

    /** Jobs of the log that were left out, by reason. */
    public List<LeftOut> leftOut() {
        return account.all();
    }

    /**
     * The part of the load, in GPU-hours, that was left out; a job that cannot be read counts as the mean of the
     * others.
     */
    public double leftOutShare() {
        return LogAccount.share(leftOut(), gpuHours, jobs);
    }

    /**
     * How far the answer can be trusted: as the past is reproduced, and less when much of the load was left out. Null
     * when nothing tells.
     */
    public Reproduction.@Nullable Trust trust() {
        return reproduction == null ? null : reproduction.trust(leftOutShare(), held);
    }

    /** Whether a gain can be told: not where much of the wait was for something that no replay has. */
    boolean promises() {
        return held == null || held.isExplained();
    }

    /**
     * Whether the gain of a scheduler can be told: that of settings of the cluster's own Slurm is where it explains
     * waits.
     */
    boolean promises(RankedScheduler one) {
        boolean isOwn = one.name().startsWith(LogReplays.SETTING) || LoggedCluster.isSlurmOfFiles(one.name());
        return isGainTold() && (isOwn || held == null || held.unexplainedByOthers <= Reproduction.WEAKENS);
    }

    /** Whether some gain, or that there is none, is told. */
    boolean isGainTold() {
        return promises() && !isWithoutQueue();
    }

    /**
     * Whether jobs waited, and hardly any queues in the replay nearest to them: what they waited for is no scheduler's.
     */
    boolean isWithoutQueue() {
        if (held == null || reproduction == null) {
            return false;
        }
        double was = reproduction.past().waits().mean();
        return was > 0
                && reproduction.unfitted().waits().mean() - held.past.delaySeconds() <= Reproduction.LOWERS * was;
    }

    /** The trust in a word; {@code unknown} when nothing tells. */
    String trustWord() {
        Reproduction.Trust trust = trust();
        return trust == null ? "unknown" : trust.word();
    }

    /**
     * Finds the scheduler nearest to the past, fits durations with it, and ranks all schedulers. Cost: a simulation for
     * every scheduler, twice for some.
     *
     * @throws InputException when no job fits on the cluster
     */
    public static Advice of(AdviceQuestion question) {
        try (ThreadWorkerPool workers = new ThreadWorkerPool()) {
            LogReplays replays = question.replays(workers);
            List<String> notes = new ArrayList<>();
            LogAccount account = replays.account(question.jobs(), question.leftOut());
            account.requireMost("the log", question.isPartial(), null);
            List<TraceJob> all = usable(question, account);
            List<TraceJob> jobs = LoggedCluster.counted(all);
            LogRemarks.size(question, jobs, notes);
            int[] dated = dated(jobs);
            LogRemarks.undated(jobs.size(), dated.length, notes);
            Reproduction reproduction = dated.length == 0 ? null : reproduction(question, replays, all, jobs, dated);
            LogRemarks.past(question, reproduction, notes);
            double factor = reproduction == null ? 1 : reproduction.durationFactor();
            List<LogReplays.Candidate> candidates = new ArrayList<>(replays.registered(all, false));
            candidates.addAll(replays.settings());
            if (question.learned() != null) {
                if (all.stream().allMatch(job -> job.demand().notFixedGpus() == null)) {
                    candidates.add(replays.learned(LEARNED, question.learned()));
                } else {
                    notes.add(
                            "Jobs ask for parts of GPUs, for segments or for no GPU, which the learned policy does not place;"
                                    + " it did not run.");
                }
            }
            List<LogOutcome> logs = ended(question, replays, replays.run("rank schedulers", candidates, all, factor));
            List<RankedScheduler> ranking = RankedScheduler.of(logs, question.metric(), question.seed());
            List<RestartAnswer> restarts = RestartAnswer.of(
                    question, ranking, candidates, some -> replays.run("other restarts", some, all, factor));
            LogRemarks.stopped(replays, notes);
            double days = (jobs.get(jobs.size() - 1).submitNanos() - jobs.get(0).submitNanos()) / 86400e9;
            return new Advice(
                            jobs.size(),
                            days,
                            reproduction,
                            question.metric(),
                            ranking,
                            notes,
                            jobs.stream().mapToDouble(TraceJob::gpuHours).sum(),
                            account,
                            restarts,
                            pays(question, jobs, dated, reproduction, ranking),
                            question.cluster().limits(question.jobs()),
                            question.manager(),
                            reproduction == null ? null : held(question, jobs, dated, reproduction),
                            new LoggedCluster(question.topology(), question.files()).anywhere(all),
                            Map.of())
                    .comparing();
        }
    }

    private static Held held(AdviceQuestion question, List<TraceJob> jobs, int[] dated, Reproduction reproduction) {
        List<TraceJob> told = Arrays.stream(dated).mapToObj(jobs::get).toList();
        LogOutcome others = isBoundUnderSlurmAlone(question) ? reproduction.foreign() : reproduction.managed();
        return Held.of(question.topology(), told, reproduction.managed(), others);
    }

    /**
     * Whether partitions of the cluster's own Slurm bound what jobs hold in a way that other schedulers do not heed.
     */
    private static boolean isBoundUnderSlurmAlone(AdviceQuestion question) {
        SlurmFiles files = question.files();
        return files != null
                && files.on(question.topology()).partitions().stream()
                        .map(SlurmPartition::bounds)
                        .anyMatch(bounds -> bounds.maxCpusPerNode() >= 0 || bounds.exclusiveUser());
    }

    private static WhoPays pays(
            AdviceQuestion question,
            List<TraceJob> jobs,
            int[] dated,
            @Nullable Reproduction reproduction,
            List<RankedScheduler> ranking) {
        if (reproduction == null) {
            return WhoPays.UNKNOWN;
        }
        List<RankedScheduler> shown = Stream.of(
                        ranking.get(0), quiet(ranking, question.manager()), configurable(ranking, question.manager()))
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        LogOutcome own = own(ranking);
        LogOutcome now = own == null ? reproduction.nearest() : own.over(dated);
        return WhoPays.of(jobs, dated, now, ranking, shown, question.bound());
    }

    private static @Nullable RankedScheduler quiet(List<RankedScheduler> ranking, ResourceManager manager) {
        return ranking.stream()
                .filter(one -> one.traits(manager).leavesJobsAlone())
                .findFirst()
                .orElse(null);
    }

    private static @Nullable RankedScheduler configurable(List<RankedScheduler> ranking, ResourceManager manager) {
        // Beside the cluster's own Slurm others that are like one are not what it runs.
        boolean isOwn = ranking.stream().anyMatch(one -> one.name().startsWith(LogReplays.SETTING));
        return ranking.stream()
                .filter(one ->
                        !isOwn || one.name().startsWith(LogReplays.SETTING) || LoggedCluster.isSlurmOfFiles(one.name()))
                .filter(one -> !one.traits(manager).configuration().isEmpty())
                .findFirst()
                .orElse(null);
    }

    /** The best of the schedulers that the manager of the log runs as configured; null when none ran. */
    public @Nullable RankedScheduler bestConfigurable() {
        return configurable(ranking, manager);
    }

    /** The best of the schedulers that keep the bound; null without one, or when none does. */
    public @Nullable RankedScheduler bestWithinBound() {
        return ranking.stream()
                .filter(one -> pays.keepers().contains(one.name()))
                .findFirst()
                .orElse(null);
    }

    private static List<TraceJob> usable(AdviceQuestion question, LogAccount account) {
        if (account.jobs().isEmpty()) {
            throw InputException.at(
                    "--cluster",
                    question.topology().name(),
                    "a cluster on which jobs of the log fit; here "
                            + account.all().stream()
                                    .map(one -> Counted.say("%,d jobs %s", one.jobs(), one.reason()))
                                    .collect(Collectors.joining(", ")));
        }
        return account.jobs();
    }

    /** The places of the jobs whose past is known; none when they are too few to compare. */
    static int[] dated(List<TraceJob> jobs) {
        int[] dated = IntStream.range(0, jobs.size())
                .filter(job -> jobs.get(job).past() != null)
                .toArray();
        return dated.length < Math.min(ENOUGH, jobs.size()) ? new int[0] : dated;
    }

    private static Reproduction reproduction(
            AdviceQuestion question, LogReplays replays, List<TraceJob> all, List<TraceJob> jobs, int[] dated) {
        List<LogReplays.Candidate> candidates = replays.registered(all, true);
        List<LogOutcome> logs = ended(question, replays, replays.run("find the past", candidates, all, 1));
        List<TraceJob> told = Arrays.stream(dated).mapToObj(jobs::get).toList();
        LogOutcome past = LogOutcome.past(told, question.topology().gpus(), told.size() == jobs.size());
        return Reproduction.of(past, logs, replays, candidates, all, dated, question.cycleStarts());
    }

    private static List<LogOutcome> ended(AdviceQuestion question, LogReplays replays, List<LogOutcome> logs) {
        if (logs.isEmpty()) {
            String first = replays.stopped().entrySet().stream()
                    .findFirst()
                    .map(one -> "; under %s %s".formatted(one.getKey(), one.getValue()))
                    .orElse("");
            throw InputException.at(
                    "--limit", question.limits().seconds() / 60, "more minutes: no replay ended" + first);
        }
        return logs;
    }

    public RankedScheduler best() {
        return ranking.get(0);
    }

    /** The schedulers that cannot be told from the best; of those that do the same, the first. */
    public List<RankedScheduler> level() {
        return RankedScheduler.distinct(ranking).stream()
                .filter(RankedScheduler::isLevel)
                .toList();
    }

    /** The best of the schedulers that can neither preempt nor resize jobs; null when none ran. */
    public @Nullable RankedScheduler bestWithoutPreemption() {
        return quiet(ranking, manager);
    }

    /** The past, or null. */
    public @Nullable LogOutcome past() {
        return reproduction == null ? null : reproduction.past();
    }

    private static @Nullable LogOutcome own(List<RankedScheduler> ranking) {
        return ranking.stream()
                .map(RankedScheduler::log)
                .filter(log -> LogReplays.isOwn(log.name()))
                .findFirst()
                .orElse(null);
    }

    /** A replay of what runs today: by the files of the cluster, else the nearest to the past; null without either. */
    public @Nullable LogOutcome today() {
        LogOutcome own = own(ranking);
        return own == null && hasWholePast()
                ? Objects.requireNonNull(reproduction).nearest()
                : own;
    }

    /** Bounds on what a scheduler among the best saves in the metric against a replay of today; null without one. */
    BlockBootstrap.@Nullable Bounds saved(RankedScheduler one) {
        return savings.get(one.name());
    }

    /** Whether a scheduler saves something for certain, or nothing tells. */
    boolean gains(RankedScheduler one) {
        BlockBootstrap.Bounds saved = saved(one);
        return saved == null || saved.low() > 0;
    }

    /** Whether nothing that the manager runs as configured saves something for certain. */
    boolean isToKeep() {
        RankedScheduler configured = bestConfigurable();
        return configured != null && !gains(configured);
    }

    /** Whether all jobs that ran have a past, so that it can be set beside the ranking. */
    public boolean hasWholePast() {
        LogOutcome past = past();
        return past != null && past.jobs() == jobs;
    }

    /** The value of the metric in the past; only with a past. */
    public double pastValue() {
        return Objects.requireNonNull(past()).value(metric);
    }

    /** Preemptions in thirty days. */
    public double preemptionsAMonth(LogOutcome log) {
        return log.preemptions() / Math.max(days, 1.0 / 24) * 30;
    }
}
