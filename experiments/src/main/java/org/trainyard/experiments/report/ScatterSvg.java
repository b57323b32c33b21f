package org.trainyard.experiments.report;

import java.util.List;
import java.util.Locale;
import org.trainyard.interference.validation.HeldOutPrediction;

/** Measured over predicted ratios as a square of dots with the line of perfection, in SVG. */
final class ScatterSvg {
    private static final int SIDE = 260;
    private static final int MARGIN = 30;

    private ScatterSvg() {}

    static String of(String title, List<HeldOutPrediction> guesses) {
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg width=\"%1$d\" height=\"%1$d\" viewBox=\"0 0 %1$d %1$d\" role=\"img\"><title>%2$s</title>"
                        + "<rect x=\"%3$d\" y=\"%3$d\" width=\"%4$d\" height=\"%4$d\" fill=\"none\" stroke=\"#bbb\"/>"
                        + "<line x1=\"%3$d\" y1=\"%5$d\" x2=\"%5$d\" y2=\"%3$d\" stroke=\"#bbb\"/>"
                        + "<text x=\"%3$d\" y=\"18\" font-size=\"12\">%2$s</text>"
                        + "<text x=\"%3$d\" y=\"%6$d\" font-size=\"11\">0 – predicted – 1</text>",
                SIDE + 2 * MARGIN,
                InterferenceCard.escape(title),
                MARGIN,
                SIDE,
                SIDE + MARGIN,
                SIDE + MARGIN + 16));
        for (HeldOutPrediction guess : guesses) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.6\" fill=\"#06c\" fill-opacity=\".35\"/>",
                    MARGIN + SIDE * guess.ratio(),
                    MARGIN + SIDE * (1 - guess.row().ratio())));
        }
        return svg.append("</svg>").toString();
    }
}
