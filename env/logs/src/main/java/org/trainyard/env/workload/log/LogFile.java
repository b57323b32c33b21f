package org.trainyard.env.workload.log;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file with a log while it is read: its first lines, and its text from the begin on, which is read once. */
public final class LogFile implements AutoCloseable {
    private static final String PARQUET = "PAR1";

    private final Path path;
    private final @Nullable BufferedReader text;
    private final FirstLines first;
    private final @Nullable String separator;
    private @Nullable TableHeader header;

    private LogFile(Path path, @Nullable BufferedReader text, FirstLines first, @Nullable String separator) {
        this.path = path;
        this.text = text;
        this.first = first;
        this.separator = separator;
    }

    /** Opens a file; the caller closes it. */
    public static LogFile open(Path path, TraceReader.Options options) throws IOException {
        if (isParquet(path)) {
            return new LogFile(path, null, new FirstLines("", "", 1), null);
        }
        BufferedReader text = FileText.open(path, options.mostBytes(), options.progress());
        try {
            return new LogFile(path, text, FirstLines.of(text), options.separator());
        } catch (IOException | RuntimeException e) {
            text.close();
            throw e;
        }
    }

    private static boolean isParquet(Path path) throws IOException {
        if (!Files.isRegularFile(path)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(path)) {
            return new String(in.readNBytes(PARQUET.length()), StandardCharsets.ISO_8859_1).equals(PARQUET);
        }
    }

    /** The file as the user named it. */
    public String name() {
        return path.toString();
    }

    /** Whether it is in the format of Parquet, which is no text. */
    public boolean isParquet() {
        return text == null;
    }

    /** Whether it is neither Parquet nor JSON. */
    public boolean isTable() {
        return !isParquet() && !first.isJson();
    }

    /** The first lines of the text. */
    public FirstLines first() {
        return first;
    }

    /** Separator of the columns of a table, and their names. */
    public TableHeader header() {
        TableHeader known = header;
        if (known == null) {
            known = TableHeader.of(name(), first, separator);
            header = known;
        }
        return known;
    }

    /** The text from its begin on. */
    public BufferedReader text() {
        if (text == null) {
            throw new IllegalStateException("(%s) is no text".formatted(path));
        }
        return text;
    }

    @Override
    public void close() throws IOException {
        if (text != null) {
            text.close();
        }
    }
}
