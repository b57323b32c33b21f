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

/**
 * A column of a log, or a sum of products of columns and numbers, such as {@code gpu_num*node_num},
 * {@code submit_ms/1000} or {@code a100+h100}.
 */
final class Formula {
    private static final Pattern NUMBER = Pattern.compile("\\d{1,15}(\\.\\d{1,9})?");

    /** Columns and a number that are multiplied. */
    private static final class Product {
        private final List<String> factors = new ArrayList<>();
        private BigDecimal constant = BigDecimal.ONE;

        private boolean take(String factor, boolean divides) {
            if (NUMBER.matcher(factor).matches()) {
                BigDecimal number = new BigDecimal(factor);
                if (divides && number.signum() == 0) {
                    return false;
                }
                constant = divides ? constant.divide(number, MathContext.DECIMAL64) : constant.multiply(number);
                return true;
            }
            factors.add(TraceColumns.normalised(factor));
            return !factor.isEmpty() && !divides;
        }

        private boolean isKnown(TraceRow row) {
            return factors.stream().allMatch(row::isKnown);
        }

        private BigDecimal value(Numbers numbers) {
            BigDecimal product = constant;
            for (String column : factors) {
                product = product.multiply(numbers.of(column));
            }
            return product;
        }
    }

    /** The numbers of the columns of a row. */
    interface Numbers {
        BigDecimal of(String column);
    }

    private final String text;
    private final List<Product> terms = new ArrayList<>();

    private Formula(String text) {
        this.text = text;
    }

    /**
     * The formula of a text, or null when it is none.
     *
     * @param text terms between {@code +}, of factors between {@code *} and {@code /}; only numbers divide
     */
    static @Nullable Formula parse(String text) {
        Formula formula = new Formula(text.strip());
        for (String term : text.split("\\+", -1)) {
            Product product = new Product();
            boolean divides = false;
            for (String part : term.split("(?<=[*/])|(?=[*/])", -1)) {
                String factor = part.strip();
                if (factor.equals("*") || factor.equals("/")) {
                    divides = factor.equals("/");
                } else if (!product.take(factor, divides)) {
                    return null;
                }
            }
            formula.terms.add(product);
        }
        return formula;
    }

    /** The columns that it reads. */
    List<String> columns() {
        return terms.stream().flatMap(term -> term.factors.stream()).toList();
    }

    /** The one column that it is, or null when it is a product or a sum. */
    @Nullable String column() {
        Product first = terms.get(0);
        boolean isColumn =
                terms.size() == 1 && first.factors.size() == 1 && first.constant.compareTo(BigDecimal.ONE) == 0;
        return isColumn ? first.factors.get(0) : null;
    }

    /** The column that is named when the value cannot be used. */
    String place() {
        return columns().stream().findFirst().orElse(text);
    }

    /** Whether every column has something in this row. */
    boolean isKnown(TraceRow row) {
        return terms.stream().allMatch(term -> term.isKnown(row));
    }

    /** Whether every column of some term has something in this row. */
    boolean isKnownInPart(TraceRow row) {
        return terms.stream().anyMatch(term -> term.isKnown(row));
    }

    /** The value; a factor that is no number is a {@link TraceFieldException}. */
    BigDecimal value(TraceRow row, String expected) {
        return value(row, (String column) -> row.number(column, expected));
    }

    /** The value by these numbers, without the terms that are not known in this row. */
    BigDecimal value(TraceRow row, Numbers numbers) {
        BigDecimal sum = BigDecimal.ZERO;
        for (Product term : terms) {
            sum = terms.size() == 1 || term.isKnown(row) ? sum.add(term.value(numbers)) : sum;
        }
        return sum;
    }

    @Override
    public String toString() {
        return text;
    }
}
