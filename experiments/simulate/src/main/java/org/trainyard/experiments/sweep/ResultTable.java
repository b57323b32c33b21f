package org.trainyard.experiments.sweep;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.trainyard.env.FailedWriteException;

/**
 * A CSV file as the table {@code results} of a DuckDB database and as a Parquet file; DuckDB finds the types of the
 * columns.
 */
final class ResultTable {
    private static final String DRIVER = "org.duckdb.DuckDBDriver";

    private ResultTable() {}

    /** Whether this installation has DuckDB, which the Python wheel leaves out. */
    static boolean isAvailable() {
        try {
            Class.forName(DRIVER);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Writes both files, or replaces them. */
    static void write(Path csv, Path database, Path parquet) {
        Path newDatabase = unfinished(database);
        Path newParquet = unfinished(parquet);
        try {
            Files.deleteIfExists(newDatabase);
            try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + newDatabase);
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE results AS SELECT * FROM read_csv(%s, header = true, sample_size = -1)"
                        .formatted(quoted(csv)));
                statement.execute(
                        "COPY results TO %s (FORMAT parquet, COMPRESSION zstd)".formatted(quoted(newParquet)));
            }
            Files.move(newDatabase, database, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            Files.move(newParquet, parquet, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (SQLException e) {
            throw new FailedWriteException(database, new IOException(e.getMessage(), e));
        } catch (IOException e) {
            throw new FailedWriteException(database, e);
        }
    }

    private static Path unfinished(Path file) {
        return file.resolveSibling(".%s.part".formatted(file.getFileName()));
    }

    private static String quoted(Path file) {
        return "'%s'".formatted(file.toString().replace("'", "''"));
    }
}
