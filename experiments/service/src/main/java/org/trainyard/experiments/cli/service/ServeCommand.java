package org.trainyard.experiments.cli.service;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.service.http.LoopbackNames;
import org.trainyard.experiments.service.http.Patience;
import org.trainyard.experiments.service.http.PlacementServer;
import org.trainyard.experiments.service.http.ServerLifetime;
import org.trainyard.experiments.service.http.ServerSettings;
import org.trainyard.experiments.service.journal.StateFolder;
import org.trainyard.experiments.service.kubernetes.PodBinder;
import org.trainyard.experiments.service.kubernetes.PodFeed;
import org.trainyard.experiments.service.kubernetes.SchedulerExtender;
import org.trainyard.experiments.service.live.ServedClusters;
import org.trainyard.experiments.service.live.ServiceMetrics;
import org.trainyard.experiments.service.live.ServiceSettings;
import org.trainyard.experiments.service.live.WarmUp;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Serves placements for live clusters over HTTP. */
@Command(
        name = "serve",
        description = "Serve placements for live clusters over HTTP.",
        footer = {"", "Example: trainyard serve checkpoints/default --cluster small --port 8080"})
public final class ServeCommand extends Subcommand {
    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

    @Parameters(
            paramLabel = "EXPORT|CHECKPOINT|SCHEDULER",
            description = "Folder of an export, a checkpoint or a run, or the name of a scheduler; learned: the "
                    + "shipped policy for the rules of --physics.")
    private @Nullable String target;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "8080",
            description = "Port to listen on; 0 for a free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Address to listen on (default: ${DEFAULT-VALUE}); others need --token-file and "
                    + "--tls-keystore.")
    private String host = "";

    @Mixin
    private CommonOption clusters = CommonOption.cluster("Register a cluster at the start, under its name. Repeatable.")
            .repeated();

    @Option(
            names = "--fallback",
            paramLabel = "SCHEDULER",
            defaultValue = "sjf",
            description = "Heuristic that decides when the scheduler is late or fails (default: ${DEFAULT-VALUE}).")
    private String fallback = "";

    @Mixin
    private ServedOptions options = new ServedOptions(50);

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description = "Folder of write-ahead files, by which clusters survive a restart.")
    private @Nullable String state;

    @Option(
            names = "--salvage",
            description = "Keep the lines before a damaged one of a write-ahead file; the rest goes into a file "
                    + "beside it.")
    private boolean isSalvaging;

    @Option(names = "--token-file", paramLabel = "FILE", description = "File with the token that requests must bear.")
    private @Nullable String tokenFile;

    /** The certificate of the service. */
    static final class Certificate {
        @Option(
                names = "--tls-keystore",
                required = true,
                paramLabel = "FILE",
                description = "PKCS#12 file with the certificate for TLS.")
        private String keystore = "";

        @Option(
                names = "--tls-password-file",
                required = true,
                paramLabel = "FILE",
                description = "File with the password of the keystore.")
        private String passwordFile = "";
    }

    @ArgGroup(exclusive = false)
    private @Nullable Certificate certificate;

    @Option(
            names = "--host-name",
            paramLabel = "NAME",
            description = "Further name of the loopback address besides localhost, 127.0.0.1 and ::1. Repeatable.")
    private List<String> names = List.of();

    @Option(
            names = "--bind",
            description =
                    "Also answer the bindVerb of kube-scheduler, and let it try a held pod again as soon as it may"
                            + " start, by the usual client configuration.")
    private boolean isBinding;

    @Option(
            names = "--watch-pods",
            description =
                    "Tell the clusters of the jobs of labelled pods, and of nodes, by a watch of Kubernetes; no other"
                            + " events may be sent then.")
    private boolean isWatching;

    @Option(
            names = "--most-bytes",
            paramLabel = "BYTES",
            defaultValue = "8388608",
            description = "Refuse requests with a larger body (default: ${DEFAULT-VALUE}).")
    private long mostBytes;

    @Option(
            names = "--most-servers",
            paramLabel = "N",
            defaultValue = "5000",
            description = "Refuse clusters of more servers (default: ${DEFAULT-VALUE}).")
    private int mostServers;

    @Option(
            names = "--most-skew",
            paramLabel = "SECONDS",
            defaultValue = "600",
            description = "Refuse events this much further ahead than real time has passed; they come from a "
                    + "wrong clock (default: ${DEFAULT-VALUE}).")
    private long mostSkewSeconds;

    @Option(
            names = "--most-requests",
            paramLabel = "N",
            defaultValue = "2000",
            description = "Refuse more requests a second (default: ${DEFAULT-VALUE}).")
    private double mostRequests;

    @Override
    protected boolean hearsNetworks() {
        return true;
    }

    @Override
    protected void run() {
        InputException.within(0, 65_535, "--port", port);
        InputException.within(1_000, Integer.MAX_VALUE, "--most-bytes", mostBytes);
        InputException.within(1, 100_000, "--most-servers", mostServers);
        InputException.within(0, 4_000_000_000L, "--most-skew", mostSkewSeconds);
        InputException.within(1, 1_000_000, "--most-requests", mostRequests);
        ServerSettings server =
                new ServerSettings(host, port, token(), keystore(), mostBytes, mostRequests, names(), Patience.DEFAULT);
        ServiceSettings settings = settings();
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        ServiceMetrics metrics = new ServiceMetrics(registry);
        AtomicReference<@Nullable ServedClusters> served = new AtomicReference<>();
        Supplier<ServedClusters> made = () -> Objects.requireNonNull(served.get());
        KubernetesClient client = isBinding || isWatching ? PodBinder.client() : null;
        PodBinder binder = isBinding ? new PodBinder(Objects.requireNonNull(client)) : null;
        SchedulerExtender extender = new SchedulerExtender(made, binder);
        serve(
                new PlacementServer(server, made, metrics, registry, extender.endpoints()),
                () -> {
                    ServedClusters resumed = resumed(settings, metrics);
                    served.set(resumed);
                    if (binder != null) {
                        binder.requireRights();
                    }
                    if (client != null) {
                        PodFeed feed = isWatching ? new PodFeed(client, made, Clock.systemUTC()) : null;
                        everySecond(() -> {
                            if (feed != null) {
                                feed.look();
                            }
                            extender.retry();
                        });
                    }
                    Topology largest = resumed.largest();
                    WarmUp.of(settings, largest == null ? Topologies.medium() : largest, JsonText::compact);
                },
                settings);
    }

    /** Repeats work each second, also after a failure, which would end it silently. */
    private static void everySecond(Runnable what) {
        ScheduledFuture<?> unused = Executors.newSingleThreadScheduledExecutor(work -> {
                    Thread thread = new Thread(work, "retry");
                    thread.setDaemon(true);
                    return thread;
                })
                .scheduleWithFixedDelay(
                        () -> {
                            try {
                                what.run();
                            } catch (RuntimeException e) {
                                LOG.warn("pods are looked at again in a second: {}", e.toString());
                            }
                        },
                        1,
                        1,
                        TimeUnit.SECONDS);
    }

    /** The clusters of the state and of the command line. */
    private ServedClusters resumed(ServiceSettings settings, ServiceMetrics metrics) {
        ServedClusters served = new ServedClusters(
                settings, metrics, state == null ? null : new StateFolder(InputFiles.path(state), isSalvaging));
        try {
            served.remarks().forEach(err()::println);
            clusters.values().forEach(name -> served.registerNamed("--cluster", name));
            return served;
        } catch (RuntimeException e) {
            served.close();
            throw e;
        }
    }

    /** Listens at once, so that probes are answered, and serves when all clusters are there. */
    private void serve(PlacementServer server, Runnable resumption, ServiceSettings settings) {
        int bound = server.listen();
        try {
            resumption.run();
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
        server.open();
        ServerLifetime lifetime = new ServerLifetime(server::close);
        out().println("serving %s on %s://%s:%d; the fallback is %s"
                .formatted(
                        settings.served().name(),
                        certificate == null ? "http" : "https",
                        host,
                        bound,
                        settings.fallback().name()));
        out().flush();
        lifetime.await();
    }

    private ServiceSettings settings() {
        return options.settings(
                "serve",
                String.valueOf(target),
                !isWatching,
                new ServedOptions.SchedulerName("--fallback", fallback),
                given -> given,
                ServiceSettings.Limits.DEFAULT.with(mostServers, mostSkewSeconds * 1_000_000_000L),
                err());
    }

    private LoopbackNames names() {
        List<String> all = new ArrayList<>(names);
        all.add(host);
        return new LoopbackNames(all);
    }

    private @Nullable String token() {
        if (tokenFile == null) {
            return null;
        }
        String token = InputFiles.text(InputFiles.path(tokenFile)).strip();
        if (token.length() < 16 || token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw InputException.at(
                    "--token-file", tokenFile, "a file with one token of at least 16 printable ASCII characters");
        }
        return token;
    }

    private ServerSettings.@Nullable Keystore keystore() {
        if (certificate == null) {
            return null;
        }
        Path file = InputFiles.readable(InputFiles.path(certificate.keystore));
        return ServerSettings.Keystore.open(
                file, InputFiles.text(InputFiles.path(certificate.passwordFile)).strip());
    }
}
