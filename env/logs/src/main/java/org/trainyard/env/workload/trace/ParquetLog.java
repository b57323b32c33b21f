package org.trainyard.env.workload.trace;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.BadLine;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.RowFormat;
import org.trainyard.env.workload.log.TableHeader;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceCollector;
import org.trainyard.env.workload.log.TraceColumns;
import org.trainyard.env.workload.log.TraceReader;

/**
 * Reads a log in a Parquet file by DuckDB, where this installation has it: its columns are those of a table, and its
 * rows go past.
 */
final class ParquetLog {
    private static final String DRIVER = "org.duckdb.DuckDBDriver";

    /** No more of the machine than the readers of text take, and nothing from elsewhere. */
    private static final List<String> SETTINGS = List.of(
            "SET autoinstall_known_extensions = false",
            "SET autoload_known_extensions = false",
            "SET threads = 1",
            "SET memory_limit = '1GB'");

    private final String file;
    private final TraceReader.Options options;
    private final @Nullable Consumer<TraceJob> stream;

    ParquetLog(String file, TraceReader.Options options, @Nullable Consumer<TraceJob> stream) {
        this.file = file;
        this.options = options;
        this.stream = stream;
    }

    Trace read() {
        try {
            Class.forName(DRIVER);
        } catch (ClassNotFoundException e) {
            throw InputException.at(
                    file,
                    "Parquet",
                    "a table or JSON, for this installation has no DuckDB; make one with duckdb -c \"COPY (FROM '%s') TO"
                                    .formatted(file)
                            + " 'log.csv'\"");
        }
        Properties properties = new Properties();
        properties.setProperty("jdbc_stream_results", "true");
        try (Connection database = DriverManager.getConnection("jdbc:duckdb:", properties)) {
            try (Statement settings = database.createStatement()) {
                for (String setting : SETTINGS) {
                    settings.execute(setting);
                }
            }
            try (PreparedStatement query = database.prepareStatement("SELECT * FROM read_parquet(?)")) {
                query.setString(1, file);
                try (ResultSet rows = query.executeQuery()) {
                    return read(rows);
                }
            }
        } catch (SQLException e) {
            throw InputException.at(
                    file, BadLine.printable(String.valueOf(e.getMessage())), "a Parquet file that DuckDB can read");
        }
    }

    private Trace read(ResultSet rows) throws SQLException {
        ResultSetMetaData header = rows.getMetaData();
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= header.getColumnCount(); i++) {
            names.add(header.getColumnName(i));
        }
        TraceColumns columns = new TraceColumns(names);
        RowFormat format = HeaderAdvice.format(TableHeader.of(file, columns), options.format());
        TraceCollector jobs = new TraceCollector(file, options, format, columns, stream);
        int number = 0;
        while (rows.next()) {
            List<String> fields = new ArrayList<>(names.size());
            for (int i = 1; i <= names.size(); i++) {
                String text = rows.getString(i);
                fields.add(text == null ? "" : text);
            }
            number++;
            jobs.add(fields, number);
        }
        return jobs.finish();
    }
}
