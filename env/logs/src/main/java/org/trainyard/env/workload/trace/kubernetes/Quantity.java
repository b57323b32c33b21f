package org.trainyard.env.workload.trace.kubernetes;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trainyard.env.InputException;

/** Amounts as Kubernetes writes them, such as {@code 500m}, {@code 2.5}, {@code 64Gi}, {@code 1e3}. */
public final class Quantity {
    private static final Pattern FORM =
            Pattern.compile("([+-]?\\d+(?:\\.\\d*)?|[+-]?\\.\\d+)([eE][+-]?\\d{1,2}|[A-Za-z]{0,2})");
    private static final int KIBI = 1024;
    private static final Map<String, BigDecimal> UNITS = Map.ofEntries(
            Map.entry("n", BigDecimal.valueOf(1, 9)),
            Map.entry("u", BigDecimal.valueOf(1, 6)),
            Map.entry("m", BigDecimal.valueOf(1, 3)),
            Map.entry("", BigDecimal.ONE),
            Map.entry("k", BigDecimal.TEN.pow(3)),
            Map.entry("M", BigDecimal.TEN.pow(6)),
            Map.entry("G", BigDecimal.TEN.pow(9)),
            Map.entry("T", BigDecimal.TEN.pow(12)),
            Map.entry("P", BigDecimal.TEN.pow(15)),
            Map.entry("E", BigDecimal.TEN.pow(18)),
            Map.entry("Ki", BigDecimal.valueOf(KIBI)),
            Map.entry("Mi", BigDecimal.valueOf(KIBI).pow(2)),
            Map.entry("Gi", BigDecimal.valueOf(KIBI).pow(3)),
            Map.entry("Ti", BigDecimal.valueOf(KIBI).pow(4)),
            Map.entry("Pi", BigDecimal.valueOf(KIBI).pow(5)),
            Map.entry("Ei", BigDecimal.valueOf(KIBI).pow(6)));

    private Quantity() {}

    /**
     * The amount of a resource in the unit that schedulers count in: thousandths of a core for {@code cpu}, whole ones
     * for all else, rounded up.
     */
    public static long of(String place, String resource, String text) {
        BigDecimal amount = exact(place, text);
        BigDecimal whole =
                (resource.equals("cpu") ? amount.movePointRight(3) : amount).setScale(0, RoundingMode.CEILING);
        return whole.min(BigDecimal.valueOf(Long.MAX_VALUE / KIBI)).longValue();
    }

    /** The exact value. */
    public static BigDecimal exact(String place, String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw InputException.at(place, text, "an amount such as 8, 500m or 64Gi");
        }
        String suffix = parts.group(2);
        if (suffix.length() > 1 && !Character.isLetter(suffix.charAt(suffix.length() - 1))) {
            return new BigDecimal(parts.group(1)).scaleByPowerOfTen(Integer.parseInt(suffix.substring(1)));
        }
        BigDecimal unit = UNITS.get(suffix);
        if (unit == null) {
            throw InputException.at(place, text, "an amount such as 8, 500m or 64Gi");
        }
        return new BigDecimal(parts.group(1)).multiply(unit);
    }
}
