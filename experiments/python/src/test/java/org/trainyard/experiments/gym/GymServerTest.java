package org.trainyard.experiments.gym;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.run.Experiment;

/** The server byte by byte, without Python. */
class GymServerTest {
    private static final Path CONFIGS = Path.of(System.getProperty("trainyard.root", ".."), "experiments/configs");
    private static final int HEADER = 16;
    private static final short MARK = 0x5954;

    @TempDir
    private Path folder;

    private final List<String> log = new ArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Experiment experiment = experiment();

    private static Experiment experiment() {
        return new Experiment(ConfigReader.read(
                CONFIGS.resolve("auction/small.yaml"),
                List.of("episodes.jobs=20", "episodes.validation=1", "episodes.test=1")));
    }

    @BeforeEach
    void remember() {
        open.add(experiment);
    }

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private GymServer running(GymServer server) {
        Thread thread = new Thread(() -> {
            try {
                server.serve();
            } catch (IOException e) {
                log.add(String.valueOf(e.getMessage()));
            }
        });
        thread.setDaemon(true);
        thread.start();
        open.add(server);
        return server;
    }

    private static GymServer.Limits limits(@Nullable String token) {
        return new GymServer.Limits(8, 60, token);
    }

    private GymServer atPath() {
        return running(GymServer.atPath(experiment, folder.resolve("gym.sock"), limits(null), log::add));
    }

    private Client client(GymServer server) throws IOException {
        String[] parts = server.address().split(":", 3);
        SocketAddress address = parts[0].equals("unix")
                ? UnixDomainSocketAddress.of(parts[1])
                : new InetSocketAddress(parts[1], Integer.parseInt(parts[2]));
        Client client = new Client(SocketChannel.open(address));
        open.add(client.channel);
        return client;
    }

    private record Answer(int type, long number, ByteBuffer payload) {
        String text() {
            return StandardCharsets.UTF_8.decode(payload.duplicate()).toString();
        }

        JsonNode json() throws IOException {
            return JsonMapper.builder().build().readTree(text());
        }
    }

    private record Client(SocketChannel channel) {
        Answer call(int type, ByteBuffer payload) throws IOException {
            announce(type, payload.remaining());
            channel.write(payload);
            return answer();
        }

        void announce(int bytes) throws IOException {
            announce(GymFrames.STEP, bytes);
        }

        private void announce(int type, int bytes) throws IOException {
            ByteBuffer header = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
            header.putInt(bytes).putShort((short) type).putShort(MARK).putLong(77);
            channel.write(header.flip());
        }

        Answer answer() throws IOException {
            ByteBuffer header = read(HEADER);
            int length = header.getInt();
            int type = header.getShort();
            assertThat(header.getShort()).isEqualTo(MARK);
            return new Answer(type, header.getLong(), read(length));
        }

        private ByteBuffer read(int bytes) throws IOException {
            ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
            while (buffer.hasRemaining()) {
                if (channel.read(buffer) < 0) {
                    throw new IOException("the server has closed the connection");
                }
            }
            return buffer.flip();
        }

        Answer hello(String json) throws IOException {
            return call(GymFrames.HELLO, ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8)));
        }

        Answer reset(int environment, int split, long episode) throws IOException {
            return call(
                    GymFrames.RESET,
                    ByteBuffer.allocate(20)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putInt(1)
                            .putInt(environment)
                            .putInt(split)
                            .putLong(episode)
                            .flip());
        }

        Answer step(int... actions) throws IOException {
            ByteBuffer payload =
                    ByteBuffer.allocate(Integer.BYTES * actions.length).order(ByteOrder.LITTLE_ENDIAN);
            for (int action : actions) {
                payload.putInt(action);
            }
            return call(GymFrames.STEP, payload.flip());
        }
    }

    @Test
    void an_answer_is_laid_out_as_the_welcome_says() throws IOException {
        Client client = client(atPath());
        JsonNode welcome = client.hello("{\"protocol\":1,\"environments\":2,\"graph\":true}")
                .json();
        client.reset(1, 0, 3);
        Answer answer = client.reset(0, 0, 4);

        assertThat(answer.type()).isEqualTo(GymFrames.ARRAYS);
        assertThat(answer.number()).isEqualTo(77);
        ByteBuffer payload = answer.payload();
        int[] sizes = {payload.getInt(0), payload.getInt(4), payload.getInt(8)};
        assertThat(sizes[0]).isEqualTo(1);
        int at = HEADER;
        for (JsonNode array : welcome.get("arrays")) {
            at = (at + 7) / 8 * 8;
            List<String> dimensions = List.of("batch", "bids", "pairs");
            int elements = sizes[dimensions.indexOf(array.get("shape").get(0).asText())];
            for (int i = 1; i < array.get("shape").size(); i++) {
                elements *= array.get("shape").get(i).asInt();
            }
            String type = array.get("dtype").asText();
            if (array.get("name").asText().equals("episodes")) {
                assertThat(payload.getLong(at)).isEqualTo(4);
            }
            at += elements * Integer.parseInt(type.replaceAll("\\D", "")) / 8;
        }
        assertThat(payload.remaining()).isEqualTo(at);
        assertThat(welcome.get("columns")).hasSize(BidColumn.COUNT);
    }

    @Test
    void a_mistake_is_answered_with_one_line_and_the_connection_goes_on() throws IOException {
        Client client = client(atPath());
        client.hello("{\"protocol\":1}");

        assertThat(client.step(1).text()).contains("\"kind\":\"input\"").contains("reset it first");
        assertThat(client.reset(5, 0, 0).text()).contains("'5' is not valid: expected 0 to 0");
        assertThat(client.reset(0, 3, 0).text()).contains("0 (train), 1 (validation) or 2 (test)");
        assertThat(client.reset(0, 2, 1).text()).contains("1 test episodes");
        assertThat(client.call(GymFrames.RESET, ByteBuffer.allocate(3)).text()).contains("\"kind\":\"input\"");
        assertThat(client.call(99, ByteBuffer.allocate(0)).text()).contains("'99' is not valid");
        assertThat(client.reset(0, 0, 0).type()).isEqualTo(GymFrames.ARRAYS);
        assertThat(client.step(1, 1).text()).contains("1 actions of 4 bytes");
        assertThat(client.step(-1).type()).isEqualTo(GymFrames.ARRAYS);
        assertThat(log).isEmpty();
    }

    @Test
    void an_offer_is_a_place_among_the_agents_own_bids_and_a_price() throws IOException {
        Client client = client(atPath());
        JsonNode welcome =
                client.hello("{\"protocol\":1,\"ground\":\"offers\"}").json();
        int agents = welcome.get("agents").asInt();
        assertThat(welcome.get("first_servers")).hasSize(agents);
        client.reset(0, 0, 0);

        int[] offers = new int[2 * agents];
        assertThat(client.step(new int[agents]).text()).contains("%d actions of 4 bytes".formatted(2 * agents));
        for (int agent = 0; agent < agents; agent++) {
            offers[2 * agent] = -1;
        }
        assertThat(client.step(offers).type()).isEqualTo(GymFrames.ARRAYS);
        for (int agent = 0; agent < agents; agent++) {
            offers[2 * agent] = 0;
            offers[2 * agent + 1] = Float.floatToIntBits(1 + agent);
        }
        assertThat(client.step(offers).type()).isEqualTo(GymFrames.ARRAYS);
        assertThat(log).isEmpty();
    }

    @Test
    void a_client_of_another_version_is_refused() throws IOException {
        Client client = client(atPath());

        Answer refused = client.hello("{\"protocol\":2}");

        assertThat(refused.type()).isEqualTo(GymFrames.ERROR);
        assertThat(refused.text()).contains("'2' is not valid: expected 1");
        assertThatThrownBy(client::answer).isInstanceOf(IOException.class);
    }

    @Test
    void hellos_with_mistakes_are_refused_with_the_reason() throws IOException {
        GymServer server = atPath();

        assertThat(client(server).hello("{").text()).contains("is not JSON");
        assertThat(client(server).hello("{\"protocol\":1,\"environments\":9}").text())
                .contains("1 to 8");
        assertThat(client(server).hello("{\"protocol\":1,\"enviroments\":2}").text())
                .contains("did you mean 'environments'");
        assertThat(client(server).hello("{\"protocol\":1,\"ground\":\"rows\"}").text())
                .contains("expected one of auction, offers");
        assertThat(client(server).hello("{\"protocol\":1,\"reserve\":\"low\"}").text())
                .contains("a finite number");
        assertThat(client(server).hello("{\"protocol\":1,\"auction\":3}").text())
                .contains("an object");
        assertThat(client(server)
                        .hello("{\"protocol\":1,\"auction\":{\"order\":\"Gitins\"}}")
                        .text())
                .contains("auction.order: 'Gitins' is not valid", "did you mean 'Gittins'");
        assertThat(client(server)
                        .hello("{\"protocol\":1,\"autoreset_step\":\"nxt\"}")
                        .text())
                .contains("autoreset_step: 'nxt' is not valid", "did you mean 'next'");
    }

    /** An array of one int of an environment, of an answer to a step. */
    private static int of(JsonNode welcome, String name, Answer answer) {
        int at = HEADER;
        for (JsonNode array : welcome.get("arrays")) {
            at = (at + 7) / 8 * 8;
            if (array.get("name").asText().equals(name)) {
                return answer.payload().getInt(at);
            }
            assertThat(array.get("shape").toString()).isEqualTo("[\"batch\"]");
            at += Integer.parseInt(array.get("dtype").asText().replaceAll("\\D", "")) / 8;
        }
        throw new AssertionError(name);
    }

    @Test
    void an_answer_has_the_jobs_that_have_ended_where_they_are_asked_for() throws IOException {
        GymServer server = atPath();
        assertThat(client(server).hello("{\"protocol\":1}").text())
                .contains("\"waiting\"", "\"running\"")
                .doesNotContain("\"ended");
        Client client = client(server);
        JsonNode welcome = client.hello("{\"protocol\":1,\"ended_jobs\":true}").json();
        assertThat(welcome.get("arrays").toString())
                .contains(
                        "{\"name\":\"ended_counts\",\"dtype\":\"int32\",\"shape\":[\"batch\"]}",
                        "{\"name\":\"ended_jct_seconds\",\"dtype\":\"float64\",\"shape\":[\"ended\"]}",
                        "{\"name\":\"ended_wait_seconds\",\"dtype\":\"float64\",\"shape\":[\"ended\"]}");
        for (int episode = 4; episode < 6; episode++) {
            Answer answer = client.reset(0, 0, episode);
            int ended = answer.payload().getInt(12);
            assertThat(of(welcome, "waiting", answer)).isPositive();
            int most = 0;
            while (answer.payload().getInt(4) > 0) {
                answer = client.step(1);
                assertThat(of(welcome, "ended_counts", answer))
                        .isEqualTo(answer.payload().getInt(12));
                ended += answer.payload().getInt(12);
                most = Math.max(most, of(welcome, "running", answer));
            }
            assertThat(ended).isEqualTo(20);
            assertThat(most).isPositive();
            assertThat(of(welcome, "running", answer)).isZero();
        }
    }

    @Test
    void the_next_episode_begins_in_the_same_step_the_next_or_by_a_reset() throws IOException {
        GymServer server = atPath();
        for (String mode : List.of(
                "\"autoreset\":true", "\"autoreset\":true,\"autoreset_step\":\"next\"", "\"autoreset\":false")) {
            Client client = client(server);
            JsonNode welcome =
                    client.hello("{\"protocol\":1,%s}".formatted(mode)).json();
            for (int end = 0; end < 2; end++) {
                Answer answer = end == 0 || mode.endsWith("false") ? client.reset(0, 0, 4) : client.step(1);
                while ((of(welcome, "flags", answer) & VectorEnvWorker.TERMINATED) == 0) {
                    answer = client.step(1);
                }
                assertThat(of(welcome, "bid_counts", answer) > 0).as(mode).isEqualTo(mode.endsWith("true"));
                if (mode.endsWith("false")) {
                    assertThat(client.step(1).text()).contains("reset it first");
                } else if (mode.endsWith("\"")) {
                    answer = client.step(-1);
                    assertThat(of(welcome, "flags", answer)).isZero();
                    assertThat(of(welcome, "bid_counts", answer)).isPositive();
                }
            }
        }
    }

    /**
     * Each text of a hello may name a file that is there, one that is not, or an address: all are refused alike, or not
     * looked at.
     */
    @Test
    void a_name_of_a_file_in_a_hello_is_a_text_like_others() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret.csv.gz"), "hunter2");
        GymServer server = atPath();
        for (String name :
                List.of("/etc/passwd", secret.toString(), secret.toUri().toString(), "auction/small.yaml")) {
            for (String field : List.of("ground", "order", "token", "environments", name)) {
                String hello = field.equals("order")
                        ? "{\"protocol\":1,\"auction\":{\"order\":\"%s\"}}".formatted(name)
                        : "{\"protocol\":1,\"%s\":\"%s\"}".formatted(field, name);
                String absent = hello.replace(name, name.substring(0, name.length() - 1) + "~");
                Answer answer = client(server).hello(hello);
                assertThat(answer.text()).as(hello).doesNotContain("hunter2", "root:x");
                assertThat(answer.type()).isEqualTo(client(server).hello(absent).type());
                assertThat(answer.type() == GymFrames.WELCOME).as(hello).isEqualTo(field.equals("token"));
            }
        }
    }

    @Test
    void strangers_and_oversized_frames_lose_their_connection_alone() throws IOException {
        GymServer server = atPath();
        Client stranger = client(server);
        stranger.channel().write(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8)));
        assertThatThrownBy(stranger::answer).isInstanceOf(IOException.class);
        Client huge = client(server);
        huge.hello("{\"protocol\":1}");
        huge.announce(1 << 30);
        assertThatThrownBy(huge::answer).isInstanceOf(IOException.class);

        assertThat(client(server).hello("{\"protocol\":1}").type()).isEqualTo(GymFrames.WELCOME);
    }

    @Test
    void a_port_of_other_machines_needs_a_token_and_every_client_sends_it() throws IOException {
        assertThatThrownBy(() -> GymServer.atPort(experiment, "0.0.0.0", 0, limits(null), log::add))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("--token-file");
        GymServer server = running(GymServer.atPort(experiment, "127.0.0.1", 0, limits("secret"), log::add));

        assertThat(client(server).hello("{\"protocol\":1}").text()).contains("token: is missing or wrong");
        assertThat(client(server).hello("{\"protocol\":1,\"token\":\"guess\"}").text())
                .contains("token: is missing or wrong");
        assertThat(client(server).hello("{\"protocol\":1,\"token\":\"secret\"}").type())
                .isEqualTo(GymFrames.WELCOME);
    }

    @Test
    void a_call_that_takes_longer_than_the_limit_ends_its_connection() throws IOException {
        GymServer server = running(GymServer.atPath(
                experiment, folder.resolve("gym.sock"), new GymServer.Limits(8, 1e-9, null), log::add));
        Client client = client(server);
        client.hello("{\"protocol\":1,\"environments\":8}");

        assertThatThrownBy(() -> {
                    for (long episode = 0; episode < 20_000; episode++) {
                        client.reset(0, 0, episode);
                    }
                })
                .isInstanceOf(IOException.class);
    }

    @Test
    void a_closed_server_leaves_no_file() throws IOException {
        GymServer server = atPath();
        client(server).hello("{\"protocol\":1}");
        assertThat(folder.resolve("gym.sock")).exists();
        assertThatThrownBy(() -> GymServer.atPath(experiment, folder.resolve("gym.sock"), limits(null), log::add))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("where no server listens");
        assertThat(client(server).hello("{\"protocol\":1}").type()).isEqualTo(GymFrames.WELCOME);

        server.close();

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void the_socket_of_a_killed_server_is_taken_over_and_a_file_is_not() throws IOException {
        try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            // Closed without the removal of its file, as by a kill.
            killed.bind(UnixDomainSocketAddress.of(folder.resolve("gym.sock")));
        }
        assertThat(folder.resolve("gym.sock")).exists();
        Path file = Files.writeString(folder.resolve("notes"), "mine");

        assertThat(client(atPath()).hello("{\"protocol\":1}").type()).isEqualTo(GymFrames.WELCOME);
        assertThatThrownBy(() -> GymServer.atPath(experiment, file, limits(null), log::add))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("where no file is");
        assertThat(file).hasContent("mine");
    }

    @Test
    void a_stranger_may_announce_no_more_than_a_hello() throws IOException {
        GymServer server = running(GymServer.atPort(experiment, "127.0.0.1", 0, limits("secret"), log::add));
        Client client = client(server);
        client.hello("{\"protocol\":1,\"token\":\"secret\"}");
        Client stranger = client(server);

        client.announce(GymFrames.MOST_STRANGER_BYTES + 1);
        stranger.announce(GymFrames.MOST_STRANGER_BYTES + 1);

        assertThatThrownBy(stranger::answer).isInstanceOf(IOException.class);
        // The client's frame is not refused: the server waits for its bytes.
        client.channel().write(ByteBuffer.allocate(GymFrames.MOST_STRANGER_BYTES + 1));
        assertThat(client.answer().text()).contains("\"kind\":\"input\"");
    }

    @Test
    void silent_strangers_do_not_keep_out_who_has_the_token() throws IOException {
        GymServer server = running(GymServer.atPort(experiment, "127.0.0.1", 0, limits("secret"), log::add));
        for (int i = 0; i < 130; i++) {
            client(server);
        }

        Client holder = client(server);
        assertThat(holder.hello("{\"protocol\":1,\"token\":\"secret\"}").type()).isEqualTo(GymFrames.WELCOME);
        for (int i = 0; i < 130; i++) {
            client(server);
        }
        assertThat(holder.reset(0, 0, 1).type()).isEqualTo(GymFrames.ARRAYS);
    }
}
