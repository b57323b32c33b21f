package org.trainyard.agents.learned.training;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.trainyard.env.ColumnSchema;
import org.trainyard.env.InputException;
import org.trainyard.gnn.CheckedFile;

/**
 * The format of a trainer's state file: a checked file whose content begins with the hash of the policy's input columns
 * and the run's seed, both of which must match on reading.
 *
 * @param kind 8 ASCII characters
 * @param schema the columns of the policy's input
 */
public record TrainerFile(String kind, int version, ColumnSchema schema, long seed) {
    /** Reads the content after the seed. */
    public interface Reader {
        void read(DataInputStream in) throws IOException;
    }

    public void write(Path file, CheckedFile.Writer content) {
        CheckedFile.write(file, kind, version, out -> {
            out.writeUTF(schema.hash());
            out.writeLong(seed);
            content.write(out);
        });
    }

    /**
     * @throws InputException when the file is missing, of another kind, damaged, or of a run with other columns or
     *     another seed
     */
    public void read(Path file, Reader content) {
        try (DataInputStream in = CheckedFile.read(file, kind, version)) {
            schema.require(file.toString(), in.readUTF());
            long saved = in.readLong();
            if (saved != seed) {
                throw new InputException("%s: was trained with seed (%d), not (%d)".formatted(file, saved, seed));
            }
            content.read(in);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read %s".formatted(file), e);
        }
    }
}
