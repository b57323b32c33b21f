package org.trainyard.interference.tables;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.trainyard.env.InputException;
import org.trainyard.interference.measured.DeepShareReader;
import org.trainyard.interference.measured.MeasurementTable;
import org.trainyard.interference.measured.SourceFile;

/** Reads files of measured co-locations; the format of a file is recognised by its content. */
public final class Datasets {
    private static final String EXPECTED =
            "Gavel's throughputs, DeepShare's shared_thp_ratio.csv (and isolated_thp.csv) or the profiles of gpu-topo-aware, plain or gzipped";
    private static final int MAX_BYTES = 256 << 20;

    private Datasets() {}

    /**
     * All rows of the files as one table.
     *
     * <p>DeepShare's isolated_thp.csv may be among them, and is read too where it lies beside the matrix: it has no
     * pairs, but the rates alone, from which the scaling of its job types follows.
     */
    public static MeasurementTable read(List<Path> files) {
        List<MeasurementTable> tables = new ArrayList<>();
        ScalingTable scaling = ScalingTable.NONE;
        for (Path file : withCompanions(files)) {
            String name = String.valueOf(file.getFileName());
            byte[] raw = bytes(file);
            String text = new String(unzipped(file, raw), StandardCharsets.UTF_8);
            if (ScalingTable.recognises(text)) {
                scaling = ScalingTable.read(name, SourceFile.sha256(raw), text);
            } else {
                tables.add(read(file, name, SourceFile.sha256(raw), text));
            }
        }
        MeasurementTable all = scaling.addTo(MeasurementTable.join(tables));
        if (all.rows().isEmpty()) {
            throw new InputException("--data: the files hold no measured co-location: expected at least one");
        }
        return all;
    }

    private static List<Path> withCompanions(List<Path> files) {
        List<Path> all = new ArrayList<>(files);
        for (Path file : files) {
            Path companion = file.resolveSibling(ScalingTable.FILE);
            boolean matrix = String.valueOf(file.getFileName()).equals(DeepShareReader.FILE);
            if (matrix && Files.isRegularFile(companion) && !all.contains(companion)) {
                all.add(companion);
            }
        }
        return all;
    }

    private static MeasurementTable read(Path file, String name, String sha256, String text) {
        MeasurementTable table;
        if (DeepShareReader.recognises(text)) {
            table = DeepShareReader.read(name, sha256, text);
        } else {
            JsonNode root = json(file, text);
            if (GavelReader.recognises(root)) {
                table = GavelReader.read(name, sha256, root);
            } else if (MinskyReader.recognises(root)) {
                table = MinskyReader.read(name, sha256, root);
            } else {
                throw InputException.at("--data", file, EXPECTED);
            }
        }
        if (table.rows().isEmpty()) {
            throw new InputException("%s: holds no measured co-location: expected at least one".formatted(file));
        }
        return table;
    }

    private static JsonNode json(Path file, String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw InputException.at("--data", file, EXPECTED);
        }
    }

    private static byte[] bytes(Path file) {
        try {
            if (Files.isRegularFile(file) && Files.size(file) <= MAX_BYTES) {
                return Files.readAllBytes(file);
            }
        } catch (IOException e) {
            // Reported below.
        }
        throw InputException.at("--data", file, "a file of at most 256 MiB that can be read");
    }

    private static byte[] unzipped(Path file, byte[] raw) {
        if (raw.length < 2 || (raw[0] & 0xff) != 0x1f || (raw[1] & 0xff) != 0x8b) {
            return raw;
        }
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(raw))) {
            byte[] plain = in.readNBytes(MAX_BYTES + 1);
            if (plain.length <= MAX_BYTES) {
                return plain;
            }
        } catch (IOException e) {
            // Reported below.
        }
        throw InputException.at("--data", file, "an undamaged gzip file of at most 256 MiB of text");
    }
}
