package org.trainyard.experiments.inspection;

import java.util.LinkedHashMap;
import java.util.Map;
import org.trainyard.experiments.io.Answer;

/**
 * Facts by name; groups of facts are indented.
 *
 * @param width of the names
 */
record FactsReport(Map<String, Object> facts, int width) implements Report {
    private static final int WIDTH = 25;

    FactsReport {
        facts = new LinkedHashMap<>(facts);
    }

    FactsReport(Map<String, Object> facts) {
        this(facts, WIDTH);
    }

    @Override
    public Map<String, Object> json() {
        return facts;
    }

    @Override
    public Answer answer() {
        Answer answer = new Answer();
        say("", facts, answer);
        return answer;
    }

    private void say(String indent, Map<?, ?> group, Answer answer) {
        group.forEach((name, value) -> {
            if (value instanceof Map<?, ?> inner && !inner.isEmpty()) {
                answer.say(indent + name);
                say(indent + "  ", inner, answer);
            } else {
                answer.say(("%-" + width + "s %s").formatted(indent + name, value instanceof Map ? "none" : value));
            }
        });
    }
}
