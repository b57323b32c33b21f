package org.trainyard.experiments.gym;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.training.CodeVersion;

/** One connection, from the handshake to its end. Every request has one answer, in order. */
final class GymSession {
    private static final long IDLE = 0;

    private final SocketChannel channel;
    private final GymFrames frames;
    private final GymServer.Limits limits;
    private final Experiment experiment;
    private final GymEpisodes episodes;
    /** When the present call began, nanoseconds of the system's clock; {@link #IDLE} between calls. */
    private volatile long callBegan = System.nanoTime();

    private volatile boolean isWelcome;
    private volatile boolean isTrusted;
    private final long opened = System.nanoTime();

    GymSession(SocketChannel channel, GymServer.Limits limits, Experiment experiment, GymEpisodes episodes) {
        this.channel = channel;
        this.limits = limits;
        this.experiment = experiment;
        this.episodes = episodes;
        frames = new GymFrames(channel);
    }

    /**
     * Answers until the client leaves; returns a line that says why the session ended, or null when the client left.
     */
    @Nullable String run() {
        try (channel) {
            GymBatch batch = greet();
            while (batch != null) {
                callBegan = IDLE;
                ByteBuffer request = frames.read();
                if (request == null) {
                    return null;
                }
                callBegan = Math.max(1, System.nanoTime());
                serve(batch, request);
            }
            return null;
        } catch (IOException e) {
            return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        } catch (RuntimeException | Error e) {
            return "%s: %s".formatted(e.getClass().getSimpleName(), e.getMessage());
        }
    }

    /** Whether the present call, or the wait for the first frame, has taken longer than it may. */
    boolean isLate() {
        long began = callBegan;
        double limit = isWelcome ? limits.callSeconds() : GymServer.Limits.HELLO_SECONDS;
        return began != IDLE && (System.nanoTime() - began) / 1e9 > limit;
    }

    /** Whether it has sent a hello, with the token where one is asked for. */
    boolean isTrusted() {
        return isTrusted;
    }

    /** Nanoseconds since it was opened. */
    long age() {
        return System.nanoTime() - opened;
    }

    /** Ends the connection from another thread. */
    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // It is closed, which is what was asked for.
        }
    }

    /** The handshake; null when the client was refused. */
    private @Nullable GymBatch greet() throws IOException {
        ByteBuffer first = frames.read();
        if (first == null) {
            return null;
        }
        isWelcome = true;
        callBegan = Math.max(1, System.nanoTime());
        try {
            if (frames.type() != GymFrames.HELLO) {
                throw InputException.at("handshake, type", frames.type(), "%d, a hello".formatted(GymFrames.HELLO));
            }
            GymHandshake hello = GymHandshake.read(text(first), limits.environments());
            requireToken(hello.token());
            frames.trust();
            isTrusted = true;
            return welcome(new AuctionEnvironment(experiment, hello), hello);
        } catch (InputException refused) {
            refuse("input", refused);
            return null;
        } catch (RuntimeException | Error failed) {
            refuse("internal", failed);
            throw failed;
        }
    }

    private void requireToken(@Nullable String token) {
        String expected = limits.token();
        if (expected != null
                && !MessageDigest.isEqual(
                        expected.getBytes(StandardCharsets.UTF_8),
                        String.valueOf(token).getBytes(StandardCharsets.UTF_8))) {
            throw new InputException("hello, token: is missing or wrong: expected that of the server");
        }
    }

    private GymBatch welcome(AuctionEnvironment environment, GymHandshake hello) throws IOException {
        GymBatch batch = new GymBatch(environment, hello, episodes, experiment.workers());
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("protocol", GymHandshake.PROTOCOL)
                .put("version", CodeVersion.version())
                .put("ground", hello.ground())
                .put("config", experiment.config().name())
                .put("cluster", experiment.topology().name())
                .put("environments", hello.environments())
                .put("agents", environment.agents());
        node.putObject("episodes")
                .put("jobs", experiment.config().episodes().jobs())
                .put("validation", episodes.count(GymEpisodes.Split.VALIDATION))
                .put("test", episodes.count(GymEpisodes.Split.TEST));
        node.set("arrays", batch.describe());
        environment.describe(node);
        frames.answer(GymFrames.WELCOME, JsonText.compact(node));
        return batch;
    }

    private void serve(GymBatch batch, ByteBuffer request) throws IOException {
        try {
            switch (frames.type()) {
                case GymFrames.RESET -> frames.answer(GymFrames.ARRAYS, batch.reset(request));
                case GymFrames.STEP -> frames.answer(GymFrames.ARRAYS, batch.step(request));
                case GymFrames.OUTCOME -> frames.answer(GymFrames.JSON, JsonText.compact(batch.outcome(request)));
                default -> throw InputException.at("type", frames.type(), "a reset (3), step (4) or outcome (6)");
            }
        } catch (InputException refused) {
            refuse("input", refused);
        } catch (RuntimeException | Error failed) {
            refuse("internal", failed);
            throw failed;
        }
    }

    private void refuse(String kind, Throwable why) throws IOException {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("kind", kind).put("message", String.valueOf(why.getMessage()).replaceAll("\\R", " "));
        frames.answer(GymFrames.ERROR, JsonText.compact(node));
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes).toString();
    }
}
