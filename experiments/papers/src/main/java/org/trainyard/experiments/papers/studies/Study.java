package org.trainyard.experiments.papers.studies;

import java.util.List;
import org.trainyard.experiments.papers.claims.ClaimRow;

/** A system whose claims are set beside our figures. */
public interface Study {
    /** The system, as {@code trainyard reproduce} calls it. */
    String system();

    /** The command that runs it. */
    default String command() {
        return "reproduce";
    }

    /** Adds the rows of a run. */
    void add(StudyRun.Rows rows, StudyRun run);

    default List<ClaimRow> rows(StudyRun run) {
        StudyRun.Rows rows = run.rows(this);
        add(rows, run);
        return rows.all();
    }
}
