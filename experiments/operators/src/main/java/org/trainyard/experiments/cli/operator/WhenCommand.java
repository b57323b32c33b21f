package org.trainyard.experiments.cli.operator;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.FitReason;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.advice.NearestScheduler;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.cli.options.TraceOptions;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.forecast.AskedJob;
import org.trainyard.experiments.forecast.ClusterMoment;
import org.trainyard.experiments.forecast.ForecastBacktest;
import org.trainyard.experiments.forecast.StartForecast;
import org.trainyard.experiments.forecast.StartForecaster;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.shadow.FollowedState;
import org.trainyard.experiments.shadow.ShadowFollower;
import org.trainyard.experiments.simulation.LoggedServers;
import org.trainyard.experiments.simulation.NeverStarting;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says when a job would start. */
@Command(
        name = "when",
        description = {
            "When would a job start? From the state of the cluster that the log shows, futures are simulated: run"
                    + " times and jobs to come are drawn from the log, under the scheduler whose replay is nearest to it.",
            "The answer is a distribution (p10, p50, p90), corrected by forecasts of past jobs, with why the job waits."
        },
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard when log.txt --cluster 24x8 --job \"8 gpus, 4 h, account a\"",
            "Example: trainyard when log.txt --cluster 24x8 --id 10342 --at 86400",
            "Example: trainyard when --live --cluster 24x8 --id 10342 --through \"ssh head\"",
            "Example: trainyard when log.txt --cluster 24x8 --calibrate"
        })
public final class WhenCommand extends Subcommand {
    private static final int LEAST_JOBS = 30;

    @Parameters(
            paramLabel = "LOG",
            arity = "0..1",
            description = "Log of jobs that says when they started and ended, plain or gzipped;"
                    + " `trainyard list traces` has the formats.")
    private @Nullable String log;

    @Option(
            names = "--live",
            description = "Ask a live Slurm with sacct, squeue and sinfo, which only read, in place of a log.")
    private boolean isLive;

    @Mixin
    private SlurmOptions slurm = new SlurmOptions(60);

    @Option(
            names = "--since",
            paramLabel = "DAYS",
            description = "Past of a live Slurm that is read (default: ${DEFAULT-VALUE}).")
    private double sinceDays = 30;

    @Option(
            names = "--cluster",
            required = true,
            paramLabel = "NAME|FILE",
            description = "The cluster of the log: a shorthand such as 24x8:H100, a topology file, or a name.")
    private String cluster = "";

    @Option(
            names = "--job",
            paramLabel = "TEXT",
            description = "The job, such as \"8 gpus, 4 h, account a\": GPUs, its time limit, and where they matter"
                    + " account, user, qos, partition, group, type NAME, one server.")
    private @Nullable String job;

    @Option(names = "--id", paramLabel = "ID", description = "A job of the log that waits at that time.")
    private @Nullable String id;

    @Option(
            names = "--at",
            paramLabel = "SECONDS",
            description = "The time, in seconds after the first submission of the log (default: its last submission).")
    private @Nullable Double at;

    @Option(
            names = "--scheduler",
            paramLabel = "NAME",
            description =
                    "Scheduler of the futures, one of `trainyard list schedulers` or slurm:PATH/slurm.conf (default:"
                            + " of those without preemption, and of the slurm.conf beside the log, the nearest to the past).")
    private @Nullable String scheduler;

    @Option(
            names = "--futures",
            paramLabel = "N",
            description = "Futures that are simulated (default: ${DEFAULT-VALUE}).")
    private int futures = 100;

    @Option(
            names = "--learn",
            paramLabel = "N",
            description = "Past jobs whose forecasts correct this one, 0 for none (default: ${DEFAULT-VALUE}).")
    private int learn = 60;

    @Option(
            names = "--calibrate",
            description = "Forecast past jobs instead: those of the last third of the log, beside simpler estimates.")
    private boolean calibrate;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of all random draws (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Mixin
    private TraceOptions traces = new TraceOptions();

    @Option(names = "--json", description = "Print JSON instead of words.")
    private boolean json;

    @Override
    protected void run() {
        check();
        Topology topology = Clusters.resolve("--cluster", cluster);
        if (isLive) {
            live(topology);
            return;
        }
        Trace trace = traces.read(String.valueOf(log), err());
        List<TraceJob> dated = dated(trace, topology);
        LoggedServers servers = new LoggedServers(topology, trace.jobs());
        if (calibrate) {
            backtest(topology, dated, servers);
        } else {
            long now = at == null ? dated.get(dated.size() - 1).submitNanos() : Math.round(at * 1e9);
            List<TraceJob> known =
                    dated.stream().filter(one -> one.submitNanos() <= now).toList();
            requireMany("--at", now / 1e9, known, "a time after at least %d submissions of the log");
            forecast(topology, known, servers, ClusterMoment.of(known, servers, now));
        }
    }

    private void live(Topology topology) {
        FollowedState state =
                ShadowFollower.once(slurm.commands("when"), Clock.system(ZoneId.systemDefault()), sinceDays);
        List<TraceJob> dated = dated(state.log(), topology);
        LoggedServers servers = new LoggedServers(topology, dated, state.nodes().keySet());
        ClusterMoment moment = state.moment(dated, servers);
        state.remarks(moment).forEach(remark -> err().println("note: " + remark));
        if (calibrate) {
            backtest(topology, moment.ended(), servers);
        } else {
            forecast(topology, dated, servers, moment);
        }
    }

    private void check() {
        InputException.within(1, 100_000, "--futures", futures);
        InputException.within(0, 10_000, "--learn", learn);
        InputException.within(0, 1e6, "--since", sinceDays);
        InputException.within(1, 3600, "--timeout", slurm.timeout());
        if (isLive == (log != null) || (isLive && at != null)) {
            throw InputException.at("when", isLive ? "--live" : "nothing", "a log, or --live without a log and --at");
        }
        if (!calibrate && (job == null) == (id == null)) {
            throw InputException.at(
                    "--job",
                    job == null ? "nothing" : "beside --id",
                    "either --job \"8 gpus, 4 h\", --id or --calibrate");
        }
    }

    private List<TraceJob> dated(Trace trace, Topology topology) {
        FitReason fit = new FitReason(topology);
        List<TraceJob> dated = trace.jobs().stream()
                .filter(one -> one.past() != null && fit.of(one.demand()) == null)
                .map(one -> one.demanding(fit.named(one.demand())))
                .toList();
        requireMany(
                isLive ? "sacct" : String.valueOf(log),
                "%,d jobs that fit the cluster and say when they ran".formatted(dated.size()),
                dated,
                "at least %d");
        return dated;
    }

    private static void requireMany(String place, Object value, List<TraceJob> jobs, String expected) {
        if (jobs.size() < LEAST_JOBS) {
            throw InputException.at(place, value, expected.formatted(LEAST_JOBS));
        }
    }

    private void backtest(Topology topology, List<TraceJob> dated, LoggedServers servers) {
        NearestScheduler found = scheduler(topology, dated.subList(0, 2 * dated.size() / 3));
        StartForecaster forecaster = new StartForecaster(topology, found, futures, seed);
        ForecastBacktest backtest =
                ForecastBacktest.of(forecaster, dated, servers, topology.gpus(), Math.max(1, learn));
        out().print(
                        json
                                ? backtest.json(found.name())
                                : backtest.answer(found.name()).console());
    }

    private void forecast(Topology topology, List<TraceJob> known, LoggedServers servers, ClusterMoment moment) {
        TraceJob asked = asked(moment, topology);
        NearestScheduler found = scheduler(topology, moment.ended());
        for (LeftOut never :
                NeverStarting.of(found.fresh().get(), List.of(asked)).leftOut()) {
            throw InputException.at(
                    job == null ? "--id" : "--job",
                    String.valueOf(job == null ? id : job),
                    "a job that %s may start; it %s".formatted(found.name(), never.reason()));
        }
        StartForecaster forecaster = new StartForecaster(topology, found, futures, seed);
        ForecastBacktest learned = learn == 0 ? null : StartForecast.learn(forecaster, known, servers, learn);
        StartForecast forecast = StartForecast.of(forecaster, found, topology, moment, asked, learned, futures);
        out().print(json ? JsonText.pretty(forecast) : forecast.answer().console());
    }

    private TraceJob asked(ClusterMoment moment, Topology topology) {
        if (id != null) {
            String wanted = id;
            return moment.waiting().stream()
                    .filter(one -> one.id().equals(wanted))
                    .findFirst()
                    .orElseThrow(() -> InputException.at(
                            "--id",
                            wanted,
                            "a job that waits at %,.0f s, of which there are %,d"
                                    .formatted(
                                            moment.nowNanos() / 1e9,
                                            moment.waiting().size())));
        }
        TraceJob parsed = AskedJob.parse("--job", String.valueOf(job), moment.nowNanos());
        FitReason fit = new FitReason(topology);
        String reason = fit.of(parsed.demand());
        if (reason != null) {
            throw InputException.at(
                    "--job", String.valueOf(job), "a job that fits %s: such jobs %s".formatted(topology, reason));
        }
        return parsed.demanding(fit.named(parsed.demand()));
    }

    private NearestScheduler scheduler(Topology topology, List<TraceJob> past) {
        if (scheduler != null) {
            return NearestScheduler.named("--scheduler", scheduler, topology, seed);
        }
        Path beside = log == null ? null : InputFiles.path(log).toAbsolutePath().resolveSibling("slurm.conf");
        String configured = beside != null && Files.isRegularFile(beside) ? "slurm:" + beside : null;
        return NearestScheduler.of(topology, past, InterferenceModel.NONE, configured, seed);
    }
}
