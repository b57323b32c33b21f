package org.trainyard.experiments.cli.gym;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.gym.GymServer;
import org.trainyard.experiments.gym.ParentProcess;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.run.Experiment;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Serves the environments of an experiment to other programs, such as the Python package. */
@Command(
        name = "gym",
        hidden = true,
        description = {
            "Serve the environments of an experiment over a socket.",
            "experiments/docs/reference/gym-protocol.md has the protocol; the Python package starts this command."
        },
        footer = {"", "Example: trainyard gym experiments/configs/auction/small.yaml --socket /tmp/trainyard.sock"})
public final class GymCommand extends Subcommand {
    private static final String LOOPBACK = "127.0.0.1";

    @Parameters(paramLabel = "CONFIG", description = "Experiment, a YAML file.")
    private String config = "";

    /** Where clients reach the server. */
    static final class Address {
        @Option(
                names = "--socket",
                paramLabel = "PATH",
                description = "Unix-domain socket to listen on (default: a new one in the temporary folder).")
        private @Nullable String socket;

        @Option(
                names = "--port",
                paramLabel = "N",
                description = "Listen on a TCP port instead; 0 takes a free one and prints it.")
        private @Nullable Integer port;
    }

    @ArgGroup
    private Address address = new Address();

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description = "Address for --port (default: ${DEFAULT-VALUE}); others need --token-file.")
    private String host = LOOPBACK;

    @Option(names = "--token-file", paramLabel = "FILE", description = "File with a token that clients must send.")
    private @Nullable String tokenFile;

    @Option(
            names = "--envs",
            paramLabel = "N",
            description = "Limit the environments of a connection (default: ${DEFAULT-VALUE}).")
    private int environments = 1024;

    @Option(
            names = "--time-limit",
            paramLabel = "SECONDS",
            description = "End a connection if one of its calls takes longer (default: ${DEFAULT-VALUE}).")
    private double callSeconds = 600;

    @Option(names = "--attached", description = "End when the parent process ends or closes the standard input.")
    private boolean attached;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Override a value of the config, such as cluster=medium; the value is YAML. Repeatable.")
    private List<String> overrides = List.of();

    @Override
    protected boolean hearsNetworks() {
        return true;
    }

    @Override
    protected void run() {
        InputException.within(1, Integer.MAX_VALUE, "--envs", environments);
        if (!(callSeconds > 0)) {
            throw InputException.at("--time-limit", callSeconds, "a number above 0");
        }
        ExperimentConfig settings = ConfigReader.read(InputFiles.path(config), overrides);
        try (Experiment experiment = new Experiment(settings)) {
            experiment.requirePlaceableJobs();
            try (GymServer server = open(experiment)) {
                serve(server);
            }
        }
    }

    private void serve(GymServer server) {
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "shutdown"));
        out().println(JsonText.compact(JsonNodeFactory.instance.objectNode().put("listening", server.address())));
        out().flush();
        if (attached) {
            ParentProcess.watch(System.in, server::close);
        }
        try {
            server.serve();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private GymServer open(Experiment experiment) {
        GymServer.Limits limits = new GymServer.Limits(environments, callSeconds, token());
        String socket = address.socket;
        Integer port = address.port;
        if (port != null) {
            InputException.within(0, 65_535, "--port", port);
            return GymServer.atPort(experiment, host, port, limits, this::log);
        }
        return GymServer.atPath(experiment, socket == null ? temporary() : InputFiles.path(socket), limits, this::log);
    }

    private void log(String line) {
        err().println("trainyard gym: " + line);
        err().flush();
    }

    private static Path temporary() {
        try {
            Path folder = Files.createTempDirectory("trainyard");
            folder.toFile().deleteOnExit();
            return folder.resolve("gym.sock");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private @Nullable String token() {
        if (tokenFile == null) {
            return null;
        }
        String token = InputFiles.text(InputFiles.path(tokenFile)).strip();
        if (token.isEmpty()) {
            throw InputException.at("--token-file", tokenFile, "a file that is not empty");
        }
        return token;
    }
}
