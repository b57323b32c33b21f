package org.trainyard.env.workload.trace.log;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.log.LogRows;
import org.trainyard.env.workload.log.TableHeader;
import org.trainyard.env.workload.log.TraceColumns;

/** Any table whose columns the user names. */
public final class NamedFormat extends LoggedFormat {
    private final @Nullable Table table;
    private final GpuText gpus;

    /**
     * @param table that the user means, or null where nobody says
     * @param gpus what texts in columns of GPUs say that are no numbers
     */
    public NamedFormat(@Nullable Table table, GpuText gpus) {
        super("columns", List.of("as --columns says"), List.of());
        this.table = table;
        this.gpus = gpus;
    }

    private Table required(TableHeader header) {
        if (table == null) {
            throw header.refused("--columns with what the columns mean");
        }
        return table;
    }

    @Override
    public void require(TableHeader header) {
        List<String> missing = required(header).required().stream()
                .filter(names -> Stream.of(names.split("\\|", -1)).noneMatch(header.columns()::has))
                .toList();
        if (!missing.isEmpty()) {
            throw header.refused("also the columns %s of --columns".formatted(String.join(", ", missing)));
        }
    }

    @Override
    protected LogRows rows(LogRows.Source source) {
        return TableFormat.rows(source, required(TableHeader.of(source.file(), source.columns())), gpus);
    }

    @Override
    protected boolean reads(String column, TraceColumns columns) {
        return table != null
                && (table.required().contains(column) || table.optional().contains(column));
    }

    @Override
    protected String idColumn() {
        return "job";
    }
}
