package org.trainyard.env.pipeline;

import java.util.ArrayList;
import java.util.List;
import org.trainyard.env.InputException;

/**
 * The text form of a layer profile: a CSV file with a comment {@code # micro-batch N}, a header, and a line for each
 * layer of the chain.
 *
 * <p>Columns: {@code layer,forward_ms,backward_ms,activation_mb,parameter_mb}; MB are millions of bytes. Empty lines
 * and other comments are skipped.
 */
public final class LayerTable {
    private static final String HEADER = "layer,forward_ms,backward_ms,activation_mb,parameter_mb";
    private static final String BATCH = "# micro-batch ";
    private static final int FIGURES = 4;

    private LayerTable() {}

    /**
     * @param file name of the file, for messages
     * @throws InputException with the line, for a missing header or layer, a line of another form, and a negative time
     *     or size
     */
    public static LayerProfile read(String file, String name, String text) {
        String[] lines = text.split("\n", -1);
        List<Layer> layers = new ArrayList<>();
        int batch = 1;
        boolean hasHeader = false;
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].strip();
            String at = "%s:%d".formatted(file, i + 1);
            if (line.startsWith(BATCH)) {
                batch = batch(at, line.substring(BATCH.length()).strip());
            }
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            if (hasHeader) {
                layers.add(layer(at, line));
            } else if (line.equals(HEADER)) {
                hasHeader = true;
            } else {
                throw InputException.at(at, line, "the header " + HEADER);
            }
        }
        if (layers.isEmpty()) {
            throw InputException.at(file, "no layer", "a line for each layer below the header " + HEADER);
        }
        if (layers.stream().allMatch(layer -> layer.forwardSeconds() + layer.backwardSeconds() == 0)) {
            throw InputException.at(file, "no compute time", "at least one layer with a time above zero");
        }
        return new LayerProfile(name, batch, layers);
    }

    private static int batch(String at, String text) {
        if (!text.matches("[1-9]\\d{0,8}")) {
            throw InputException.at(at, text, "a whole number of samples from 1");
        }
        return Integer.parseInt(text);
    }

    private static Layer layer(String at, String line) {
        String[] cells = line.split(",", -1);
        if (cells.length != FIGURES + 1 || cells[0].isBlank()) {
            throw InputException.at(at, line, "a layer and %d numbers".formatted(FIGURES));
        }
        double[] figures = new double[FIGURES];
        for (int i = 0; i < FIGURES; i++) {
            String cell = cells[i + 1].strip();
            try {
                figures[i] = Double.parseDouble(cell);
            } catch (NumberFormatException e) {
                throw InputException.at(at, cell, "a number");
            }
            if (!(figures[i] >= 0) || Double.isInfinite(figures[i])) {
                throw InputException.at(at, cell, "a finite number that is not negative");
            }
        }
        return new Layer(cells[0].strip(), figures[0] / 1e3, figures[1] / 1e3, figures[2] * 1e6, figures[3] * 1e6);
    }
}
