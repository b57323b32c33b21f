package org.trainyard.experiments.sweep;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.report.HtmlReport;

/**
 * The result of a sweep.
 *
 * @param measure name and unit of the score
 * @param command that repeats the best run; empty with the seed among the keys
 * @param runs best first
 * @param means over seeds, or null without the seed among the keys
 */
public record SweepReport(
        List<String> keys,
        String measure,
        String command,
        List<Run> runs,
        @JsonIgnore @Nullable SeedMeans means) {
    /**
     * A run, or of several schedulers one.
     *
     * @param number of the run, from 1
     * @param score that is to be low
     */
    public record Run(@JsonProperty("run") int number, String scheduler, List<String> values, double score) {}

    private record Page(String title, String configuration, SweepReport sweep) {}

    /** An HTML page with parallel coordinates of all runs and a table, best first; the same bytes for equal sweeps. */
    String html(String title, String configuration) {
        return HtmlReport.page(JsonText.rounded(new Page(title, configuration, this)));
    }
}
