package org.trainyard.env.workload.trace.log;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;

/** A stream that says after every read how many bytes it has given. */
final class CountedStream extends FilterInputStream {
    private final LongConsumer counted;
    private long bytes;

    CountedStream(InputStream in, LongConsumer counted) {
        super(in);
        this.counted = counted;
    }

    long bytes() {
        return bytes;
    }

    @Override
    public int read() throws IOException {
        int read = super.read();
        count(read < 0 ? 0 : 1);
        return read;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
        int read = super.read(to, from, length);
        count(Math.max(0, read));
        return read;
    }

    private void count(int more) {
        bytes += more;
        counted.accept(bytes);
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
