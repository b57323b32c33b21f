package org.trainyard.env.workload.trace.slurm;

import java.util.ArrayList;
import java.util.List;
import org.trainyard.env.InputException;

/** Lists of hosts as Slurm writes them: {@code n01}, {@code n[01-03,07]}, {@code a1,b[2-4]}. */
public final class HostList {
    private static final int MOST = 1_000_000;
    private static final String HOSTS = "a list of hosts such as n[01-08]";

    private HostList() {}

    /**
     * The hosts of a list, in its order.
     *
     * @param place of the text in messages
     */
    public static List<String> expand(String place, String text) {
        List<String> hosts = new ArrayList<>();
        int depth = 0;
        int from = 0;
        for (int i = 0; i <= text.length(); i++) {
            char at = i == text.length() ? ',' : text.charAt(i);
            depth += at == '[' ? 1 : at == ']' ? -1 : 0;
            if (at == ',' && depth == 0) {
                if (i > from) {
                    expandOne(place, text.substring(from, i).strip(), hosts);
                }
                from = i + 1;
            }
        }
        if (depth != 0) {
            throw InputException.at(place, text, HOSTS);
        }
        return hosts;
    }

    private static void expandOne(String place, String text, List<String> hosts) {
        int open = text.indexOf('[');
        if (open < 0) {
            hosts.add(text);
            return;
        }
        int close = text.indexOf(']', open);
        if (close < 0) {
            throw InputException.at(place, text, HOSTS);
        }
        String before = text.substring(0, open);
        String after = text.substring(close + 1);
        for (String range : text.substring(open + 1, close).split(",", -1)) {
            int dash = range.indexOf('-');
            String first = dash < 0 ? range : range.substring(0, dash);
            String last = dash < 0 ? range : range.substring(dash + 1);
            int low = number(place, text, first);
            int high = number(place, text, last);
            for (int host = low; host <= high; host++) {
                if (hosts.size() >= MOST) {
                    throw InputException.at(place, text, "at most " + MOST + " hosts");
                }
                String digits = Integer.toString(host);
                expandOne(
                        place,
                        before + "0".repeat(Math.max(0, first.length() - digits.length())) + digits + after,
                        hosts);
            }
        }
    }

    private static int number(String place, String text, String digits) {
        if (!digits.matches("\\d{1,9}")) {
            throw InputException.at(place, text, HOSTS);
        }
        return Integer.parseInt(digits);
    }
}
