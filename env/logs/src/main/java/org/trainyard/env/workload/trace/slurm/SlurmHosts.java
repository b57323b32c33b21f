package org.trainyard.env.workload.trace.slurm;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.log.TraceRow;

/**
 * The CPUs and memory of jobs: those among the resources that were allocated ({@code cpu=64,mem=100G}, in the database
 * {@code 1=64,2=102400}, of which 2 is MiB), else among those asked for, else those of columns of their own. What
 * cannot be read counts as not said.
 */
final class SlurmHosts {
    private static final Pattern CPU = Pattern.compile("(?i)(?:^|,)(?:cpu|1)=(\\d{1,12})(?=,|$)");
    private static final Pattern BILLING = Pattern.compile("(?i)(?:^|,)(?:billing|5)=(\\d{1,12})(?=,|$)");
    private static final Pattern MEMORY =
            Pattern.compile("(?i)(?:^|,)(?:mem|2)=(\\d{1,12}(?:\\.\\d{1,6})?)([KMGTP]?)(?=,|$)");
    /** Memory of a job, of each node or of each CPU. */
    private static final Pattern ASKED = Pattern.compile("(?i)(\\d{1,12}(?:\\.\\d{1,6})?)([KMGTP]?)([nc]?)");

    private static final long MOST = 1L << 40;
    private static final int KEPT = 20_000;

    private final SlurmColumns columns;
    private final Map<String, HostShare> known = new HashMap<>();

    SlurmHosts(SlurmColumns columns) {
        this.columns = columns;
    }

    /** The share of a job on so many nodes; none where its row does not say. */
    HostShare of(TraceRow row, long nodes) {
        HostShare found = HostShare.NONE;
        for (String column : columns.allocated) {
            found = either(found, listed(row.textOrNull(column)));
        }
        for (String column : columns.requested) {
            found = either(found, listed(row.textOrNull(column)));
        }
        String count = columns.cpus == null ? null : row.textOrNull(columns.cpus);
        long cpus = count != null && TraceRow.isWhole(count, 9) ? Long.parseLong(count) : 0;
        found = either(found, new HostShare(1000 * cpus, 0));
        String asked = columns.memory == null ? null : row.textOrNull(columns.memory);
        Matcher memory = asked == null ? null : ASKED.matcher(asked.strip());
        if (memory != null && memory.matches()) {
            String each = memory.group(3).toLowerCase(Locale.ROOT);
            long times = each.equals("n") ? nodes : each.equals("c") ? Math.max(1, found.cpuMilli() / 1000) : 1;
            found = either(found, new HostShare(0, Math.min(MOST, times * mib(memory.group(1), memory.group(2)))));
        }
        return found;
    }

    /** Billing of a job per second; 0 where its row does not say. */
    long billing(TraceRow row) {
        long found = 0;
        for (String column : columns.allocated) {
            String text = row.textOrNull(column);
            Matcher billing = text == null ? null : BILLING.matcher(text);
            found = billing != null && billing.find() ? Long.parseLong(billing.group(1)) : found;
        }
        return found;
    }

    private HostShare listed(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return HostShare.NONE;
        }
        HostShare share = known.get(text);
        if (share == null) {
            Matcher cpu = CPU.matcher(text);
            Matcher memory = MEMORY.matcher(text);
            share = new HostShare(
                    cpu.find() ? Math.min(MOST, 1000 * Long.parseLong(cpu.group(1))) : 0,
                    memory.find() ? mib(memory.group(1), memory.group(2)) : 0);
            if (known.size() < KEPT) {
                known.put(text, share);
            }
        }
        return share;
    }

    private static HostShare either(HostShare first, HostShare second) {
        return first.cpuMilli() > 0 && first.memoryMib() > 0
                ? first
                : new HostShare(
                        first.cpuMilli() > 0 ? first.cpuMilli() : second.cpuMilli(),
                        first.memoryMib() > 0 ? first.memoryMib() : second.memoryMib());
    }

    /** A number without a letter is MiB. */
    private static long mib(String number, String unit) {
        int power = unit.isEmpty() ? 1 : "KMGTP".indexOf(unit.toUpperCase(Locale.ROOT));
        return (long) Math.min(MOST, Math.ceil(Double.parseDouble(number) * Math.pow(1024, power - 1)));
    }
}
