package org.trainyard.experiments.shadow;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.experiments.advice.NearestScheduler;
import org.trainyard.experiments.drive.LiveSnapshot;
import org.trainyard.experiments.drive.WaitMetrics;
import org.trainyard.experiments.forecast.AskedJob;
import org.trainyard.experiments.forecast.ClusterMoment;
import org.trainyard.experiments.forecast.Quantiles;
import org.trainyard.experiments.forecast.StartForecast;
import org.trainyard.experiments.forecast.StartForecaster;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.simulation.LogAccount;
import org.trainyard.experiments.simulation.LoggedServers;
import org.trainyard.experiments.slurm.SlurmCommands;

/**
 * Follows a real Slurm in a folder: {@code observations.log} is written ahead, all else is made anew from it, so that a
 * follower that was killed goes on where it stood.
 */
public final class ShadowFollower implements AutoCloseable {
    private static final int FUTURES = 30;

    private final Path folder;
    private final SlurmCommands commands;
    private final Clock clock;
    private final FollowedSlurm followed;
    private final Instant first;
    private final PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final WaitMetrics waits = new WaitMetrics(metrics, "trainyard.shadow");

    /**
     * Opens the folder.
     *
     * @param sinceDays jobs submitted before this many days ago that had ended then are not asked for
     */
    public ShadowFollower(Path folder, SlurmCommands commands, Clock clock, double sinceDays) {
        this.folder = folder;
        this.commands = commands;
        this.clock = clock;
        followed = new FollowedSlurm(folder.resolve("observations.log"), clock.getZone());
        first = now().minusSeconds(Math.round(86_400 * sinceDays));
    }

    /** Polls once and keeps nothing. */
    public static FollowedState once(SlurmCommands commands, Clock clock, double sinceDays) {
        try {
            Path folder = Files.createTempDirectory("trainyard");
            try (ShadowFollower follower = new ShadowFollower(folder, commands, clock, sinceDays)) {
                follower.poll();
                return follower.state();
            } finally {
                AtomicFiles.deleteTree(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }

    /** Polls once; returns the number of rows that are new or changed. */
    public int poll() {
        return followed.poll(commands, now(), first);
    }

    /** Polls so far, those before a restart too. */
    public int polls() {
        return followed.polls();
    }

    /** Compares the log followed so far. */
    public ShadowComparison compare(ShadowComparison.Terms terms) {
        FollowedState state = state();
        return ShadowComparison.of(terms, state.log(), state.openSeconds(), followed.remarks());
    }

    /** Writes the metrics of waiting, in the format of Prometheus; forecasts are of the scheduler beside. */
    public void measure(ShadowComparison.Terms terms) {
        LiveSnapshot seen = followed.seen();
        if (seen != null) {
            waits.count(seen.jobs().values());
        }
        waits.forecast(terms.topology().widestServer(), () -> forecast(terms));
        AtomicFiles.write(folder.resolve("metrics.prom"), metrics.scrape());
    }

    private IntFunction<@Nullable Quantiles> forecast(ShadowComparison.Terms terms) {
        FollowedState state = state();
        Topology topology = terms.topology();
        List<TraceJob> dated = LogAccount.of(
                        topology, state.log().jobs(), state.log().leftOut())
                .dated()
                .jobs();
        ClusterMoment moment = state.moment(
                dated, new LoggedServers(topology, dated, state.nodes().keySet()));
        NearestScheduler scheduler =
                NearestScheduler.named("--scheduler", terms.entry().name(), topology, terms.seed());
        StartForecaster forecaster = new StartForecaster(topology, scheduler, FUTURES, terms.seed());
        return gpus -> {
            StartForecast forecast = StartForecast.of(
                    forecaster,
                    scheduler,
                    topology,
                    moment,
                    AskedJob.parse("forecast", gpus + " gpus", moment.nowNanos()),
                    StartForecast.Learned.NONE,
                    FUTURES);
            return forecast.isGuess() ? null : forecast.corrected();
        };
    }

    /** The log followed so far, with the blocked jobs and the state of the nodes. */
    public FollowedState state() {
        FollowedSlurm.Closed closed = followed.closed();
        Path log = folder.resolve("followed.txt");
        AtomicFiles.write(log, closed.text());
        Trace trace = TraceReader.read(log, TraceReader.Options.DEFAULT.in(clock.getZone()));
        LiveSnapshot seen = followed.seen();
        return new FollowedState(
                trace, closed.openSeconds(), followed.blocked(), seen == null ? Map.of() : seen.nodes());
    }

    @Override
    public void close() {
        waits.close();
        followed.close();
    }
}
