package org.trainyard.env.workload.trace.log;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.log.TraceColumns;
import org.trainyard.env.workload.log.TraceFieldException;
import org.trainyard.env.workload.log.TraceRow;

/** A column of a log, or a product of columns and numbers, such as {@code gpu_num*node_num} or {@code submit_ms/1000}. */
final class Formula {
    private static final Pattern NUMBER = Pattern.compile("\\d{1,15}(\\.\\d{1,9})?");

    private final String text;
    private final List<String> factors = new ArrayList<>();
    private BigDecimal constant = BigDecimal.ONE;
    private boolean constantAlone = true;

    /** @param text factors between {@code *} and {@code /}; only numbers divide */
    private Formula(String text) {
        this.text = text;
    }

    /** The formula of a text, or null when it is none. */
    static @Nullable Formula parse(String text) {
        Formula formula = new Formula(text.strip());
        boolean divides = false;
        for (String part : text.split("(?<=[*/])|(?=[*/])", -1)) {
            String factor = part.strip();
            if (factor.equals("*") || factor.equals("/")) {
                divides = factor.equals("/");
            } else if (!formula.take(factor, divides)) {
                return null;
            }
        }
        return formula;
    }

    private boolean take(String factor, boolean divides) {
        if (NUMBER.matcher(factor).matches()) {
            BigDecimal number = new BigDecimal(factor);
            if (divides && number.signum() == 0) {
                return false;
            }
            constant = divides ? constant.divide(number, MathContext.DECIMAL64) : constant.multiply(number);
            return true;
        }
        constantAlone = false;
        factors.add(TraceColumns.normalised(factor));
        return !factor.isEmpty() && !divides;
    }

    /** The columns that it reads. */
    List<String> columns() {
        return List.copyOf(factors);
    }

    /** The one column that it is, or null when it is a product. */
    @Nullable String column() {
        return factors.size() == 1 && constant.compareTo(BigDecimal.ONE) == 0 ? factors.get(0) : null;
    }

    /** The column that is named when the value cannot be used. */
    String place() {
        return factors.isEmpty() ? text : factors.get(0);
    }

    /** Whether every column has something in this row. */
    boolean isKnown(TraceRow row) {
        return constantAlone || factors.stream().allMatch(row::isKnown);
    }

    /** The product; a factor that is no number is a {@link TraceFieldException}. */
    BigDecimal value(TraceRow row, String expected) {
        BigDecimal product = constant;
        for (String column : factors) {
            product = product.multiply(row.number(column, expected));
        }
        return product;
    }

    @Override
    public String toString() {
        return text;
    }
}
