package org.trainyard.experiments.cli.operator;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.advice.NearestScheduler;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.SeedOption;
import org.trainyard.experiments.cli.simulate.PartialOption;
import org.trainyard.experiments.cli.simulate.TraceOptions;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.forecast.CancelledWaits;
import org.trainyard.experiments.forecast.ClusterMoment;
import org.trainyard.experiments.forecast.OpenLog;
import org.trainyard.experiments.forecast.Outlook;
import org.trainyard.experiments.forecast.StartForecaster;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.shadow.FollowedState;
import org.trainyard.experiments.shadow.ShadowFollower;
import org.trainyard.experiments.simulation.ClusterOption;
import org.trainyard.experiments.simulation.LogAccount;
import org.trainyard.experiments.simulation.LogDates;
import org.trainyard.experiments.simulation.LoggedCluster;
import org.trainyard.experiments.simulation.LoggedMaintenance;
import org.trainyard.experiments.simulation.LoggedServers;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The past of a cluster, by its log or from a live Slurm, and the scheduler of its futures. */
final class HistoryOptions {
    private static final int LEAST_JOBS = 30;
    private static final String LIVE = "--live";

    /**
     * The jobs of a log that say when they ran, and the cluster at a moment.
     *
     * @param jobs submitted until that moment, by their submission
     * @param account of the jobs of the log
     * @param endNanos of the log; what jobs do later is not known
     * @param open whether some job ran or waited then
     * @param own name of the scheduler that the slurm.conf of the cluster configures, or null
     */
    record History(
            LoggedCluster cluster,
            @Nullable String own,
            List<TraceJob> jobs,
            LoggedServers servers,
            ClusterMoment now,
            LogAccount account,
            long endNanos,
            boolean open) {
        Topology topology() {
            return cluster.topology();
        }
    }

    /** A log or a live Slurm. */
    static final class Source {
        @Parameters(
                paramLabel = "LOG",
                description = "Log of jobs with starts and ends, plain or gzipped (`trainyard list traces`).")
        private @Nullable String log;

        @Option(
                names = LIVE,
                required = true,
                description = "Read a live Slurm by sacct, squeue and sinfo in place of a log.")
        private boolean isLive;
    }

    @ArgGroup(multiplicity = "1")
    private Source source = new Source();

    @Option(
            names = "--squeue",
            paramLabel = "FILE",
            description =
                    "What squeue says of the jobs that run and wait, by --json or by columns with bars; it prevails"
                            + " over the log (default: a squeue.txt or squeue.json beside it).")
    private @Nullable String queue;

    @Mixin
    private SlurmOptions slurm = new SlurmOptions(60);

    @Option(
            names = "--since",
            paramLabel = "DAYS",
            description = "Days of past jobs read from a live Slurm (default: ${DEFAULT-VALUE}).")
    private double sinceDays = 30;

    @Mixin
    private CommonOption cluster = CommonOption.cluster(
            "The cluster of the log: a shorthand such as 24x8:H100, a topology file, or a name (default: the nodes of the"
                    + " slurm.conf).");

    @Mixin
    private CommonOption slurmConf = CommonOption.slurm();

    @Mixin
    private CommonOption scheduler = CommonOption.scheduler(
            "Scheduler of the futures, one of `trainyard list schedulers` or slurm:PATH/slurm.conf (default: that"
                    + " of the slurm.conf beside the log, else the nearest to the past without preemption).");

    @Option(
            names = "--futures",
            paramLabel = "N",
            description = "Number of simulated futures (default: ${DEFAULT-VALUE}).")
    private int futures = 100;

    @Mixin
    private SeedOption seed = new SeedOption();

    @Mixin
    private CommonOption maintenance = CommonOption.maintenance();

    @Mixin
    private PartialOption partial = new PartialOption();

    @Mixin
    private TraceOptions traces = new TraceOptions();

    private LoggedMaintenance windows = LoggedMaintenance.NONE;
    private Outlook outlook = Outlook.NONE;
    private LogDates dates = LogDates.NONE;

    boolean isLive() {
        return source.isLive;
    }

    /** The date of an instant, as the clock of the log says it; null where the log has no dates. */
    @Nullable String date(long nanos) {
        return dates.of(nanos);
    }

    /** An instant in words. */
    String at(long nanos) {
        String date = date(nanos);
        return date == null ? "at " + Counted.say("%,.0f s", nanos / 1e9) : "on " + date;
    }

    int futures() {
        return futures;
    }

    /** @param at seconds after the first submission of a log, or since 1970; null for its end */
    History read(@Nullable Double at, PrintWriter err) {
        InputException.within(1, 100_000, "--futures", futures);
        InputException.within(0, 1e6, "--since", sinceDays);
        String log = String.valueOf(source.log);
        List<String> configured = LoggedCluster.configured(slurmConf.value(), scheduler.values());
        cluster.or(ClusterOption.required(
                cluster.value(), source.isLive ? null : InputFiles.path(log), configured, err::println));
        Topology resolved = Clusters.resolve("--cluster", cluster.text());
        if (source.isLive) {
            if (at != null) {
                throw InputException.at("--at", at, "nothing with --live, which asks now");
            }
            TraceOptions.requireLog("--maintenance", maintenance.value(), LIVE);
            TraceOptions.requireLog("--squeue", queue, LIVE);
            return live(resolved, configured.stream().findFirst().orElse(null), err);
        }
        LoggedCluster known = LoggedCluster.of(resolved, InputFiles.path(log), configured);
        Topology topology = known.topology();
        traces.keepingLoads(known.saysHosts()).keepingOpen();
        Trace trace = traces.read(log, err).requireEnded(log);
        Path listing = queue(log);
        OpenLog logged = OpenLog.of(trace, listing == null ? null : traces.read(listing.toString(), err));
        dates = new LogDates(logged.zeroNanos(), traces.zone());
        List<TraceJob> jobs = known.demanding(trace.with(logged.jobs())).jobs();
        LogAccount account = dated(jobs, trace.leftOut(), topology).requireMost(log, partial.isGiven(), known);
        List<TraceJob> dated = account.jobs();
        LoggedServers servers = new LoggedServers(topology, jobs);
        windows = LoggedMaintenance.read(maintenance.value(), log, jobs, logged.zeroNanos(), traces.zone(), topology);
        outlook = new Outlook(
                windows.announced(),
                new CancelledWaits(logged.cancelledNanos(), dated, logged.endNanos()),
                Outlook.monday(logged.zeroNanos(), traces.zone()),
                Map.of());
        windows.notes().forEach(note -> err.println("note: " + note));
        long now = at != null
                ? logged.instant("--at", at)
                : logged.open() > 0
                        ? logged.endNanos()
                        : dated.get(dated.size() - 1).submitNanos();
        if (logged.unlisted() > 0) {
            err.println(Counted.say(
                    "note: %,d jobs that have no end in the log are not in %s; left out",
                    logged.unlisted(), String.valueOf(listing)));
        }
        List<TraceJob> until =
                dated.stream().filter(one -> one.submitNanos() <= now).toList();
        requireMany("--at", now / 1e9, until, "a time after at least %d submissions of the log");
        ClusterMoment moment = ClusterMoment.of(until, servers, now);
        if (moment.gpusHeld() > topology.gpus()) {
            throw InputException.at(
                    "--cluster",
                    topology.name(),
                    Counted.say(
                            "a cluster with the %,d GPUs that jobs of the log hold %s", moment.gpusHeld(), at(now)));
        }
        return new History(
                known, known.scheduler(), until, servers, moment, account, logged.endNanos(), logged.open() > 0);
    }

    private @Nullable Path queue(String log) {
        if (queue != null) {
            return InputFiles.readable(InputFiles.path(queue));
        }
        Path beside = InputFiles.path(log).toAbsolutePath();
        return Stream.of("squeue.txt", "squeue.json")
                .map(beside::resolveSibling)
                .filter(file -> Files.isRegularFile(file) && !file.equals(beside))
                .findFirst()
                .orElse(null);
    }

    private History live(Topology topology, @Nullable String own, PrintWriter err) {
        FollowedState state = ShadowFollower.once(slurm.commands("when"), traces.liveClock(LIVE), sinceDays);
        LogAccount account = dated(state.log().jobs(), state.log().leftOut(), topology);
        List<TraceJob> dated = account.jobs();
        LoggedServers servers = new LoggedServers(topology, dated, state.nodes().keySet());
        ClusterMoment moment = state.moment(dated, servers);
        state.remarks(moment).forEach(remark -> err.println("note: " + remark));
        return new History(new LoggedCluster(topology), own, dated, servers, moment, account, moment.nowNanos(), true);
    }

    private LogAccount dated(List<TraceJob> jobs, List<LeftOut> before, Topology topology) {
        LogAccount account = LogAccount.of(topology, jobs, before).dated();
        List<TraceJob> dated = account.jobs();
        requireMany(
                source.isLive ? "sacct" : String.valueOf(source.log),
                Counted.say("%,d jobs that fit the cluster and say when they ran", dated.size()),
                dated,
                "at least %d");
        return account;
    }

    private static void requireMany(String place, Object value, List<TraceJob> jobs, String expected) {
        if (jobs.size() < LEAST_JOBS) {
            throw InputException.at(place, value, expected.formatted(LEAST_JOBS));
        }
    }

    /** The scheduler that was named, or the nearest to these jobs. */
    NearestScheduler scheduler(History history, List<TraceJob> past) {
        return scheduler.isGiven()
                ? NearestScheduler.named("--scheduler", scheduler.text(), history.topology(), seed.value())
                : NearestScheduler.of(history.topology(), past, history.own(), windows.windows(), seed.value());
    }

    /** Maintenance that only a later gap in the log shows is not in its futures. */
    StartForecaster forecaster(Topology topology, NearestScheduler found) {
        return new StartForecaster(topology, found, outlook, futures, seed.value());
    }
}
