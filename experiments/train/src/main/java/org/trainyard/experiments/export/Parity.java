package org.trainyard.experiments.export;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.agents.learned.export.Choice;
import org.trainyard.env.Counted;

/**
 * The comparison of an exported policy in ONNX Runtime with the policy in Java on recorded decisions.
 *
 * @param decisions that were compared
 * @param output whose values were compared
 * @param largestDifference of a value of a legal choice
 * @param equalBest decisions with the same best choice
 * @param illegalBest decisions whose best choice in ONNX Runtime is illegal
 * @param largestIllegalProbability probability of an illegal choice
 * @param largestSumError distance from 1 of the probabilities of legal choices, summed
 */
record Parity(
        int decisions,
        String output,
        double largestDifference,
        int equalBest,
        int illegalBest,
        double largestIllegalProbability,
        double largestSumError) {
    /** The greatest difference that is allowed. */
    static final double LIMIT = 1e-4;

    /** Compares a policy with decisions that it made in Java. */
    static Parity of(PolicySession session, ExportedBids policy, List<RecordedDecision> decisions) {
        double difference = 0;
        double illegal = 0;
        double sumError = 0;
        int equal = 0;
        int illegalBest = 0;
        for (RecordedDecision decision : decisions) {
            PolicySession.Outputs outputs = session.run(decision.inputs());
            float[] values = outputs.floats(policy.comparedOutput());
            float[] logs = outputs.floats(Choice.LOG_PROBABILITIES);
            double sum = 0;
            for (int choice = 0; choice < decision.choices(); choice++) {
                if (decision.isLegal(choice)) {
                    difference = worse(difference, Math.abs(values[choice] - decision.score(choice)));
                    sum += Math.exp(logs[choice]);
                } else {
                    illegal = worse(illegal, Math.exp(logs[choice]));
                }
            }
            sumError = worse(sumError, Math.abs(1 - sum));
            int best = Math.toIntExact(outputs.number(Choice.BEST));
            equal += best == decision.best() ? 1 : 0;
            illegalBest += decision.isLegal(best) ? 0 : 1;
        }
        return new Parity(decisions.size(), policy.comparedOutput(), difference, equal, illegalBest, illegal, sumError);
    }

    /** The greater one, or NaN when either is. */
    private static double worse(double a, double b) {
        return Math.max(a, b);
    }

    /** Whether the exported policy decides as the policy in Java. */
    boolean isMet() {
        return largestDifference <= LIMIT
                && equalBest == decisions
                && illegalBest == 0
                && largestIllegalProbability == 0
                && largestSumError <= LIMIT;
    }

    /** Summary of the comparison, a sentence. */
    String summary() {
        return Counted.say(
                "%d of %d decisions equal, largest difference of %s %.1e",
                equalBest, decisions, output, largestDifference);
    }

    /** The fields of {@code parity.json}. */
    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("decisions", decisions);
        json.put("compared_output", output);
        json.put("largest_difference", largestDifference);
        json.put("limit", LIMIT);
        json.put("equal_best", equalBest);
        json.put("illegal_best", illegalBest);
        json.put("largest_illegal_probability", largestIllegalProbability);
        json.put("largest_sum_error", largestSumError);
        return json;
    }
}
