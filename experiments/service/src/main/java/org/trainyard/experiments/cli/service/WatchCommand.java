package org.trainyard.experiments.cli.service;

import java.util.List;
import org.trainyard.env.InputException;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.service.http.LoopbackNames;
import org.trainyard.experiments.service.http.ServerLifetime;
import org.trainyard.experiments.watch.WatchServer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Serves a page that replays a recorded run. */
@Command(
        name = "watch",
        description = "Replay a run with --record in a browser.",
        footer = {
            "",
            "Example: trainyard simulate --trace generated --cluster small --scheduler srtf --out runs/mine --record",
            "Example: trainyard watch runs/mine --port 8081"
        })
public final class WatchCommand extends Subcommand {
    private static final int MOST = 65_535;

    @Parameters(paramLabel = "RUN", description = "The --out folder of the run.")
    private String run = "";

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "Port of the page; 0 for a free one (default: ${DEFAULT-VALUE}).")
    private int port = 8081;

    @Option(
            names = "--host-name",
            paramLabel = "NAME",
            description = "Further name of the page besides localhost, 127.0.0.1 and ::1. Repeatable.")
    private List<String> names = List.of();

    @Override
    protected void run() {
        InputException.within(0, MOST, "--port", port);
        WatchServer server = new WatchServer(InputFiles.path(run), port, new LoopbackNames(names));
        String address = server.start();
        ServerLifetime lifetime = new ServerLifetime(server::close);
        out().println("watching %s on %s (Ctrl-C ends)".formatted(run, address));
        out().flush();
        lifetime.await();
    }
}
