package org.trainyard.experiments.papers.adsp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A line chart as SVG: some series over the same few values of x, with a logarithmic y. */
final class LineFigure {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 400;
    private static final int LEFT = 60;
    private static final int RIGHT = 170;
    private static final int TOP = 20;
    private static final int BOTTOM = 50;
    private static final List<String> COLOURS =
            List.of("#4c78a8", "#f58518", "#e45756", "#72b7b2", "#54a24b", "#b279a2", "#9d755d", "#222222");

    private record Series(String name, List<Double> y) {}

    private final String xName;
    private final String yName;
    private final double[] x;
    private final List<Series> series = new ArrayList<>();

    LineFigure(String xName, String yName, double[] x) {
        this.xName = xName;
        this.yName = yName;
        this.x = x.clone();
    }

    void add(String name, double[] y) {
        series.add(new Series(name, Arrays.stream(y).boxed().toList()));
    }

    private double most() {
        return series.stream()
                .flatMap(one -> one.y.stream())
                .max(Double::compare)
                .orElse(1.0);
    }

    private double least() {
        return series.stream()
                .flatMap(one -> one.y.stream())
                .min(Double::compare)
                .orElse(1.0);
    }

    private double atX(double value) {
        return LEFT + (value - x[0]) / (x[x.length - 1] - x[0]) * (WIDTH - LEFT - RIGHT);
    }

    private double atY(double value) {
        double span = Math.log(1.1 * most() / (0.9 * least()));
        return HEIGHT - BOTTOM - Math.log(value / (0.9 * least())) / span * (HEIGHT - TOP - BOTTOM);
    }

    private static String text(double atX, double atY, String anchor, String words) {
        return String.format(
                Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", atX, atY, anchor, words);
    }

    String svg() {
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                WIDTH,
                HEIGHT));
        for (double value : x) {
            svg.append(text(atX(value), HEIGHT - BOTTOM + 18, "middle", Double.toString(value)));
        }
        for (double value = 1; value <= 1.1 * most(); value *= 2) {
            if (value >= 0.9 * least()) {
                svg.append(String.format(
                        Locale.ROOT,
                        "<path d=\"M%d %.1fH%d\" stroke=\"#dddddd\"/>%n",
                        LEFT,
                        atY(value),
                        WIDTH - RIGHT));
                svg.append(text(LEFT - 8, atY(value) + 4, "end", String.format(Locale.ROOT, "%.0f", value)));
            }
        }
        svg.append(text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "middle", xName));
        svg.append(text(LEFT, TOP - 6, "start", yName));
        for (int i = 0; i < series.size(); i++) {
            draw(svg, i);
        }
        return svg.append("</svg>\n").toString().replace("\r", "");
    }

    private void draw(StringBuilder svg, int i) {
        Series one = series.get(i);
        StringBuilder points = new StringBuilder();
        for (int k = 0; k < x.length; k++) {
            points.append(String.format(Locale.ROOT, "%s%.1f,%.1f", k == 0 ? "" : " ", atX(x[k]), atY(one.y.get(k))));
        }
        String colour = COLOURS.get(i % COLOURS.size());
        svg.append(
                "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"%s\" points=\"%s\"/>\n".formatted(colour, points));
        double legend = TOP + 14 + 20 * i;
        svg.append(String.format(
                Locale.ROOT,
                "<path d=\"M%d %.1fh20\" stroke-width=\"2\" stroke=\"%s\"/>%n",
                WIDTH - RIGHT + 12,
                legend - 4,
                colour));
        svg.append(text(WIDTH - RIGHT + 38, legend, "start", one.name));
    }
}
