package org.trainyard.experiments.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.report.Chromium;
import org.trainyard.experiments.service.http.LoopbackNames;

/** {@code simulate --record} and the server of {@code watch}, with its page in Chromium where this machine has it. */
class WatchServerTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String MARKUP = "<img src=x onerror=\"document.body.setAttribute('data-injected',1)\"><svg"
            + " onload=\"document.title='x'\"></script><script>document.title='x'</script>\"'>";

    @TempDir
    static Path folder;

    private static WatchServer server;
    private static String address = "";

    @BeforeAll
    static void record() {
        Shell shell = Shell.command(
                "simulate --trace generated --jobs 200 --cluster 2x2x4 --scheduler fifo,srtf --out %s " + "--record",
                folder.resolve("run"));
        assertThat(shell.code()).as(shell.err()).isZero();
        server = new WatchServer(folder.resolve("run"), 0, new LoopbackNames(List.of("watch.lab")));
        address = server.start();
    }

    @AfterAll
    static void close() {
        server.close();
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(address + path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void a_recording_has_all_events_and_a_reason_for_every_start() throws Exception {
        JsonNode runs = JSON.readTree(get("api/recording").body()).path("runs");
        assertThat(runs).hasSize(2);
        assertThat(runs.get(1).path("scheduler").asText()).isEqualTo("srtf");

        int starts = 0;
        int reasons = 0;
        int from = 0;
        JsonNode window = JSON.readTree(get("api/window?run=1&count=300&from=0").body());
        while (window.path("events").size() > 0) {
            for (JsonNode event : window.path("events")) {
                starts += event.get(1).asText().equals("START") ? 1 : 0;
            }
            for (JsonNode decision : window.path("decisions")) {
                boolean isStart = decision.path("decision").asText().equals("START");
                reasons += isStart && !decision.path("reason").asText().isEmpty() ? 1 : 0;
                assertThat(decision.path("candidates").size()).isBetween(1, 6);
            }
            from += window.path("events").size();
            window =
                    JSON.readTree(get("api/window?run=1&count=300&from=" + from).body());
        }
        assertThat(from).isEqualTo(runs.get(1).path("events").asInt());
        assertThat(starts).isGreaterThanOrEqualTo(200);
        assertThat(reasons).isEqualTo(starts);
        assertThat(JSON.readTree(get("api/state?run=1&at=1e12").body())
                        .path("waiting_count")
                        .asInt())
                .isZero();
    }

    @Test
    void a_page_that_names_no_time_opens_where_the_most_jobs_wait() throws Exception {
        JsonNode overview = JSON.readTree(get("api/overview?run=1").body());
        int longest = 0;
        for (JsonNode one : overview.path("queue")) {
            longest = Math.max(longest, one.asInt());
        }

        JsonNode opened = JSON.readTree(
                get("api/state?run=1&at=" + overview.path("busiest").asDouble()).body());

        assertThat(longest).isPositive();
        assertThat(opened.path("waiting_count").asInt()).isEqualTo(longest);
        assertThat(get("watch.js").body()).contains("at === null ? overview.busiest : at");
    }

    @Test
    void a_recording_says_why_the_first_jobs_of_the_queue_wait() throws Exception {
        String window = get("api/window?run=1&count=300&from=0").body();

        assertThat(window)
                .contains("\"decision\":\"WAIT\"", "\"reason\":\"Resources: it asks for ", "come before it by");
    }

    @Test
    void bad_questions_get_one_line() throws Exception {
        for (String path : List.of("api/state?run=7&at=0", "api/state?run=0&at=x", "api/window?run=0", "api/state")) {
            HttpResponse<String> answer = get(path);
            assertThat(answer.statusCode()).as(path).isEqualTo(400);
            assertThat(answer.body()).contains("expected").hasLineCount(1);
        }
    }

    /** The answer to a request whose first line and Host are sent as they are. */
    private static String raw(String line, String host) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), URI.create(address).getPort())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write("%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
                            .formatted(line, host)
                            .getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void a_page_of_a_foreign_name_is_not_answered() throws IOException {
        for (String path : List.of("/", "/api/recording", "/api/state?run=0&at=0", "/watch.js", "/nothing")) {
            assertThat(raw("GET " + path, "evil.example")).as(path).startsWith("HTTP/1.1 421");
        }
        for (String host : List.of("localhost:1", "127.0.0.1", "[::1]:8081", "watch.lab")) {
            assertThat(raw("GET /api/recording", host)).as(host).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void no_path_leads_out_of_the_resources_and_no_escape_is_a_fault_of_the_server() throws IOException {
        for (String path : List.of(
                "/../../../../../../etc/passwd",
                "/..%2f..%2f..%2fetc/passwd",
                "/%2e%2e/%2e%2e/etc/passwd",
                "/watch.js/../../../summary.json",
                "//etc/passwd",
                "/..\\..\\etc\\passwd",
                "/api/../../events.jsonl.gz",
                "/file:///etc/passwd",
                "/%u0041",
                "/%",
                "/api/state?run=%zz&at=0",
                "/api/state?run=0&at=%",
                "/api/window?run=/etc/passwd&from=0&count=1",
                "/api/window?run=0&from=-1e99&count=1e99&at=file:///etc/passwd",
                "/api/overview?run=0&run=1%00")) {
            String answer = raw("GET " + path, "localhost");
            assertThat(answer).as(path).doesNotContain("root:x", "HTTP/1.1 5", "Exception", "\tat ");
            assertThat(answer).as(path).matches("(?s)HTTP/1.1 [24].*");
        }
    }

    @Test
    void a_run_without_a_recording_is_told_how_to_make_one() {
        String plain = folder.resolve("plain").toString();
        Shell.run("simulate --trace generated --jobs 5 --cluster 1x8 --scheduler fifo --out %s"
                .formatted(plain)
                .split(" ", -1));
        Shell shell = Shell.command("watch %s", plain);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("--record").hasLineCount(1);
        assertThat(Shell.command("watch %s", folder).code()).isEqualTo(2);
    }

    @Test
    void recording_needs_a_folder_and_changes_no_event() throws IOException {
        Shell nowhere =
                Shell.run("simulate --trace generated --jobs 5 --cluster 1x8 --scheduler fifo --record".split(" ", -1));
        assertThat(nowhere.code()).isEqualTo(2);
        assertThat(nowhere.err()).contains("--record", "--out");

        Path plain = folder.resolve("same");
        Shell.run("simulate --trace generated --jobs 200 --cluster 2x2x4 --scheduler fifo,srtf --out %s"
                .formatted(plain)
                .split(" ", -1));
        assertThat(plain.resolve("summary.json"))
                .hasSameTextualContentAs(folder.resolve("run").resolve("summary.json"));
        assertThat(plain.resolve("series.csv"))
                .hasSameTextualContentAs(folder.resolve("run").resolve("series.csv"));
    }

    @Test
    void the_page_draws_the_cluster_and_names_candidates_in_chromium() throws Exception {
        String page = Chromium.dump(folder, address + "?run=1&at=200000");

        assertThat(page).contains("data-ready=\"yes\"");
        assertThat(page).contains("2x2x4</h1>", "<tr class=\"winner\">", " waits</strong>", "Resources: it asks for ");
        assertThat(page).contains("<p id=\"error\" role=\"alert\"></p>");
    }

    /** Every text of a recording, as if users named their jobs so. */
    private static Path withMarkup(Path recorded, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(recorded)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = String.valueOf(file.getFileName());
                byte[] bytes = Files.readAllBytes(file);
                if (name.endsWith(".gz")) {
                    ByteArrayOutputStream changed = new ByteArrayOutputStream();
                    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes));
                            GZIPOutputStream out = new GZIPOutputStream(changed)) {
                        out.write(marked(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                                .getBytes(StandardCharsets.UTF_8));
                    }
                    bytes = changed.toByteArray();
                } else if (name.endsWith(".json")) {
                    bytes = marked(new String(bytes, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
                }
                Files.write(to.resolve(file.getFileName()), bytes);
            }
        }
        return to;
    }

    private static String marked(String json) {
        String markup = JSON.valueToTree(MARKUP).toString();
        return json.replaceAll(
                "(\"(?:job|name|reason|scheduler|user)\": ?)\"(?!" + MARKUP.charAt(0) + ")([^\"]*)\"",
                "$1" + Matcher.quoteReplacement(markup.substring(0, markup.length() - 1)) + "$2\"");
    }

    @Test
    void names_with_markup_are_texts_in_chromium() throws Exception {
        Path marked = withMarkup(folder.resolve("run"), folder.resolve("<b>marked"));
        try (WatchServer hostile = new WatchServer(marked, 0, new LoopbackNames(List.of()))) {
            String page = Chromium.dump(folder, hostile.start() + "?run=1&at=200000");

            assertThat(page).contains("data-ready=\"yes\"", "<p id=\"error\" role=\"alert\"></p>");
            assertThat(page).contains("&lt;img src=x").contains("&lt;b&gt;marked on");
            assertThat(page).contains("<title>Trainyard: watch</title>");
            assertThat(page).doesNotContain("<img", "<svg", "<b>marked", "data-injected=");
        }
    }

    @Test
    void the_page_plays_to_the_end_in_chromium() throws Exception {
        double end = JSON.readTree(get("api/overview?run=1").body()).path("end").asDouble();
        String page = Chromium.dump(folder, address + "?run=1&play=1&speed=604800&at=" + (end - 60_000));

        assertThat(page).contains("data-ready=\"yes\"", "<p id=\"error\" role=\"alert\"></p>", "the end");
        assertThat(page).contains("(nobody waits)");
    }
}
