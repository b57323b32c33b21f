package org.trainyard.interference.tables;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Named arrays as one file that NumPy reads.
 *
 * <p>ND4J writes each array in NumPy's .npy format; an .npz is a zip of them, stored uncompressed because ND4J reads no
 * other. Equal arrays give equal bytes.
 */
public final class NumpyZip {
    private final Map<String, byte[]> arrays = new LinkedHashMap<>();

    /** Adds a row of doubles. */
    public NumpyZip with(String name, double[] values) {
        return with(name, Nd4j.createFromArray(values));
    }

    /** Adds a table of floats, its rows one after the other. */
    public NumpyZip with(String name, float[] values, int rows, int columns) {
        return with(name, Nd4j.create(values, new long[] {rows, columns}, 'c'));
    }

    private NumpyZip with(String name, INDArray array) {
        try (INDArray its = array) {
            arrays.put(name, Nd4j.toNpyByteArray(its));
        }
        return this;
    }

    /** The file. */
    public byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes, StandardCharsets.UTF_8)) {
            for (Map.Entry<String, byte[]> array : arrays.entrySet()) {
                ZipEntry entry = new ZipEntry(array.getKey() + ".npy");
                CRC32 crc = new CRC32();
                crc.update(array.getValue());
                entry.setMethod(ZipEntry.STORED);
                entry.setSize(array.getValue().length);
                entry.setCrc(crc.getValue());
                entry.setTime(0);
                zip.putNextEntry(entry);
                zip.write(array.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
