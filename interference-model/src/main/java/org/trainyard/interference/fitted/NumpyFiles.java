package org.trainyard.interference.fitted;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.trainyard.env.InputException;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.Trait;
import org.trainyard.interference.pair.Pair;
import org.trainyard.interference.pair.PairEncoder;
import org.trainyard.interference.validation.Guess;
import org.trainyard.interference.validation.Split;

/**
 * The numeric tables of a fit as NumPy reads them.
 *
 * <p>ND4J writes each array; it writes no .npz, which is a zip of them, stored, so that ND4J reads it too.
 */
public final class NumpyFiles {
    private NumpyFiles() {}

    /** {@code measurements.npz}: features, slowdown, ratio and weight; {@code predictions.npz}: measured and predicted ratio by split. */
    public static Map<String, byte[]> of(InterferenceFit.Result result) {
        List<Measurement> rows = result.table().rows();
        PairEncoder encoder = PairEncoder.of(rows, PairEncoder.Identity.LABELS, Trait.all());
        float[] features = encoder.encode(rows.stream().map(Pair::of).toList(), Float.NaN);
        Map<String, byte[]> measured = new LinkedHashMap<>();
        measured.put("features", npy(Nd4j.create(features, new long[] {rows.size(), encoder.width()}, 'c')));
        measured.put(
                "slowdown", npy(rows.stream().mapToDouble(Measurement::slowdown).toArray()));
        measured.put("ratio", npy(rows.stream().mapToDouble(Measurement::ratio).toArray()));
        measured.put(
                "weight", npy(rows.stream().mapToDouble(Measurement::weight).toArray()));
        Map<String, byte[]> predicted = new LinkedHashMap<>();
        for (Split split : Split.values()) {
            List<Guess> guesses = result.guesses()
                    .getOrDefault(split, Map.of())
                    .getOrDefault(result.fitted().kind().label(), List.of());
            if (!guesses.isEmpty()) {
                String name = split.name().toLowerCase(Locale.ROOT);
                predicted.put(
                        name + "_ratio",
                        npy(guesses.stream().mapToDouble(Guess::ratio).toArray()));
                predicted.put(
                        name + "_measured",
                        npy(guesses.stream()
                                .mapToDouble(guess -> guess.row().ratio())
                                .toArray()));
            }
        }
        return Map.of("measurements.npz", zip(measured), "predictions.npz", zip(predicted));
    }

    /** The arrays of an .npz file, by name. */
    public static Map<String, INDArray> read(Path file) {
        try {
            return Nd4j.createFromNpzFile(file.toFile());
        } catch (Exception e) {
            throw new InputException("%s: cannot be read: expected an .npz file".formatted(file));
        }
    }

    private static byte[] npy(double[] values) {
        return npy(Nd4j.createFromArray(values));
    }

    private static byte[] npy(INDArray array) {
        try (INDArray its = array) {
            return Nd4j.toNpyByteArray(its);
        }
    }

    private static byte[] zip(Map<String, byte[]> arrays) {
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
