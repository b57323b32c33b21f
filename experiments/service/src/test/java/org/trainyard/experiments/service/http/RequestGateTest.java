package org.trainyard.experiments.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies that are always there and do not end, whatever is read of them. */
@Timeout(120)
class RequestGateTest {
    private static final long MOST_BYTES = 300_000;
    private static final int TURN = 64;

    private final QueuedThreadPool threads = new QueuedThreadPool(8, 2);
    private final Server server = new Server(threads);
    private final LocalConnector connector = new LocalConnector(server);
    private final RequestGate gate = new RequestGate(
            new ServerSettings("127.0.0.1", 0, "a-token", null, MOST_BYTES, 1e6),
            path -> MOST_BYTES,
            (response, refusal) -> response.setStatus(refusal.status()));
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger longestFirstTurn = new AtomicInteger();
    private int chunk = 1;

    /** A request whose next chunk is always there. */
    private final class Endless extends Request.Wrapper {
        private final Thread first = Thread.currentThread();
        private int chunksOfFirstTurn;
        private boolean isFirstTurn = true;

        Endless(Request request) {
            super(request);
        }

        @Override
        public Content.Chunk read() {
            if (isFirstTurn && Thread.currentThread() == first) {
                chunksOfFirstTurn++;
            }
            bytes.addAndGet(chunk);
            return Content.Chunk.from(ByteBuffer.allocate(chunk), false);
        }
    }

    @BeforeEach
    void start() throws Exception {
        threads.setDaemon(true);
        gate.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                callback.succeeded();
                return true;
            }
        });
        server.addConnector(connector);
        server.setHandler(new Handler.Wrapper(gate) {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                if (!request.getHttpURI().getPath().equals("/endless")) {
                    return super.handle(request, response, callback);
                }
                Endless endless = new Endless(request);
                boolean isHandled = super.handle(endless, response, callback);
                endless.isFirstTurn = false;
                longestFirstTurn.accumulateAndGet(endless.chunksOfFirstTurn, Math::max);
                return isHandled;
            }
        });
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
        gate.close();
    }

    private String answer(String path, String token) throws Exception {
        return connector.getResponse(
                "POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: 0\r\n\r\n"
                        .formatted(path, token),
                30,
                TimeUnit.SECONDS);
    }

    /** At most, of bytes: what is allowed, what is read of a refused body, and a chunk. */
    @ParameterizedTest
    @CsvSource({
        "a-token, 1, 400, 1025",
        "a-token, 63, 400, 64575",
        "a-token, 64, 413, 365664",
        "a-token, 8192, 413, 381920",
        "another, 1, 401, 1025",
        "another, 64, 401, 65600",
        "another, 8192, 401, 73728",
    })
    void a_body_without_end_is_given_up(String token, int bytesOfChunk, int status, long most) throws Exception {
        chunk = bytesOfChunk;
        gate.open();

        assertThat(answer("/endless", token))
                .startsWith("HTTP/1.1 %d".formatted(status))
                .contains("Connection: close");

        assertThat(bytes.get()).isBetween(most - 2L * chunk, most);
        assertThat(longestFirstTurn.get()).isLessThanOrEqualTo(TURN);
    }

    @Test
    void a_body_without_end_is_given_up_before_the_gate_is_open() throws Exception {
        chunk = 4_096;
        assertThat(answer("/endless", "a-token")).startsWith("HTTP/1.1 503");
        assertThat(bytes.get()).isLessThanOrEqualTo((64 << 10) + chunk);
    }

    @Test
    void more_bodies_without_end_than_threads_leave_probes_and_questions_their_answers() throws Exception {
        gate.open();
        for (String token : List.of("a-token", "another")) {
            for (int bytesOfChunk : List.of(1, 8_192)) {
                chunk = bytesOfChunk;
                for (int i = 0; i < 20; i++) {
                    connector
                            .connect()
                            .addInput("POST /endless HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n"
                                    .formatted(token));
                }
                assertThat(answer("/healthz", "")).startsWith("HTTP/1.1 200");
                assertThat(answer("/question", "a-token")).startsWith("HTTP/1.1 200");
            }
        }
        assertThat(longestFirstTurn.get()).isLessThanOrEqualTo(TURN);
    }
}
