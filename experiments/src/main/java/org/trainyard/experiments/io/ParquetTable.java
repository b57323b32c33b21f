package org.trainyard.experiments.io;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * A table as a Parquet file (Apache Parquet format 2.11, {@code parquet.thrift}): one row group, a gzipped data
 * page of plain values for each column, no missing values.
 */
public final class ParquetTable {
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final int INT32 = 1;
    private static final int DOUBLE = 5;
    private static final int BYTE_ARRAY = 6;
    private static final int REQUIRED = 0;
    private static final int UTF8 = 0;
    private static final int PLAIN = 0;
    private static final int RLE = 3;
    private static final int GZIP = 2;
    private static final int DATA_PAGE = 0;

    private record Column(String name, int type, ByteArrayOutputStream plain) {}

    /** Where a column lies in the file; sizes include the header of its page. */
    private record Chunk(long offset, int plainBytes, int bytes) {}

    private final int rows;
    private final List<Column> columns = new ArrayList<>();

    public ParquetTable(int rows) {
        this.rows = rows;
    }

    /** Adds a column of texts. */
    public ParquetTable add(String name, String... values) {
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        for (String value : values) {
            byte[] text = value.getBytes(StandardCharsets.UTF_8);
            put(plain, 4, text.length);
            plain.writeBytes(text);
        }
        return add(name, BYTE_ARRAY, values.length, plain);
    }

    /** Adds a column of whole numbers. */
    public ParquetTable add(String name, int... values) {
        ByteArrayOutputStream plain = new ByteArrayOutputStream(4 * values.length);
        for (int value : values) {
            put(plain, 4, value);
        }
        return add(name, INT32, values.length, plain);
    }

    /** Adds a column of numbers. */
    public ParquetTable add(String name, double... values) {
        ByteArrayOutputStream plain = new ByteArrayOutputStream(8 * values.length);
        for (double value : values) {
            put(plain, 8, Double.doubleToLongBits(value));
        }
        return add(name, DOUBLE, values.length, plain);
    }

    private ParquetTable add(String name, int type, int values, ByteArrayOutputStream plain) {
        if (values != rows) {
            throw new IllegalArgumentException(
                    "column %s has (%d) values, the table (%d) rows".formatted(name, values, rows));
        }
        columns.add(new Column(name, type, plain));
        return this;
    }

    /** Writes a number of so many bytes, the lowest first. */
    private static void put(ByteArrayOutputStream out, int bytes, long value) {
        for (int i = 0; i < bytes; i++) {
            out.write((int) (value >>> (8 * i)));
        }
    }

    /** Writes the file to a stream, which remains open. */
    public void write(OutputStream out) throws IOException {
        out.write(MAGIC);
        long offset = MAGIC.length;
        List<Chunk> chunks = new ArrayList<>();
        for (Column column : columns) {
            byte[] packed = gzip(column.plain());
            int plainBytes = column.plain().size();
            byte[] header = pageHeader(plainBytes, packed.length);
            out.write(header);
            out.write(packed);
            Chunk chunk = new Chunk(offset, header.length + plainBytes, header.length + packed.length);
            chunks.add(chunk);
            offset += chunk.bytes();
        }
        byte[] footer = footer(chunks);
        ByteArrayOutputStream end = new ByteArrayOutputStream();
        end.writeBytes(footer);
        put(end, 4, footer.length);
        end.writeBytes(MAGIC);
        end.writeTo(out);
    }

    private static byte[] gzip(ByteArrayOutputStream plain) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zipped = new GZIPOutputStream(bytes)) {
            plain.writeTo(zipped);
        }
        return bytes.toByteArray();
    }

    private byte[] pageHeader(int plainBytes, int packedBytes) {
        return new CompactThrift()
                .i32(1, DATA_PAGE)
                .i32(2, plainBytes)
                .i32(3, packedBytes)
                .struct(5)
                .i32(1, rows)
                .i32(2, PLAIN)
                .i32(3, RLE)
                .i32(4, RLE)
                .end()
                .bytes();
    }

    private byte[] footer(List<Chunk> chunks) {
        CompactThrift file = new CompactThrift().i32(1, 1).structs(2, columns.size() + 1);
        file.element().text(4, "schema").i32(5, columns.size()).end();
        for (Column column : columns) {
            file.element().i32(1, column.type()).i32(3, REQUIRED).text(4, column.name());
            if (column.type() == BYTE_ARRAY) {
                file.i32(6, UTF8);
            }
            file.end();
        }
        file.i64(3, rows).structs(4, 1).element().structs(1, columns.size());
        for (int i = 0; i < columns.size(); i++) {
            column(file, columns.get(i), chunks.get(i));
        }
        long bytes = chunks.stream().mapToLong(Chunk::plainBytes).sum();
        return file.i64(2, bytes).i64(3, rows).end().text(6, "trainyard").bytes();
    }

    private void column(CompactThrift file, Column column, Chunk chunk) {
        file.element()
                .i64(2, chunk.offset())
                .struct(3)
                .i32(1, column.type())
                .numbers(2, PLAIN, RLE)
                .texts(3, column.name())
                .i32(4, GZIP)
                .i64(5, rows)
                .i64(6, chunk.plainBytes())
                .i64(7, chunk.bytes())
                .i64(9, chunk.offset())
                .end()
                .end();
    }
}
