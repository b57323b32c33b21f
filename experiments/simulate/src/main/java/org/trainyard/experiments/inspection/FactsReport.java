package org.trainyard.experiments.inspection;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** Facts by name; groups of facts are indented. */
record FactsReport(Map<String, Object> facts) implements Report {
    FactsReport {
        facts = new LinkedHashMap<>(facts);
    }

    @Override
    public Map<String, Object> json() {
        return facts;
    }

    @Override
    public void print(PrintWriter out) {
        print("", facts, out);
    }

    private static void print(String indent, Map<?, ?> facts, PrintWriter out) {
        facts.forEach((name, value) -> {
            if (value instanceof Map<?, ?> group && !group.isEmpty()) {
                out.println(indent + name);
                print(indent + "  ", group, out);
            } else {
                out.println("%-25s %s".formatted(indent + name, value instanceof Map ? "none" : value));
            }
        });
    }
}
