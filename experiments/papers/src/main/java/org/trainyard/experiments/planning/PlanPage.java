package org.trainyard.experiments.planning;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.pipeline.PipelineSchedule;
import org.trainyard.env.pipeline.planning.PipelinePlan;

/**
 * A static HTML page with the Gantt chart of each plan: forward and backward passes, transfers and all-reduces of
 * one iteration.
 */
public final class PlanPage {
    private static final int WIDTH = 1100;
    private static final int LABEL = 120;
    private static final int ROW = 22;
    private static final String FORWARD = "#4c78a8";
    private static final String BACKWARD = "#f58518";
    private static final String TRANSFER_FORWARD = "#9ecae9";
    private static final String TRANSFER_BACKWARD = "#ffbf79";
    private static final String ALL_REDUCE = "#54a24b";
    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Plans of %1$s</title>
            <style>body{font:14px sans-serif;margin:24px;max-width:1140px}svg text{font:11px sans-serif}i{display:inline-block;width:12px;height:12px;margin:0 4px 0 14px}</style>
            </head><body><h1>Plans of %1$s</h1><p>%2$s, %3$d micro-batches. Time runs to the right; all charts have one scale.</p><p>
            """;

    private PlanPage() {}

    /** The page; plans without stages are left out. */
    public static String of(PlanComparison comparison) {
        StringBuilder page = new StringBuilder(HEAD.formatted(
                escaped(comparison.profile().name()),
                escaped(comparison.profile().toString()),
                comparison.microBatches()));
        legend(page, FORWARD, "forward");
        legend(page, BACKWARD, "backward");
        legend(page, TRANSFER_FORWARD, "activations");
        legend(page, TRANSFER_BACKWARD, "their gradients");
        legend(page, ALL_REDUCE, "all-reduce");
        page.append("</p>\n");
        double longest = comparison.rows().stream()
                .filter(row -> row.pipeline() != null)
                .mapToDouble(PlanRow::iterationSeconds)
                .max()
                .orElse(1);
        for (PlanRow row : comparison.rows()) {
            @Nullable PipelinePlan plan = row.pipeline();
            if (plan != null) {
                page.append(String.format(
                        Locale.ROOT,
                        "<h2>%s</h2><p>%s; iteration %.4g s, speed-up %.2f (%.2f by DAPPLE's estimate), bubble %.1f %%</p>%n",
                        row.planner(),
                        escaped(row.stages()),
                        row.iterationSeconds(),
                        row.speedup(),
                        row.dappleSpeedup(),
                        100 * row.bubbleShare()));
                chart(page, plan, (WIDTH - LABEL) / longest);
            }
        }
        return page.append("</body></html>\n").toString();
    }

    private static void legend(StringBuilder page, String colour, String words) {
        page.append("<i style=\"background:%s\"></i>%s".formatted(colour, words));
    }

    private static void chart(StringBuilder page, PipelinePlan plan, double pixelsPerSecond) {
        PipelineSchedule schedule = plan.times().schedule();
        int rows = schedule.resources();
        page.append("<svg width=\"%d\" height=\"%d\" role=\"img\">\n".formatted(WIDTH, rows * ROW + 4));
        for (int r = 0; r < rows; r++) {
            boolean isStage = r % 2 == 0;
            String label = isStage
                    ? Counted.say(
                            "stage %d (%d GPUs)",
                            r / 2, plan.layout().stages().get(r / 2).replicas())
                    : "link %d".formatted(r / 2);
            int top = r * ROW + 2;
            page.append("<text x=\"0\" y=\"%d\">%s</text>\n".formatted(top + 14, label));
            for (int m = 0; m < schedule.microBatches(); m++) {
                bar(
                        page,
                        schedule.forwardEnd(r, m),
                        schedule.forwardSeconds(r),
                        top,
                        isStage ? FORWARD : TRANSFER_FORWARD,
                        "forward %d".formatted(m),
                        pixelsPerSecond);
                bar(
                        page,
                        schedule.backwardEnd(r, m),
                        schedule.backwardSeconds(r),
                        top,
                        isStage ? BACKWARD : TRANSFER_BACKWARD,
                        "backward %d".formatted(m),
                        pixelsPerSecond);
            }
            double reduce = plan.times().allReduceSeconds(r);
            bar(page, schedule.end(r) + reduce, reduce, top, ALL_REDUCE, "all-reduce", pixelsPerSecond);
        }
        page.append("</svg>\n");
    }

    private static void bar(
            StringBuilder page, double end, double seconds, int top, String colour, String title, double scale) {
        if (seconds > 0) {
            page.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\" stroke=\"#fff\" stroke-width=\".5\"><title>%s: %.4g s</title></rect>%n",
                    LABEL + (end - seconds) * scale,
                    top,
                    seconds * scale,
                    ROW - 4,
                    colour,
                    title,
                    seconds));
        }
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
