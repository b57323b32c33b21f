package org.trainyard.experiments.watch;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** The decisions of a run as JSON texts in order of time, compressed by pages so that a million fits in memory. */
final class DecisionPages {
    private static final int LINES = 256;

    private record Page(double fromSecond, double toSecond, Packed text) {}

    /** Deflated bytes. */
    private static final class Packed {
        private final byte[] bytes;

        Packed(String text) {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (DeflaterOutputStream out = new DeflaterOutputStream(packed)) {
                out.write(text.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            bytes = packed.toByteArray();
        }

        List<String> lines() {
            try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(bytes))) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .toList();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A decision and its time. */
    record Line(double second, String json) {}

    private final List<Page> pages = new ArrayList<>();
    private final List<Line> open = new ArrayList<>();

    void add(Line line) {
        open.add(line);
        if (open.size() == LINES) {
            close();
        }
    }

    /** Ends the last page. */
    void close() {
        if (!open.isEmpty()) {
            StringBuilder text = new StringBuilder();
            open.forEach(line ->
                    text.append(line.second()).append(' ').append(line.json()).append('\n'));
            pages.add(new Page(open.get(0).second(), open.get(open.size() - 1).second(), new Packed(text.toString())));
            open.clear();
        }
    }

    /**
     * The first decisions after a time up to another one, inclusive, at most so many; negative infinity includes the
     * first instant.
     */
    List<String> between(double afterSecond, double untilSecond, int most) {
        return between(pages, afterSecond, untilSecond, most);
    }

    private static List<String> between(List<Page> pages, double afterSecond, double untilSecond, int most) {
        List<String> found = new ArrayList<>();
        for (Page page : pages) {
            if (page.fromSecond() > untilSecond || found.size() >= most) {
                break;
            }
            if (page.toSecond() > afterSecond) {
                for (String line : page.text().lines()) {
                    int space = line.indexOf(' ');
                    double second = Double.parseDouble(line.substring(0, space));
                    if (second > afterSecond && second <= untilSecond && found.size() < most) {
                        found.add(line.substring(space + 1));
                    }
                }
            }
        }
        return found;
    }

    /** The last decisions up to a time, inclusive, at most so many, in order. */
    List<String> last(double untilSecond, int most) {
        List<String> found = new ArrayList<>();
        for (int page = pages.size() - 1; page >= 0 && found.size() < most; page--) {
            if (pages.get(page).fromSecond() <= untilSecond) {
                List<String> lines =
                        between(List.of(pages.get(page)), Double.NEGATIVE_INFINITY, untilSecond, Integer.MAX_VALUE);
                int missing = most - found.size();
                found.addAll(0, lines.subList(Math.max(0, lines.size() - missing), lines.size()));
            }
        }
        return found;
    }
}
