package org.trainyard.experiments.inspection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;

/** Logs in Parquet files, whose columns have types. */
class ParquetLogTest {
    @TempDir
    private Path directory;

    private Path parquet(String select) throws SQLException {
        Path file = directory.resolve("log.parquet");
        try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = database.createStatement()) {
            statement.execute("COPY (%s) TO '%s' (FORMAT parquet)".formatted(select, file));
        }
        return file;
    }

    private static JsonNode inspect(Path file, String... options) throws IOException {
        String[] arguments = new String[options.length + 3];
        arguments[0] = "inspect";
        arguments[1] = file.toString();
        arguments[2] = "--json";
        System.arraycopy(options, 0, arguments, 3, options.length);
        Shell shell = Shell.run(arguments);
        assertThat(shell.code()).as(shell.err()).isZero();
        return new ObjectMapper().readTree(shell.out());
    }

    @Test
    void times_and_numbers_with_types_are_read_as_in_a_table() throws SQLException, IOException {
        JsonNode log = inspect(parquet("""
                        SELECT 'j' || i AS job_id, 'u' AS user, 'v' AS vc, 8::BIGINT AS gpu_num, 'COMPLETED' AS state,
                            TIMESTAMP '2026-03-02 08:00:00' + INTERVAL (i) MINUTE AS submit_time,
                            TIMESTAMP '2026-03-02 09:00:00' AS start_time,
                            CASE WHEN i < 3 THEN TIMESTAMP '2026-03-02 10:30:00' END AS end_time
                        FROM range(4) AS numbers(i)
                        """));

        assertThat(log.path("format").asText()).isEqualTo("helios-log");
        assertThat(log.path("jobs").asInt()).isEqualTo(3);
        assertThat(log.path("gpu_hours").asDouble()).isEqualTo(3 * 8 * 1.5);
        assertThat(log.path("left_out").path(0).path("reason").asText()).startsWith("that still ran");
    }

    @Test
    void times_with_a_zone_and_parts_of_seconds_are_instants() throws SQLException, IOException {
        JsonNode log = inspect(parquet("""
                        SELECT 7 AS id, 2.0::DOUBLE AS g, TIMESTAMPTZ '2026-03-02 08:00:00.5+01' AS q,
                            TIMESTAMPTZ '2026-03-02 07:00:10.5+00' AS s, TIMESTAMPTZ '2026-03-02 08:00:10.5+00' AS e
                        """), "--columns", "job=id,gpus=g,submit=q,start=s,end=e");

        assertThat(log.path("gpu_hours").asDouble()).isEqualTo(2);
        assertThat(log.path("audit")
                        .path("wait_by_width")
                        .path("2")
                        .path("mean")
                        .asDouble())
                .isEqualTo(10);
    }

    @Test
    void a_file_that_was_cut_is_refused_in_a_line() throws SQLException, IOException {
        Path file = parquet("SELECT 1 AS job_id, 1 AS gpu_num");
        byte[] bytes = Files.readAllBytes(file);
        Path cut = Files.write(directory.resolve("cut.parquet"), Arrays.copyOf(bytes, bytes.length / 2));

        Shell refused = Shell.command("inspect %s", cut);

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .hasLineCount(1)
                .contains("cut.parquet")
                .contains("a Parquet file that DuckDB can read");
        assertThat(Shell.command("inspect %s", file).err())
                .contains("--columns")
                .hasLineCount(1);
    }
}
