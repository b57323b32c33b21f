package org.trainyard.experiments.gym;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one connection: 16 bytes with length, type, mark and number, and then the payload. Not for several
 * threads.
 */
final class GymFrames {
    /** A client's first frame: JSON. */
    static final int HELLO = 1;
    /** The answer to a hello: JSON with the spaces. */
    static final int WELCOME = 2;
    /** Begins episodes. */
    static final int RESET = 3;
    /** Steps all environments. */
    static final int STEP = 4;
    /** The answer to both: arrays. */
    static final int ARRAYS = 5;
    /** Asks for the jobs of a finished episode. */
    static final int OUTCOME = 6;
    /** The answer to that: JSON. */
    static final int JSON = 7;
    /** Asks a scheduler of another language for the decisions of an instant, or for some of them. */
    static final int SCHEDULE = 8;
    /** The answer of a scheduler of another language. */
    static final int DECISIONS = 9;
    /** The answer to what cannot be done: JSON. */
    static final int ERROR = 255;

    /** The letters TY in every header, by which strangers are recognised. */
    private static final short MARK = 0x5954;

    private static final int HEADER_BYTES = 16;
    private static final int MOST_BYTES = 1 << 24;
    /** Bytes of a frame of somebody who has not shown yet that he is a client: enough for a hello. */
    static final int MOST_STRANGER_BYTES = 1 << 16;

    private final SocketChannel channel;
    private final ByteBuffer answerHeader =
            ByteBuffer.allocateDirect(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    /** The bytes received: from its position on the frames that are not read yet. */
    private ByteBuffer received = empty(1 << 12);

    private int mostBytes = MOST_STRANGER_BYTES;
    private int type;
    private long number;

    GymFrames(SocketChannel channel) {
        this.channel = channel;
    }

    /**
     * Reads the next frame.
     *
     * @return its payload, valid until the next one is read; null at the end of the connection
     * @throws IOException when it is no frame of this protocol, or too long
     */
    @Nullable ByteBuffer read() throws IOException {
        if (!receive(HEADER_BYTES)) {
            return null;
        }
        int length = received.getInt();
        type = received.getShort();
        short mark = received.getShort();
        number = received.getLong();
        if (mark != MARK) {
            throw new IOException("not a frame of this protocol: its mark is (%#x)".formatted(mark));
        }
        if (length < 0 || length > mostBytes) {
            throw new IOException("a frame of (%d) bytes: expected at most %d".formatted(length, mostBytes));
        }
        if (!receive(length)) {
            throw new EOFException("the connection ended inside a frame");
        }
        ByteBuffer payload = received.slice(received.position(), length).order(ByteOrder.LITTLE_ENDIAN);
        received.position(received.position() + length);
        return payload;
    }

    /** Has at least so many bytes at hand; false when the connection ended before the first. */
    private boolean receive(int least) throws IOException {
        if (received.remaining() >= least) {
            return true;
        }
        received = least <= received.capacity()
                ? received.compact()
                : empty(least).limit(least).put(received);
        while (received.position() < least) {
            if (channel.read(received) < 0) {
                if (received.position() > 0) {
                    throw new EOFException("the connection ended inside a frame");
                }
                return false;
            }
        }
        received.flip();
        return true;
    }

    private static ByteBuffer empty(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN).limit(0);
    }

    /** Allows frames of any length of the protocol from now on. */
    void trust() {
        mostBytes = MOST_BYTES;
    }

    /** Type of the frame that was read last. */
    int type() {
        return type;
    }

    /** Sends a frame of the next number. */
    void ask(int type, ByteBuffer bytes) throws IOException {
        number++;
        answer(type, bytes);
    }

    /** Answers the frame that was read last. */
    void answer(int answerType, ByteBuffer bytes) throws IOException {
        answerHeader.clear();
        answerHeader
                .putInt(bytes.remaining())
                .putShort((short) answerType)
                .putShort(MARK)
                .putLong(number)
                .flip();
        ByteBuffer[] both = {answerHeader, bytes};
        while (bytes.hasRemaining() || answerHeader.hasRemaining()) {
            channel.write(both);
        }
    }

    void answer(int answerType, String text) throws IOException {
        answer(answerType, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }
}
