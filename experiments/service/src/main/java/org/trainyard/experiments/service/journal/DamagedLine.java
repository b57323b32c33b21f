package org.trainyard.experiments.service.journal;

import java.nio.file.Path;

/** A line of a write-ahead file cannot be used, and lines follow it. */
public final class DamagedLine extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final long begin;

    DamagedLine(Path file, long line, long begin, String value, String expected) {
        super("%s:%d: '%s' is not valid: expected %s, or serve --salvage, which keeps the lines before it"
                .formatted(file, line, value, expected));
        this.begin = begin;
    }

    /** Number of bytes before it. */
    long begin() {
        return begin;
    }
}
