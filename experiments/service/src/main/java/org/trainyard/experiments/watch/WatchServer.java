package org.trainyard.experiments.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.service.http.LoopbackNames;

/** Serves the page that replays a recorded run, to this machine only. The run that was asked for last is in memory. */
public final class WatchServer implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final int MOST_EVENTS = 2_000;
    private static final int OVERVIEW = 300;

    private final Recording recording;
    private final int port;
    private final LoopbackNames names;
    private final Javalin server;
    private int loaded = -1;
    private @Nullable ReplayAnswers answers;

    /**
     * Reads a recording.
     *
     * @param port 0 for any that is free
     * @param names by which requests may call it
     * @throws InputException when nothing was recorded in the folder
     */
    public WatchServer(Path folder, int port, LoopbackNames names) {
        this.names = names;
        recording = Recording.open(folder);
        this.port = port;
        server = Javalin.create(this::configure);
    }

    private void configure(JavalinConfig config) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.routes.before(this::requireName);
        config.routes.get("/", request -> request.html(resource("watch.html")));
        config.routes.get(
                "/watch.js",
                request -> request.contentType("text/javascript; charset=utf-8").result(resource("watch.js")));
        config.routes.get(
                "/watch.css",
                request -> request.contentType("text/css; charset=utf-8").result(resource("watch.css")));
        config.routes.get(
                "/api/recording",
                request -> answer(
                        request,
                        new Recorded(recording.name(), recording.cluster().tree(), recording.runs())));
        config.routes.get(
                "/api/state", request -> answer(request, ofRun(request, run -> run.state(number(request, "at")))));
        config.routes.get(
                "/api/window",
                request -> answer(
                        request,
                        ofRun(
                                request,
                                run -> run.window((int) number(request, "from"), (int)
                                        Math.min(MOST_EVENTS, Math.max(1, number(request, "count")))))));
        config.routes.get("/api/overview", request -> answer(request, ofRun(request, run -> run.overview(OVERVIEW))));
        config.routes.exception(
                InputException.class, (e, request) -> request.status(400).result(String.valueOf(e.getMessage())));
    }

    private void requireName(Context request) {
        String host = String.valueOf(request.host());
        if (!names.has(host)) {
            request.status(421)
                    .result("Host: '%s' is not valid: expected %s".formatted(host, names.expected()))
                    .skipRemainingHandlers();
        }
    }

    private static String resource(String name) {
        try (InputStream in = WatchServer.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource (%s) is missing from the build".formatted(name));
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read resource %s".formatted(name), e);
        }
    }

    private static void answer(Context request, Object body) {
        request.contentType("application/json").result(JsonText.compact(body));
    }

    private static double number(Context request, String parameter) {
        String text = request.queryParam(parameter);
        try {
            double number = Double.parseDouble(String.valueOf(text));
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw InputException.at(parameter, text, "a number");
        }
        throw InputException.at(parameter, text, "a finite number");
    }

    /** The recording: its name, its cluster and its episodes. */
    private record Recorded(String name, JsonNode cluster, List<RecordedEpisode> runs) {}

    private synchronized Object ofRun(Context request, Function<ReplayAnswers, Object> question) {
        int number = (int) number(request, "run");
        if (number < 0 || number >= recording.runs().size()) {
            throw InputException.at(
                    "run",
                    number,
                    "a number below %d".formatted(recording.runs().size()));
        }
        ReplayAnswers present = answers;
        if (present == null || loaded != number) {
            RecordedEpisode run = recording.runs().get(number);
            answers = null;
            present = new ReplayAnswers(recording.replay(run), recording.decisions(run), recording.gpusAsked(run));
            answers = present;
            loaded = number;
        }
        return question.apply(present);
    }

    /** Begins to listen; returns the address of the page. */
    public String start() {
        try {
            server.start(HOST, port);
        } catch (RuntimeException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw InputException.at("--port", port, "a port that is free (%s)".formatted(cause.getMessage()));
        }
        return "http://%s:%d/".formatted(HOST, server.port());
    }

    @Override
    public void close() {
        server.stop();
    }
}
