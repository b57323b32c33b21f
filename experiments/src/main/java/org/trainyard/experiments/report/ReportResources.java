package org.trainyard.experiments.report;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The parts of the report that are files beside this class. */
final class ReportResources {
    private static final JsonMapper MAPPER = new JsonMapper();

    private ReportResources() {}

    static String text(String name) {
        try (InputStream in = ReportResources.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource (%s) is missing from the build".formatted(name));
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read resource %s".formatted(name), e);
        }
    }

    /** A fresh tree, the caller's to change. */
    static ObjectNode json(String name) {
        try {
            return MAPPER.readValue(text(name), ObjectNode.class);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot parse resource %s".formatted(name), e);
        }
    }
}
