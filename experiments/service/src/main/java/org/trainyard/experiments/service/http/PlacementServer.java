package org.trainyard.experiments.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.service.live.ClusterView;
import org.trainyard.experiments.service.live.EventReceipt;
import org.trainyard.experiments.service.live.PlacementAnswer;
import org.trainyard.experiments.service.live.Registration;
import org.trainyard.experiments.service.live.RequestException;
import org.trainyard.experiments.service.live.Requests;
import org.trainyard.experiments.service.live.ServedClusters;
import org.trainyard.experiments.service.live.ServiceMetrics;

/**
 * The HTTP server of the placement service: routes, access, limits, and one JSON error for every request that it
 * refuses.
 */
public final class PlacementServer implements AutoCloseable {
    /** Threads that read and write, and never wait. */
    private static final int THREADS = 8;

    private static final Map<String, Object> TOPOLOGY = Map.of(
            "type",
            "object",
            "description",
            "The keys of a file in experiments/clusters, in JSON or YAML of at most 1 MiB, of the types Tree,"
                    + " LeafSpine, FatTree and Graph; or the name of a preset alone: small, medium or large.");

    /** The most bytes of a request with nodes: 5,000 whole nodes of Kubernetes are 63 MiB. */
    private static final long MOST_OF_NODES = 96L << 20;

    private final ServerSettings settings;
    private final Supplier<ServedClusters> clusters;
    private final ServiceMetrics metrics;
    private final PrometheusMeterRegistry registry;
    private final RequestGate gate;
    private final FailureLog failures = new FailureLog();
    private final List<Endpoint> endpoints;
    private final String document;
    private final Javalin server;

    /**
     * @param clusters gives them from the time of {@link #open} on
     * @param more endpoints of other protocols
     */
    public PlacementServer(
            ServerSettings settings,
            Supplier<ServedClusters> clusters,
            ServiceMetrics metrics,
            PrometheusMeterRegistry registry,
            List<Endpoint> more) {
        this.settings = settings;
        this.clusters = clusters;
        this.metrics = metrics;
        this.registry = registry;
        gate = new RequestGate(
                settings,
                path -> path.startsWith("/k8s/") ? Math.max(MOST_OF_NODES, settings.mostBytes()) : settings.mostBytes(),
                this::refuse);
        endpoints = new ArrayList<>(own());
        endpoints.addAll(more);
        document = OpenApi.document(endpoints);
        server = Javalin.create(this::configure);
    }

    /** Begins to listen and to answer; returns the port. */
    public int start() {
        int port = listen();
        open();
        return port;
    }

    /** Answers all requests from now on. */
    public void open() {
        gate.open();
    }

    /** Begins to listen, and answers probes; returns the port. */
    public int listen() {
        try {
            server.start();
        } catch (RuntimeException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw InputException.at(
                    "--port",
                    settings.port(),
                    "a port of %s that is free (%s)".formatted(settings.host(), cause.getMessage()));
        }
        return server.port();
    }

    private void configure(JavalinConfig config) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.http.maxRequestSize = Integer.MAX_VALUE;
        config.http.prefer405over404 = true;
        config.http.defaultContentType = "application/json";
        QueuedThreadPool threads = new QueuedThreadPool(THREADS, 4, HttpConnector.IDLE_MILLIS);
        threads.setName("http");
        config.jetty.threadPool = threads;
        config.jetty.modifyServer(jetty -> {
            jetty.setStopTimeout(2_000);
            jetty.setErrorHandler(new JsonErrorHandler());
            jetty.setHandler(gate);
        });
        config.jetty.addConnector((jetty, http) -> HttpConnector.of(settings, jetty, http));
        endpoints.forEach(one -> config.routes.addHttpHandler(one.method(), one.path(), one.handler()));
        config.routes.exception(RequestException.class, this::refuse);
        config.routes.exception(HttpResponseException.class, (e, request) -> refuse(known(e, request), request));
        config.routes.exception(Exception.class, this::fail);
    }

    private List<Endpoint> own() {
        return List.of(
                Endpoint.get(
                        "/healthz",
                        "Whether the service runs.",
                        Map.class,
                        request -> Bodies.answer(request, Map.of("status", "ok"))),
                Endpoint.get(
                        "/readyz",
                        "Whether all clusters accept events and their schedulers decide; 503 when not, and while the"
                                + " service starts. Says which schedulers miss answers.",
                        Map.class,
                        this::ready),
                Endpoint.get(
                        "/metrics",
                        "Counters and times in the text format of Prometheus.",
                        String.class,
                        this::metrics),
                Endpoint.get(
                        "/openapi.json",
                        "This document.",
                        Map.class,
                        request -> request.contentType("application/json").result(document)),
                Endpoint.get(
                        "/v1/clusters",
                        "All clusters.",
                        Registration[].class,
                        request -> Bodies.answer(request, clusters.get().registrations())),
                Endpoint.get(
                        "/v1/clusters/{id}",
                        "The state of a cluster.",
                        ClusterView.class,
                        request -> Bodies.answer(
                                request,
                                clusters.get()
                                        .cluster("cluster", request.pathParam("id"))
                                        .view())),
                Endpoint.post(
                        "/v1/clusters/{id}",
                        "Registers a cluster: a topology as in experiments/clusters, YAML or JSON.",
                        TOPOLOGY,
                        Registration.class,
                        this::register),
                Endpoint.delete(
                        "/v1/clusters/{id}",
                        "Forgets a cluster with all its events, on the disk too.",
                        Registration.class,
                        this::delete),
                Endpoint.post(
                        "/v1/clusters/{id}/events",
                        "Feeds events; those before a refused one stay accepted.",
                        OpenApi.listOf(Requests.Events.class, "events", Requests.Event.class),
                        EventReceipt.class,
                        this::feed),
                Endpoint.post(
                        "/v1/clusters/{id}/when",
                        "When a job that is submitted now would start, as a distribution.",
                        OpenApi.request(Requests.When.class),
                        Map.class,
                        request -> Bodies.answer(
                                request,
                                clusters.get()
                                        .cluster("cluster", request.pathParam("id"))
                                        .when(Bodies.json(request)))),
                Endpoint.post(
                        "/v1/placements",
                        "What to do on a cluster now.",
                        OpenApi.request(Requests.Placement.class),
                        PlacementAnswer.class,
                        this::place));
    }

    private void ready(Context request) {
        if (!gate.isOpen()) {
            request.status(RequestException.UNAVAILABLE);
            Bodies.answer(request, Map.of("status", "starting"));
            return;
        }
        boolean isReady = clusters.get().isReady();
        request.status(isReady ? 200 : RequestException.UNAVAILABLE);
        String status = isReady ? "ready" : "a cluster takes no events or its scheduler is lost";
        List<String> degraded = clusters.get().degraded();
        if (isReady && !degraded.isEmpty()) {
            status = "degraded: the scheduler has missed the last answers on " + String.join(", ", degraded);
        }
        Bodies.answer(request, Map.of("status", status));
    }

    private void metrics(Context request) {
        request.contentType("text/plain; version=0.0.4; charset=utf-8").result(registry.scrape());
    }

    private void register(Context request) {
        String id = request.pathParam("id");
        boolean isNew = clusters.get().register(id, Bodies.description(request));
        request.status(isNew ? 201 : 200);
        Bodies.answer(request, clusters.get().registration(id));
    }

    private void delete(Context request) {
        Registration last = clusters.get().registration(request.pathParam("id"));
        clusters.get().delete(last.cluster());
        Bodies.answer(request, last);
    }

    private void feed(Context request) {
        JsonNode body = Bodies.json(request);
        Bodies.answer(
                request,
                clusters.get().cluster("cluster", request.pathParam("id")).events(body));
    }

    private void place(Context request) {
        Requests.Placement asked = Requests.bind(Bodies.json(request), "", Requests.Placement.class);
        Bodies.answer(
                request, clusters.get().cluster("cluster", asked.cluster()).place(asked.nowNanos()));
    }

    private static RequestException known(HttpResponseException e, Context request) {
        return switch (e.getStatus()) {
            case 404 -> new RequestException(404, "path", request.path(), "a path of /openapi.json");
            case 405 ->
                new RequestException(
                        405, "method", request.method(), "a method of /openapi.json for " + request.path());
            case 413 -> new RequestException(413, "body", "too many bytes", "fewer bytes");
            default ->
                new RequestException(
                        e.getStatus(), "request", String.valueOf(e.getMessage()), "a request of /openapi.json");
        };
    }

    private void refuse(Response response, RequestException e) {
        metrics.refused(e.status());
        response.setStatus(e.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    }

    private void refuse(RequestException e, Context request) {
        if (e.status() == RequestException.UNAVAILABLE) {
            failures.note("%s %s".formatted(request.method(), request.path()), e);
        }
        metrics.refused(e.status());
        request.status(e.status());
        Bodies.answer(request, ErrorAnswer.of(e));
    }

    /** A fault of ours; requests cannot cause it. */
    private void fail(Exception e, Context request) {
        failures.note("%s %s".formatted(request.method(), request.path()), e);
        metrics.refused(500);
        request.status(500);
        Bodies.answer(
                request,
                ErrorAnswer.of(new RequestException(500, "service", "a failure", "no failure; its log has the cause")));
    }

    @Override
    public void close() {
        server.stop();
        gate.close();
        if (gate.isOpen()) {
            clusters.get().close();
        }
    }

    /** Answers requests that are no HTTP, which never reach a route, in JSON like all others. */
    private static final class JsonErrorHandler extends ErrorHandler {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            Map<String, String> fault = Map.of(
                    "place",
                    "request",
                    "value",
                    "HTTP status " + response.getStatus(),
                    "expected",
                    "a complete request of HTTP/1.1");
            String body = JsonText.compact(Map.of("error", fault));
            response.getHeaders().put(new HttpField(HttpHeader.CONTENT_TYPE, "application/json"));
            Content.Sink.write(response, true, body, callback);
            return true;
        }
    }
}
