package org.trainyard.env.workload.log;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;

/** The text of a file, plain or gzipped; other kinds of file are refused by their name. */
public final class FileText {
    private static final int GZIP_MAGIC = 0x1f8b;
    /** Length of the byte-order mark of UTF-8. */
    private static final int UTF_8_MARK = 3;

    private static final int TAR_MAGIC_AT = 257;
    /** Bytes of a configuration or a table of limits, far above any. */
    private static final long MOST_OF_SETTINGS = 1L << 30;

    private static final int LOOK_AHEAD = 1 << 10;

    /** A stream that says after every read how many bytes it has given. */
    private static final class CountedStream extends FilterInputStream {
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

    private FileText() {}

    /**
     * Opens it; the caller closes it.
     *
     * @param mostBytes of text, unpacked; a longer file is refused
     * @param progress takes the number of bytes of the file that were read so far
     */
    public static BufferedReader open(Path path, long mostBytes, LongConsumer progress) throws IOException {
        CountedStream packed = new CountedStream(Files.newInputStream(path), progress);
        InputStream in = new BufferedInputStream(packed, 1 << 16);
        try {
            in.mark(2);
            int magic = in.read() << 8 | in.read();
            in.reset();
            if (magic == GZIP_MAGIC) {
                in = new GZIPInputStream(in, 1 << 16);
            }
            in = new BufferedInputStream(
                    new CountedStream(in, bytes -> {
                        requireFew(path, bytes, mostBytes);
                        // A few bytes of a gzipped file can hold text for minutes.
                        progress.accept(packed.bytes());
                    }),
                    1 << 16);
            in.mark(LOOK_AHEAD);
            byte[] head = in.readNBytes(LOOK_AHEAD - 1);
            in.reset();
            String kind = kind(head);
            if (kind != null) {
                throw InputException.at(
                        path.toString(), kind, "a table or JSON, plain or gzipped: unpack or export it first");
            }
            return decoded(in);
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    /** The lines of a file that fits into memory, such as a configuration. */
    public static List<String> lines(Path path) throws IOException {
        try (BufferedReader text = open(path, MOST_OF_SETTINGS, bytes -> {})) {
            return text.lines().toList();
        }
    }

    private static void requireFew(Path path, long bytes, long mostBytes) {
        if (bytes > mostBytes) {
            throw new InputException("%s: holds more than %,d MB of text: expected at most that, or a higher --max-mb"
                    .formatted(path, mostBytes >> 20));
        }
    }

    private static @Nullable String kind(byte[] head) {
        String begin = new String(head, 0, Math.min(head.length, 16), StandardCharsets.ISO_8859_1);
        if (begin.startsWith("PK\u0003\u0004")) {
            return "a ZIP archive or a spreadsheet (xlsx)";
        } else if (begin.startsWith("PAR1")) {
            return "Parquet";
        } else if (begin.startsWith("\u00fd7zXZ")) {
            return "compressed by xz";
        } else if (begin.startsWith("BZh")) {
            return "compressed by bzip2";
        } else if (begin.startsWith("(\u00b5/\u00fd")) {
            return "compressed by zstd";
        } else if (begin.startsWith("SQLite format 3")) {
            return "a database of SQLite";
        } else if (begin.startsWith("7z\u00bc\u00af")) {
            return "a 7-Zip archive";
        } else if (begin.startsWith("version https://git")) {
            return "a pointer of Git LFS, not the file itself";
        }
        boolean isTar = head.length > TAR_MAGIC_AT + 5
                && new String(head, TAR_MAGIC_AT, 5, StandardCharsets.ISO_8859_1).equals("ustar");
        return isTar ? "a tar archive" : null;
    }

    /**
     * The text, by its byte-order mark, which is skipped: UTF-16, as PowerShell redirects output, or UTF-8, which also
     * needs none.
     */
    private static BufferedReader decoded(InputStream raw) throws IOException {
        PushbackInputStream in = new PushbackInputStream(raw, UTF_8_MARK);
        byte[] mark = in.readNBytes(UTF_8_MARK);
        boolean isUtf16 = mark.length >= 2
                && ((mark[0] == (byte) 0xFE && mark[1] == (byte) 0xFF)
                        || (mark[0] == (byte) 0xFF && mark[1] == (byte) 0xFE));
        boolean isMarkedUtf8 =
                mark.length == UTF_8_MARK && mark[0] == (byte) 0xEF && mark[1] == (byte) 0xBB && mark[2] == (byte) 0xBF;
        if (!isMarkedUtf8) {
            in.unread(mark);
        }
        return new BufferedReader(
                new InputStreamReader(in, isUtf16 ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8), 1 << 16);
    }
}
