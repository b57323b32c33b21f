package org.trainyard.experiments.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.trainyard.env.FailedWriteException;
import org.trainyard.experiments.distributed.Fleet;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.Progress;
import org.trainyard.experiments.io.RunDirectory;

/**
 * A sweep and its folder: the answer of every finished run is a file, so that a sweep that was stopped goes on where it
 * was.
 */
public final class Sweep {
    private final SweepConfig config;
    private final List<List<String>> points;
    private final RunDirectory directory;

    /** @param points of the config */
    public Sweep(SweepConfig config, List<List<String>> points, RunDirectory directory) {
        this.config = config;
        this.points = points;
        this.directory = directory;
        AtomicFiles.makeFolder(directory.runs());
    }

    /** Runs that are finished. */
    public int finished() {
        return (int) IntStream.range(0, points.size())
                .filter(run -> Files.exists(answer(run)))
                .count();
    }

    private Path answer(int run) {
        return directory.runs().resolve("%06d.json".formatted(run + 1));
    }

    /** Runs what is not finished and writes the results of all runs. */
    public SweepReport run(Fleet fleet) {
        int[] open = IntStream.range(0, points.size())
                .filter(run -> !Files.exists(answer(run)))
                .toArray();
        List<byte[]> inputs = new ArrayList<>();
        for (int run : open) {
            inputs.add(SweepTask.input(run + 1, config.overrides(points.get(run))));
        }
        int[] done = {points.size() - open.length};
        try (Progress progress = Progress.resume("sweep", done[0], points.size())) {
            progress.to(done[0], "");
            fleet.run(new SweepTask(), SweepTask.broadcast(config, directory.runs()), inputs, (number, answer) -> {
                AtomicFiles.write(answer(open[number]), answer);
                progress.to(++done[0], "");
            });
        }
        return write();
    }

    private SweepReport write() {
        List<JsonNode> answers = IntStream.range(0, points.size())
                .mapToObj(run -> JsonText.read(InputFiles.text(answer(run))))
                .toList();
        SweepResults results = SweepResults.of(config, points, answers);
        Path csv = directory.results("csv");
        AtomicFiles.write(csv, results.csv().getBytes(StandardCharsets.UTF_8));
        if (ResultTable.isAvailable()) {
            ResultTable.write(csv, directory.results("duckdb"), directory.results("parquet"));
        }
        List<SweepReport.Run> runs = results.ranked().stream()
                .map(row -> new SweepReport.Run(row.run(), row.name(), row.point(), row.score()))
                .toList();
        String measure = config.train() ? "validation JCT, s" : "mean JCT, s";
        SeedMeans means = SeedMeans.isOver(results.keys()) ? SeedMeans.of(results.keys(), results.ranked()) : null;
        if (means != null) {
            AtomicFiles.write(directory.seedMeans(), means.csv().getBytes(StandardCharsets.UTF_8));
        }
        String command = means == null ? results.best().map(this::command).orElse("") : "";
        SweepReport report = new SweepReport(results.keys(), measure, command, runs, means);
        AtomicFiles.write(directory.report(), report.html(config.name(), directory.configText()));
        return report;
    }

    /** The command that repeats a run. */
    private String command(SweepResults.Row row) {
        StringBuilder command =
                new StringBuilder("trainyard %s %s".formatted(config.train() ? "train" : "evaluate", config.config()));
        for (String override : config.overrides(row.point())) {
            command.append(" --set ").append(quoted(override));
        }
        return command.toString();
    }

    private static String quoted(String override) {
        return override.matches("[A-Za-z0-9_.=/:,+-]+") ? override : "'%s'".formatted(override.replace("'", "'\\''"));
    }

    /**
     * A CSV file as the table {@code results} of a DuckDB database and as a Parquet file; DuckDB finds the types of the
     * columns.
     */
    private static final class ResultTable {
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
                    statement.execute(
                            "CREATE TABLE results AS SELECT * FROM read_csv(%s, header = true, sample_size = -1)"
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
}
