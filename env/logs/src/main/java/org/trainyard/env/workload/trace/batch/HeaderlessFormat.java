package org.trainyard.env.workload.trace.batch;

import java.util.List;
import org.trainyard.env.workload.trace.log.LoggedFormat;

/** A log of a batch system whose records have no header and wall clocks without a zone. */
abstract class HeaderlessFormat extends LoggedFormat {
    HeaderlessFormat(String label, List<String> required, List<String> known) {
        super(label, required, known);
    }

    @Override
    protected final boolean hasHeader() {
        return false;
    }

    @Override
    protected final boolean wallClock() {
        return true;
    }
}
