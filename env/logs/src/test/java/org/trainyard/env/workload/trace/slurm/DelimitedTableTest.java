package org.trainyard.env.workload.trace.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.InputException;

class DelimitedTableTest {
    @Test
    void a_column_that_stands_there_twice_moves_no_other() {
        DelimitedTable table = DelimitedTable.ofBars(
                "sacct.txt", List.of("JobID|State|JobID|NNodes|User", "7|RUNNING|7.batch|3|ann"), "JobID", "User");

        assertThat(table.text(0, "JobID")).isEqualTo("7");
        assertThat(table.text(0, "State")).isEqualTo("RUNNING");
        assertThat(table.number(0, "NNodes", 1)).isEqualTo(3);
        assertThat(table.text(0, "User")).isEqualTo("ann");
    }

    @Test
    void bars_in_the_name_of_a_job_part_no_columns() {
        DelimitedTable table = DelimitedTable.ofBars(
                "sacct.txt",
                List.of(
                        "JobID|JobName|Start|NNodes",
                        "1|plain|2026-01-31T12:00:00|2",
                        "2|a|b||c|2026-01-31T12:00:01|3",
                        "3|||Unknown|4"),
                "JobID");

        assertThat(List.of(table.text(0, "JobName"), table.text(1, "JobName"), table.text(2, "JobName")))
                .isEqualTo(List.of("plain", "a|b||c", "|"));
        assertThat(List.of(table.text(0, "Start"), table.text(1, "Start"), table.text(2, "Start")))
                .isEqualTo(List.of("2026-01-31T12:00:00", "2026-01-31T12:00:01", "Unknown"));
        assertThat(List.of(table.number(0, "NNodes", 0), table.number(1, "NNodes", 0), table.number(2, "NNodes", 0)))
                .isEqualTo(List.of(2L, 3L, 4L));
    }

    @Test
    void a_cell_in_quotes_may_have_commas_and_a_short_row_has_empty_cells() {
        DelimitedTable table =
                DelimitedTable.ofCommas("trace.csv", List.of("idx,extra,gpus\r", "", "1,\"a,b\",2\r", "2"), "idx");

        assertThat(table.rows()).isEqualTo(2);
        assertThat(table.text(0, "extra")).isEqualTo("a,b");
        assertThat(table.number(0, "gpus", 1)).isEqualTo(2);
        assertThat(table.text(1, "extra")).isEmpty();
        assertThat(table.number(1, "gpus", 1)).isEqualTo(1);
    }

    @Test
    void a_header_without_a_needed_column_is_refused() {
        assertThatThrownBy(() -> DelimitedTable.ofBars("qos.txt", List.of("", "JobID|State"), "Name"))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "qos.txt:2: 'JobID|State' is not valid: expected a line of names with Name; this looks like what sacct prints");
    }
}
