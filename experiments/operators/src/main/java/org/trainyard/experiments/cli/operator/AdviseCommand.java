package org.trainyard.experiments.cli.operator;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.LogEnd;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.advice.Advice;
import org.trainyard.experiments.advice.AdviceQuestion;
import org.trainyard.experiments.advice.AdviceReport;
import org.trainyard.experiments.advice.AdviceText;
import org.trainyard.experiments.advice.LearnedRemark;
import org.trainyard.experiments.advice.LogReplays;
import org.trainyard.experiments.advice.LogTimelines;
import org.trainyard.experiments.advice.ReplayFolder;
import org.trainyard.experiments.advice.ResourceManager;
import org.trainyard.experiments.advice.WaitBound;
import org.trainyard.experiments.advice.WhatIfAnswer;
import org.trainyard.experiments.advice.search.SlurmSearch;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.JsonOption;
import org.trainyard.experiments.cli.options.RankingOptions;
import org.trainyard.experiments.cli.options.SeedOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.cli.options.TableOption;
import org.trainyard.experiments.cli.simulate.PartialOption;
import org.trainyard.experiments.cli.simulate.TraceOptions;
import org.trainyard.experiments.config.PhysicsConfig;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.forecast.LogSequel;
import org.trainyard.experiments.forecast.Outlook;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.InterruptionHint;
import org.trainyard.experiments.io.Sha256;
import org.trainyard.experiments.metrics.JobMetric;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.simulation.ClusterOption;
import org.trainyard.experiments.simulation.LogAccount;
import org.trainyard.experiments.simulation.LoggedCluster;
import org.trainyard.experiments.simulation.LoggedMaintenance;
import org.trainyard.experiments.simulation.LoggedServers;
import org.trainyard.experiments.training.Checkpoint;
import org.trainyard.experiments.training.PolicyFit;
import org.trainyard.experiments.twin.Twin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says which scheduler would serve a cluster best, by a log of its jobs. */
@Command(
        name = "advise",
        description = {
            "Rank schedulers for a cluster by replaying a log of its jobs.",
            "The log is what sacct -P or kubectl get pods -o json prints, or any other trace. The nearest replay to the past"
                    + " shows how far the simulation can be trusted."
        },
        footer = {
            "",
            "Example: sacct -a -P -S 2026-01-01 -o"
                    + " JobID,State,Submit,Eligible,Start,End,AllocTRES,ReqTRES,User,JobName,Partition > log.txt",
            "Example: trainyard advise log.txt --cluster 24x8:H100 --metric p95-wait"
        })
public final class AdviseCommand extends Subcommand {
    @Parameters(
            paramLabel = "LOG",
            description = "Log of jobs, plain or gzipped; `trainyard list traces` has the formats.")
    private String log = "";

    @Mixin
    private CommonOption cluster = CommonOption.cluster(
            "The cluster of the log: a shorthand such as 24x8:H100, a topology file, or a name (default: the nodes of the"
                    + " slurm.conf).");

    @Mixin
    private RankingOptions ranking = new RankingOptions();

    @Mixin
    private CommonOption slurm = CommonOption.slurm();

    @Option(
            names = "--kueue",
            paramLabel = "PATH",
            description = "Kueue's YAML of the cluster, a file or a folder; Kueue so configured is compared.")
    private @Nullable String kueue;

    @Mixin
    private CommonOption checkpoint = CommonOption.checkpoint(
            "Trained policy to compare as 'learned' (default: the shipped policy that was trained for"
                    + " the same restart cost).");

    @Mixin
    private SeedOption seed = new SeedOption();

    @Mixin
    private CommonOption outFolder =
            CommonOption.out("Folder for the answer, report.html and finished replays; the same command continues "
                    + "after an interruption.");

    @Option(names = "--replace", description = "Replace the answer to another question in --out.")
    private boolean replace;

    @Option(
            names = "--limit",
            paramLabel = "MINUTES",
            description = "Most processor time per scheduler; slower ones are named and left out (default: "
                    + "1 for 75,000 jobs, from 0.2 to 5).")
    private @Nullable Double limit;

    @Option(
            names = "--restart",
            paramLabel = "SECONDS",
            description = "Restart cost after a preemption (default: ${DEFAULT-VALUE}); the answer also covers "
                    + "30 s, 5 min and 15 min.")
    private double restart = 30;

    @Option(
            names = "--constraint",
            paramLabel = "BOUND",
            description = "Also name the best scheduler that keeps the growth of a group's waits below a bound,"
                    + " such as \"p95 of >=16 GPUs: 10 %%\" or \"mean of account a: 0 %%\".")
    private @Nullable String noWorse;

    @Mixin
    private WhatIfOptions whatIf = new WhatIfOptions();

    @Mixin
    private SearchOptions search = new SearchOptions();

    @Mixin
    private CommonOption maintenance = CommonOption.maintenance();

    @Mixin
    private PartialOption partial = new PartialOption();

    @Mixin
    private TraceOptions traces = new TraceOptions();

    @Mixin
    private TableOption table = new TableOption();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    protected void run() {
        table.check();
        if (table.isGiven() && search.isAny()) {
            throw InputException.at("--table", "given", "not --search beside it, whose answer has no table");
        }
        RankingMetric metric = ranking.metric(RankingMetric.MEAN_WAIT);
        if (metric.ofJob() == JobMetric.WIDE_WAIT) {
            throw InputException.at("--metric", metric.label(), "a metric of all jobs, such as p95-wait");
        }
        if (limit != null && !(limit > 0)) {
            throw InputException.at("--limit", limit, "minutes above 0");
        }
        InputException.within(0, 86_400, "--restart", restart);
        WaitBound bound = noWorse == null ? null : WaitBound.parse("--constraint", noWorse);
        String own = own();
        List<String> configured = own == null ? List.of() : List.of(own);
        cluster.or(ClusterOption.required(cluster.value(), InputFiles.path(log), configured, err()::println));
        LoggedCluster logged =
                LoggedCluster.of(Clusters.resolve("--cluster", cluster.text()), InputFiles.path(log), configured);
        Topology topology = logged.topology();
        traces.keepingLoads(logged.saysHosts());
        Trace whole = (whatIf.isAny() ? traces.keepingOpen() : traces).read(log, err());
        Trace trace = logged.demanding(whole.requireEnded(log).ended());
        LogAccount account =
                LogAccount.of(topology, trace.jobs(), trace.leftOut()).requireMost(log, partial.isGiven(), logged);
        LoggedMaintenance windows = LoggedMaintenance.read(maintenance.value(), log, trace, traces.zone(), topology);
        if (whatIf.isAny()) {
            whatIf.answer(
                    logged,
                    account,
                    sequel(logged, account, whole.end(), trace),
                    windows,
                    cluster.text(),
                    own == null || kueue != null ? null : cycleStarts(),
                    restart,
                    seed.value(),
                    outFolder.value(),
                    json.isGiven(),
                    table,
                    out(),
                    log);
            return;
        }
        Checkpoint saved = search.isAny() ? null : policy(topology);
        BidPolicy learned = saved == null ? null : saved.policy();
        Path root = outFolder.path();
        InterruptionHint hint = new InterruptionHint(
                root == null
                        ? "interrupted; with --out DIR the same command would go on"
                        : "interrupted; the same command goes on");
        try (ReplayFolder folder = root == null ? null : folder(root, saved, own, windows)) {
            AdviceQuestion question = new AdviceQuestion(
                    logged.limited(LogReplays.world(topology, seed.value())).maintained(windows.windows()),
                    trace.jobs(),
                    trace.leftOut(),
                    partial.isGiven(),
                    metric,
                    learned,
                    limits(folder, account.jobs().size()),
                    bound,
                    own,
                    own == null || kueue != null || search.isAny() ? null : cycleStarts(),
                    logged,
                    ResourceManager.of(trace.format(), own));
            if (search.isAny()) {
                search.answer(question, account, outFolder.value(), json.isGiven(), out());
                return;
            }
            Advice advice = Advice.of(question).noting(windows.notes()).noting(notes(trace, topology, saved));
            String worse = saved == null ? null : LearnedRemark.of(advice, PolicyFit.training(saved));
            advice = worse == null ? advice : advice.noting(List.of(worse));
            String machines = AdviceText.json(advice);
            Answer answer = answer(trace, topology, advice);
            String words = answer.console();
            out().print(json.isGiven() ? machines : words);
            out().flush();
            table.write(answer);
            if (root != null) {
                AtomicFiles.write(root.resolve("answer.json"), machines);
                AtomicFiles.write(root.resolve("answer.txt"), words);
                LogTimelines timelines = LogTimelines.of(question, advice);
                AdviceReport.write(root, title(trace, topology, advice), advice, timelines);
                err().println("Report: %s".formatted(root.resolve("report.html")));
            }
        } finally {
            hint.close();
        }
    }

    /** The jobs that ran or waited when the log ended, and those that come after it; none where no job did. */
    private WhatIfAnswer.Sequel sequel(LoggedCluster logged, LogAccount account, LogEnd end, Trace trace) {
        if (account.jobs().isEmpty() || end.open().isEmpty()) {
            return WhatIfAnswer.Sequel.NONE;
        }
        List<TraceJob> jobs = logged.demanding(trace.with(end.open())).jobs();
        List<TraceJob> open = logged.startable(LogAccount.of(logged.topology(), jobs, List.of()))
                .jobs();
        if (open.isEmpty()) {
            return WhatIfAnswer.Sequel.NONE;
        }
        long zeroNanos = trace.end().zeroNanos();
        LogSequel sequel = new LogSequel(
                account.jobs(), end, open, zeroNanos, Outlook.monday(zeroNanos, traces.zone()), seed.value());
        return new WhatIfAnswer.Sequel(sequel::draw, List.of(sequel.note()));
    }

    private LogReplays.Limits limits(@Nullable ReplayFolder folder, int jobs) {
        if (limit != null) {
            return new LogReplays.Limits(folder, 60 * limit, restart);
        }
        // A search replays one scheduler alone, which is the cluster's own.
        return search.isAny()
                ? new LogReplays.Limits(folder, LogReplays.Limits.MOST, restart)
                : LogReplays.Limits.forJobs(jobs, folder, restart);
    }

    /** Kueue or Slurm as its configuration says, where that is given or beside the log. */
    private @Nullable String own() {
        if (kueue != null) {
            if (slurm.isGiven() || search.isAny()) {
                throw InputException.at("--kueue", kueue, "no --slurm or --search, which are Slurm's, beside it");
            }
            return heeded("--kueue", "kueue:" + InputFiles.path(kueue));
        }
        Path beside = InputFiles.path(log).resolveSibling("slurm.conf");
        Path file = slurm.path(beside);
        if (!slurm.isGiven() && !Files.isRegularFile(file)) {
            return null;
        }
        return heeded("--slurm", "slurm:" + file);
    }

    /** The name, after its settings without effect are printed. */
    private String heeded(String option, String name) {
        Schedulers.withoutEffect(List.of(Schedulers.named(option, name)))
                .forEach(line -> err().println("trainyard: " + line));
        return name;
    }

    /** How many starts of its log Slurm's rules make, where the log is the one of a folder of {@code twin}; or null. */
    private @Nullable Double cycleStarts() {
        Path file = InputFiles.path(log).toAbsolutePath();
        boolean isTwin = !slurm.isGiven() && String.valueOf(file.getFileName()).equals("sacct.txt");
        return isTwin ? Twin.startsEqual(Objects.requireNonNull(file.getParent())) : null;
    }

    private static String title(Trace trace, Topology topology, Advice advice) {
        return Counted.say("%s: %,d jobs on %s", trace.name(), advice.jobs(), topology);
    }

    /** Notes on omissions from the log, on unexpected readings of it, and on a policy trained for other rules. */
    private List<String> notes(Trace trace, Topology topology, @Nullable Checkpoint policy) {
        List<String> notes = new ArrayList<>(LoggedServers.oddities(trace, topology));
        String remark = policy == null ? null : PolicyFit.note(policyName(), policy, rules());
        if (remark != null) {
            notes.add(remark + ".");
        }
        if (trace.badLineCount() > 0) {
            notes.add(Counted.say(
                    "%,d bad lines were left out; the first is %s.",
                    trace.badLineCount(), trace.badLines().get(0)));
        }
        return notes;
    }

    private static Answer answer(Trace trace, Topology topology, Advice advice) {
        Answer answer = new Answer()
                .say(advice.account().lines())
                .say(title(trace, topology, advice))
                .add(AdviceText.of(advice));
        advice.notes().forEach(note -> answer.say("Note: " + note));
        return answer;
    }

    private ReplayFolder folder(
            Path root, @Nullable Checkpoint policy, @Nullable String own, LoggedMaintenance windows) {
        Path clusterFile = InputFiles.path(cluster.text());
        String question = """
            log: %s
            virtual cluster: %s
            cluster: %s
            seed: %d
            restart: %s s
            policy: %s
            configured: %s%s%s
            """.formatted(
                        Sha256.of(InputFiles.path(log)),
                        traces.virtualCluster(),
                        Files.isRegularFile(clusterFile) ? Sha256.of(clusterFile) : cluster.text(),
                        seed.value(),
                        restart,
                        policy == null ? "none" : Sha256.of(policy.policyFile()),
                        own == null ? "none" : own,
                        search.isAny() ? "\nsearch: its settings" : "",
                        windows.windows().isEmpty() ? "" : "\nmaintenance: " + windows.windows());
        ReplayFolder folder = ReplayFolder.open("--out", root, question, replace);
        if (folder.size() > 0) {
            err().println(Counted.say(
                    "%s holds %,d replays of this log; they are not made again.", root, folder.size()));
        }
        return folder;
    }

    /** The policy to compare, or null without one. */
    private @Nullable Checkpoint policy(Topology topology) {
        Path shipped = Path.of(System.getProperty("trainyard.root", "."), "checkpoints", "default");
        if (!checkpoint.isGiven() && !Files.isDirectory(shipped)) {
            return null;
        }
        return PolicyFit.open("--checkpoint", policyName(), rules(), topology);
    }

    private String policyName() {
        return checkpoint.value() == null ? PolicyFit.LEARNED : checkpoint.value();
    }

    /** The restart costs and the rules of preemption of the replays. */
    private PhysicsConfig rules() {
        return PhysicsConfig.DEFAULT.with(new RestartCost.Fixed(restart));
    }

    /** A search for better settings of Slurm in place of other schedulers. */
    static final class SearchOptions {
        @Option(
                names = "--search",
                description = "Tune Slurm's priority weights and backfill parameters on the first two thirds of the "
                        + "log, and judge them on the rest.")
        private boolean search;

        @Option(
                names = "--search-evaluations",
                paramLabel = "N",
                description = "Replays of --search (default: ${DEFAULT-VALUE}).")
        private int evaluations = 80;

        /** Whether there is one. */
        public boolean isAny() {
            return search;
        }

        /** Answers; a folder of the question keeps replays. */
        public void answer(
                AdviceQuestion question, LogAccount account, @Nullable String out, boolean json, PrintWriter printed) {
            InputException.within(2, 100_000, "--search-evaluations", evaluations);
            if (!json) {
                new Answer().say(account.lines()).print(printed);
            }
            SlurmSearch found = SlurmSearch.of(question, evaluations);
            String words = found.answer().console();
            printed.print(json ? found.json() : words);
            printed.flush();
            if (out != null) {
                Path folder = InputFiles.path(out);
                AtomicFiles.write(folder.resolve("answer.json"), found.json());
                AtomicFiles.write(folder.resolve("answer.txt"), words);
            }
        }
    }
}
