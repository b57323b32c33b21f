package org.trainyard.env.workload.trace.slurm;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.workload.TraceLimits;
import org.trainyard.env.workload.log.TraceFieldException;
import org.trainyard.env.workload.trace.log.GpuText;

/**
 * The GPUs in a text of TRES ({@code gres/gpu:a100=4}, {@code 1001=4} in the database) or of GRES
 * ({@code gpu:a100:4(S:0-1)}): whole ones, slices by MIG profiles, shards and shares of MPS.
 */
public final class SlurmGpus {
    private static final Pattern TRES = Pattern.compile("gres/([A-Za-z_]+)(:([^=]+))?=(\\d{1,9})");
    private static final Pattern GRES = Pattern.compile(
            "(?:gres[:/])?([A-Za-z_]+)(?::([^:=()]*[^:=()\\d][^:=()]*))?(?:[:=](\\d{1,9}))?(?:\\(.*\\))?");
    private static final Pattern NUMBERED = Pattern.compile("(\\d{1,9})=(\\d{1,18})");
    /** The profile of a slice: so many of the seven compute slices of a GPU, four of an A30. */
    private static final Pattern MIG = Pattern.compile("(?:(.*?)[_.\\-])?(?:mig[-_.])?(\\d)g\\.\\d{1,3}gb.*");

    private static final Pattern ACCELERATOR =
            Pattern.compile("(?i).*(gpu|npu|tpu|mlu|dcu|ascend|neuron|hpu|mic|accel).*");
    /** A list of names with amounts, or of GPUs as {@code gpu:a100:4} says them. */
    private static final Pattern LISTED =
            Pattern.compile("([A-Za-z]\\S*=\\S*|\\d{1,9}=\\d{1,18}(,\\d{1,9}=\\d{1,18})*|(gres[:/])?gpu(:\\S*)?)");

    /** GPUs without the prefix of Slurm. */
    private static final Pattern PLAIN = Pattern.compile("(^|,)n?gpus?=");

    private static final Set<String> USAGE = Set.of("gpumem", "gpuutil");
    private static final int SLICES = 7;
    private static final int SLICES_OF_A30 = 4;
    private static final int FIRST_GRES = 1001;

    private final Set<String> types = new LinkedHashSet<>();
    private final Set<String> kinds = new LinkedHashSet<>();
    private final Set<String> labels = new LinkedHashSet<>();
    private final int shardsOfGpu;
    private long all;
    private long typed;
    private long slices;
    private int sliceMilli;
    private long shards;
    private long mps;
    private long numbered;
    private @Nullable String other;

    private SlurmGpus(int shardsOfGpu) {
        this.shardsOfGpu = shardsOfGpu;
    }

    /**
     * @param column is named when the text cannot be used
     * @param shardsOfGpu shards that are a whole GPU; 0 when nobody says
     */
    public static SlurmGpus of(String column, @Nullable String text, int shardsOfGpu) {
        SlurmGpus gpus = new SlurmGpus(shardsOfGpu);
        if (text != null
                && !text.isEmpty()
                && (text.contains("gres")
                        || text.indexOf(':') > 0
                        || text.contains("gpu")
                        || Character.isDigit(text.charAt(0)))) {
            for (String part : text.split(",(?![^(]*\\))", -1)) {
                gpus.take(column, text, part.strip());
            }
            if (gpus.count() > TraceLimits.GPUS) {
                throw new TraceFieldException(column, text, "at most %d GPUs".formatted(TraceLimits.GPUS));
            }
        }
        return gpus;
    }

    /** The GPUs of a text of TRES or GRES, or null when it is none; {@code gpu=2} and {@code ngpus=2} are GPUs too. */
    public static GpuText.@Nullable Found found(String column, String text, int shardsOfGpu) {
        if (!LISTED.matcher(text).matches()) {
            return null;
        }
        SlurmGpus gpus = of(column, PLAIN.matcher(text).replaceAll("$1gres/gpu="), shardsOfGpu);
        return new GpuText.Found(gpus.count(), gpus.milli(), gpus.types(), gpus.remark(), gpus.reason());
    }

    /** GPUs of a node in a configuration; a text that cannot be used is refused with its place. */
    public static SlurmGpus ofNode(String place, String text) {
        try {
            return of("Gres", text.replaceAll("(?i):no_consume(?=[:,]|$)", ""), 0);
        } catch (TraceFieldException bad) {
            throw InputException.at(place, text, bad.expected());
        }
    }

    private void take(String column, String text, String part) {
        if (part.indexOf('=') > 0 && !part.startsWith("gres") && !Character.isDigit(part.charAt(0))) {
            return;
        }
        Matcher tres = TRES.matcher(part);
        if (tres.matches()) {
            count(tres.group(1), tres.group(3), Long.parseLong(tres.group(4)));
            return;
        }
        Matcher number = NUMBERED.matcher(part);
        if (number.matches()) {
            boolean isGres = Integer.parseInt(number.group(1)) >= FIRST_GRES;
            numbered = isGres ? Math.max(numbered, Long.parseLong(number.group(2))) : numbered;
            return;
        }
        Matcher gres = GRES.matcher(part);
        if (gres.matches() && part.indexOf('=') < 0) {
            count(gres.group(1), gres.group(2), gres.group(3) == null ? 1 : Long.parseLong(gres.group(3)));
        } else if (part.startsWith("gres/gpu=") || part.startsWith("gres/gpu:")) {
            throw new TraceFieldException(column, text, "gres/gpu=N or gres/gpu:TYPE=N, N a whole number");
        }
    }

    private void count(String name, @Nullable String type, long count) {
        String kind = name.toLowerCase(Locale.ROOT);
        if (kind.equals("gpu") && type == null) {
            all += count;
        } else if (kind.equals("gpu") && count > 0) {
            typed(type, count);
        } else if (kind.equals("shard")) {
            shards = Math.max(shards, count);
        } else if (kind.equals("mps")) {
            mps = Math.max(mps, count);
        } else if (count > 0
                && !USAGE.contains(kind)
                && ACCELERATOR.matcher(kind).matches()) {
            other = "gres/" + name;
        }
    }

    private void typed(@Nullable String type, long count) {
        String name = String.valueOf(type);
        labels.add(name.toLowerCase(Locale.ROOT));
        Matcher slice = MIG.matcher(name);
        if (!slice.matches()) {
            typed += count;
            types.add(GpuType.nameIn(name));
            kinds.add(GpuType.nameIn(name));
            return;
        }
        String of = slice.group(1);
        boolean isA30 = of != null && GpuType.nameIn(of).equals("A30");
        int parts = isA30 ? SLICES_OF_A30 : SLICES;
        int milli = Math.min(1000, (Integer.parseInt(slice.group(2)) * 1000 + parts - 1) / parts);
        slices += count;
        sliceMilli = Math.max(sliceMilli, milli);
        if (of != null) {
            types.add(GpuType.nameIn(of));
        }
        kinds.add("%s %s/%d".formatted(of == null ? "" : GpuType.nameIn(of), slice.group(2), parts));
    }

    /** GPUs, or parts of GPUs. */
    public long count() {
        if (slices + typed + all > 0) {
            return Math.max(all, typed + slices);
        }
        if (numbered > 0) {
            return numbered;
        }
        if (shards > 0 && shardsOfGpu > 0) {
            return (shards + shardsOfGpu - 1) / shardsOfGpu;
        }
        return mps > 0 ? (mps + 99) / 100 : 0;
    }

    /** The part of each, in thousandths; a job with slices and whole GPUs holds whole ones. */
    int milli() {
        if (slices > 0 && typed == 0 && all <= slices) {
            return sliceMilli;
        }
        if (slices + typed + all + numbered > 0) {
            return 1000;
        }
        long gpus = Math.max(1, count());
        if (shards > 0 && shardsOfGpu > 0) {
            return (int) Math.min(1000, (shards * 1000 + shardsOfGpu * gpus - 1) / (shardsOfGpu * gpus));
        }
        return mps > 0 ? (int) Math.min(1000, (mps * 10 + gpus - 1) / gpus) : 1000;
    }

    /** How the parts were found, as a sentence with a count, or null for whole GPUs. */
    @Nullable String remark() {
        if (slices > 0) {
            return typed > 0 || all > slices
                    ? "%,d jobs hold slices (MIG) and whole GPUs; the slices count as whole ones."
                    : "%,d jobs hold slices of GPUs (MIG), which count as the part that their profile says.";
        }
        if (all + typed > 0) {
            return null;
        }
        if (numbered > 0) {
            return "%,d jobs name GPUs by a number of the database (1001 and more), which is taken as GPUs.";
        }
        if (shards > 0 && shardsOfGpu > 0) {
            return "%,d jobs hold shards of GPUs, which count as the part that --shards says.";
        }
        return mps > 0 ? "%,d jobs hold shares of GPUs (MPS), hundredths of a GPU." : null;
    }

    /** Why a job of this text has no GPUs to count. */
    String reason() {
        if (shards > 0) {
            return "with parts of GPUs (shard): --shards N says how many are a GPU";
        }
        return other == null ? "without GPUs" : "with resources that are not read as GPUs (%s)".formatted(other);
    }

    /** Multiplies all GPUs by a number of servers that have as many each. */
    SlurmGpus times(long servers, String column, String text) {
        all *= servers;
        typed *= servers;
        slices *= servers;
        shards *= servers;
        mps *= servers;
        if (count() > TraceLimits.GPUS) {
            throw new TraceFieldException(column, text, "at most %d GPUs".formatted(TraceLimits.GPUS));
        }
        return this;
    }

    boolean isEmpty() {
        return count() == 0;
    }

    /** Whether some are slices of GPUs (MIG). */
    public boolean hasSlices() {
        return slices > 0;
    }

    /** Types of the GPUs, as clusters name them, and of slices with their part: {@code A100 3/7}. */
    public Set<String> kinds() {
        return kinds;
    }

    /** Types and profiles of the GPUs as the text writes them, in small letters. */
    public Set<String> labels() {
        return labels;
    }

    /** Types of the GPUs, as clusters name them. */
    public Set<String> types() {
        return types;
    }
}
