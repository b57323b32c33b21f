package org.trainyard.experiments.planning;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.pipeline.PipelineSchedule;
import org.trainyard.env.pipeline.planning.PipelinePlan;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.experiments.report.HtmlReport;

/** The page of a {@link PlanComparison}, for {@link HtmlReport}: a chart of one iteration for each plan with stages. */
public final class PlanPage {
    private PlanPage() {}

    private record Page(String title, Plans plans) {}

    private record Plans(String profile, List<Chart> charts) {}

    private record Chart(String planner, String figures, List<Bar> bars) {}

    /** The time that a stage or a link spends on one micro-batch, or on the all-reduce of all; seconds. */
    private record Bar(String row, String work, @Nullable Integer microBatch, double from, double to) {}

    /** The page; plans without stages are left out. */
    public static String of(PlanComparison comparison) {
        return HtmlReport.page(new Page(
                "Plans of " + comparison.profile().name(),
                new Plans(
                        Counted.say("%s, %d micro-batches", comparison.profile(), comparison.microBatches()),
                        comparison.rows().stream()
                                .filter(row -> row.pipeline() != null)
                                .map(PlanPage::chart)
                                .toList())));
    }

    private static Chart chart(PlanRow row) {
        return new Chart(
                row.planner(),
                CellFormat.number(
                        "%s; iteration %.4g s, speed-up %.2f (%.2f by DAPPLE's estimate), bubble %.1f %%",
                        row.stages(),
                        row.iterationSeconds(),
                        row.speedup(),
                        row.dappleSpeedup(),
                        100 * row.bubbleShare()),
                bars(Objects.requireNonNull(row.pipeline())));
    }

    private static List<Bar> bars(PipelinePlan plan) {
        PipelineSchedule schedule = plan.times().schedule();
        List<Bar> bars = new ArrayList<>();
        for (int r = 0; r < schedule.resources(); r++) {
            boolean isStage = r % 2 == 0;
            String row = isStage
                    ? Counted.say(
                            "stage %d (%d GPUs)",
                            r / 2, plan.layout().stages().get(r / 2).replicas())
                    : "link %d".formatted(r / 2);
            for (int m = 0; m < schedule.microBatches(); m++) {
                double forward = schedule.forwardEnd(r, m);
                double backward = schedule.backwardEnd(r, m);
                bars.add(new Bar(
                        row, isStage ? "forward" : "activations", m, forward - schedule.forwardSeconds(r), forward));
                bars.add(new Bar(
                        row,
                        isStage ? "backward" : "their gradients",
                        m,
                        backward - schedule.backwardSeconds(r),
                        backward));
            }
            double end = schedule.end(r);
            bars.add(new Bar(row, "all-reduce", null, end, end + plan.times().allReduceSeconds(r)));
        }
        bars.removeIf(bar -> bar.to <= bar.from);
        return bars;
    }
}
