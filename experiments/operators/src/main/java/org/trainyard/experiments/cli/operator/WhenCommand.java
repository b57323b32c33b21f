package org.trainyard.experiments.cli.operator;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.Nearest;
import org.trainyard.env.performance.FitReason;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.advice.NearestScheduler;
import org.trainyard.experiments.cli.options.JsonOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.forecast.AskedJob;
import org.trainyard.experiments.forecast.ClusterMoment;
import org.trainyard.experiments.forecast.ForecastBacktest;
import org.trainyard.experiments.forecast.StartForecast;
import org.trainyard.experiments.forecast.StartForecaster;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.simulation.HostDemands;
import org.trainyard.experiments.simulation.LogAccount;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says when a job would start. */
@Command(
        name = "when",
        description = {
            "Forecast when a job will start, and say why it waits.",
            "Futures are simulated from the state that the log shows; run times and jobs to come are drawn from the log. The"
                    + " quantiles (p10, p50, p90) are calibrated on past jobs."
        },
        subcommands = WhenCommand.BacktestCommand.class,
        footer = {
            "",
            "Example: trainyard when log.txt --cluster 24x8 --job \"8 gpus, 4 h, account a\"",
            "Example: trainyard when log.txt --cluster 24x8 --id 10342 --at 86400",
            "Example: trainyard when --live --cluster 24x8 --id 10342 --exec-prefix \"ssh head\"",
            "Example: trainyard when backtest log.txt --cluster 24x8"
        })
public final class WhenCommand extends Subcommand {
    /** The job whose start is forecast. */
    static final class Asked {
        @Option(
                names = "--job",
                required = true,
                paramLabel = "TEXT",
                description = "The job, such as \"8 gpus, 4 h, account a\": GPUs, time limit, and optionally "
                        + "account, user, qos, partition, group, type NAME, one server.")
        private @Nullable String job;

        @Option(
                names = "--id",
                required = true,
                paramLabel = "ID",
                description = "ID of a job of the log that waits at that time.")
        private @Nullable String id;
    }

    @ArgGroup(multiplicity = "1")
    private Asked asked = new Asked();

    @Option(
            names = "--at",
            paramLabel = "SECONDS",
            description =
                    "The time, in seconds after the first submission of the log or since 1970 (default: the end of the"
                            + " log, or its last submission where no job runs or waits then).")
    private @Nullable Double at;

    @Mixin
    private HistoryOptions history = new HistoryOptions();

    @Option(
            names = "--learn",
            paramLabel = "N",
            description = "Past jobs for the calibration; 0 for none (default: ${DEFAULT-VALUE}).")
    private int learn = 60;

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    protected void run() {
        InputException.within(0, 10_000, "--learn", learn);
        HistoryOptions.History past = history.read(at, err());
        if (at == null && !past.open()) {
            err().println("note: the log has no job that ran or waited at its end; now is its last submission");
        }
        TraceJob job = job(past);
        NearestScheduler found = history.scheduler(past, past.now().ended());
        LogAccount one = new LogAccount(List.of(job), List.of(), List.of());
        for (LeftOut never : one.startedBy(found.fresh().get()).never()) {
            throw InputException.at(
                    asked.job == null ? "--id" : "--job",
                    String.valueOf(asked.job == null ? asked.id : asked.job),
                    "a job that %s may start; it %s".formatted(found.name(), never.reason()));
        }
        StartForecaster forecaster = history.forecaster(past.topology(), found);
        StartForecast.Learned learned = learn == 0
                ? StartForecast.Learned.NONE
                : StartForecast.learn(forecaster, past.jobs(), past.servers(), past.now(), job, learn);
        StartForecast forecast =
                StartForecast.of(forecaster, found, past.topology(), past.now(), job, learned, history.futures());
        past.account()
                .print(
                        out(),
                        json.isGiven(),
                        () -> JsonText.pretty(forecast),
                        () -> forecast.answer(history.date(past.now().nowNanos())));
    }

    private TraceJob job(HistoryOptions.History past) {
        ClusterMoment moment = past.now();
        Topology topology = past.topology();
        String id = asked.id;
        if (id != null) {
            return moment.waiting().stream()
                    .filter(one -> one.id().equals(id))
                    .findFirst()
                    .orElseThrow(() -> InputException.at("--id", id, waiting(moment, id)));
        }
        TraceJob parsed = past.cluster()
                .partitioned()
                .apply(HostDemands.usual(
                        AskedJob.parse("--job", String.valueOf(asked.job), moment.nowNanos()), past.jobs()));
        FitReason fit = new FitReason(topology);
        String reason = fit.of(parsed.demand());
        if (reason != null) {
            throw InputException.at(
                    "--job", String.valueOf(asked.job), "a job that fits %s: such jobs %s".formatted(topology, reason));
        }
        return parsed.demanding(fit.named(parsed.demand()));
    }

    /** Expectation of a job that waits, for the message that the job of this id is none. */
    private String waiting(ClusterMoment moment, String id) {
        String known = moment.ended().stream().anyMatch(one -> one.id().equals(id))
                ? "; this job had ended by then"
                : moment.running().stream().anyMatch(one -> one.job().id().equals(id)) ? "; this job ran then" : "";
        List<String> ids = moment.waiting().stream().map(TraceJob::id).toList();
        return "a job that waits %s, of which there are %,d%s%s"
                .formatted(
                        history.at(moment.nowNanos()),
                        ids.size(),
                        ids.isEmpty() ? "" : ", such as " + Nearest.few(id, ids),
                        known);
    }

    /** Says how well starts are forecast. */
    @Command(
            name = "backtest",
            description = "Forecast the jobs of the last third of the log, and compare the errors with simpler "
                    + "estimates.",
            footer = {"", "Example: trainyard when backtest log.txt --cluster 24x8"})
    static final class BacktestCommand extends Subcommand {
        @Mixin
        private HistoryOptions history = new HistoryOptions();

        @Option(
                names = "--learn",
                paramLabel = "N",
                description = "Past jobs for the calibration of each forecast (default: ${DEFAULT-VALUE}).")
        private int learn = 60;

        @Mixin
        private JsonOption json = new JsonOption();

        @Override
        protected void run() {
            InputException.within(0, 10_000, "--learn", learn);
            HistoryOptions.History past = history.read(null, err());
            List<TraceJob> dated = history.isLive() ? past.now().ended() : past.jobs();
            NearestScheduler found = history.scheduler(
                    past,
                    dated.subList(0, 2 * dated.size() / 3).stream()
                            .filter(Set.copyOf(past.now().ended())::contains)
                            .toList());
            ForecastBacktest backtest = ForecastBacktest.of(
                    history.forecaster(past.topology(), found),
                    dated,
                    past.servers(),
                    past.topology().gpus(),
                    past.endNanos(),
                    Math.max(1, learn));
            past.account()
                    .print(
                            out(),
                            json.isGiven(),
                            () -> backtest.json(found.name()),
                            () -> backtest.answer(found.name()));
        }
    }
}
