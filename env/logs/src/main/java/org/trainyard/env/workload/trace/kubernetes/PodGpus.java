package org.trainyard.env.workload.trace.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.workload.TraceLimits;
import org.trainyard.env.workload.log.TraceFieldException;

/**
 * The GPUs that a pod holds: whole ones, slices by MIG profiles, shares by HAMi (cores and memory), by KAI and Run:ai
 * (fractions) or by time slicing, or what is not read, by its name.
 *
 * @param count GPUs, or parts of GPUs
 * @param milli the part of each, in thousandths
 * @param remark how parts were found, as a sentence with a count, or null
 * @param reason why there are none to count
 */
record PodGpus(int count, int milli, @Nullable String remark, String reason) {
    private static final List<String> WHOLE = List.of(
            "nvidia.com/gpu",
            "amd.com/gpu",
            "habana.ai/gaudi",
            "gpu.intel.com/i915",
            "gpu.intel.com/xe",
            "nvidia.com/pgpu");
    private static final String REPLICAS = "nvidia.com/gpu.shared";
    private static final String CORES = "nvidia.com/gpucores";
    private static final String MEMORY = "nvidia.com/gpumem";
    private static final String MEMORY_SHARE = "nvidia.com/gpumem-percentage";
    private static final Pattern SLICE = Pattern.compile("nvidia\\.com/mig-(\\d)g\\.\\d{1,3}gb.*");
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,15}");
    /** Resources of accelerators that are not counted. */
    private static final Pattern ACCELERATOR = Pattern.compile(
            "(?i).*(gpu|npu|ascend|mlu|dcu|gcu|tpu|neuron|xpu|ppu|cuda|hpu|accelerator|gaudi|fpga|iluvatar|metax|kunlun|enflame).*");

    private static final Pattern PERIPHERAL = Pattern.compile("(?i).*(gpumem|gpucores|gpu-mem|priority|memory|core).*");
    private static final int SLICES = 7;
    private static final int THOUSAND = 1000;
    private static final long MIB = 1 << 20;

    private static PodGpus none(String reason) {
        return new PodGpus(0, THOUSAND, null, reason);
    }

    /**
     * @param pod with metadata and spec
     * @param type of GPU that the pod asks for, or null
     * @param replicasOfGpu replicas that time slicing makes of a GPU; 0 when nobody says
     */
    static PodGpus of(JsonNode pod, @Nullable String type, int replicasOfGpu) {
        JsonNode spec = pod.path("spec");
        Map<String, Long> held = new TreeMap<>();
        sum(spec.path("containers"), held);
        for (JsonNode starting : spec.path("initContainers")) {
            Map<String, Long> one = new TreeMap<>();
            add(starting, one);
            boolean stays = starting.path("restartPolicy").asText().equals("Always");
            one.forEach((name, count) -> held.merge(name, count, stays ? Long::sum : Math::max));
        }
        PodGpus fraction = fraction(pod.path("metadata"), type);
        if (fraction != null) {
            return fraction;
        }
        for (var entry : held.entrySet()) {
            Matcher slice = SLICE.matcher(entry.getKey());
            if (slice.matches() && entry.getValue() > 0) {
                int milli = Math.min(THOUSAND, (Integer.parseInt(slice.group(1)) * THOUSAND + SLICES - 1) / SLICES);
                return parts(
                        entry.getValue(),
                        milli,
                        "%,d pods hold slices of GPUs (MIG), which count as the part that their profile says.");
            }
        }
        long shared = held.getOrDefault(REPLICAS, 0L);
        long whole =
                WHOLE.stream().mapToLong(name -> held.getOrDefault(name, 0L)).sum();
        if (shared > 0 || (replicasOfGpu > 0 && whole > 0)) {
            if (replicasOfGpu <= 0) {
                return none("with parts of GPUs (time slicing): --gpu-replicas N says how many are a GPU");
            }
            int milli = Math.min(THOUSAND, (THOUSAND + replicasOfGpu - 1) / replicasOfGpu);
            return parts(
                    Math.max(shared, whole),
                    milli,
                    "%,d pods hold replicas of GPUs by time slicing, which count as the part that --gpu-replicas"
                            + " says.");
        }
        if (whole > 0) {
            return hami(held, whole, type);
        }
        return none(unread(spec, held));
    }

    private static PodGpus parts(long count, int milli, String remark) {
        return new PodGpus(limited(count), milli, remark, "without GPUs");
    }

    private static int limited(long count) {
        if (count > TraceLimits.GPUS) {
            throw new TraceFieldException("gpus", Long.toString(count), "at most %d GPUs".formatted(TraceLimits.GPUS));
        }
        return (int) count;
    }

    /** Whole GPUs, or with HAMi parts of them: cores in hundredths, memory in MiB, each per GPU. */
    private static PodGpus hami(Map<String, Long> held, long whole, @Nullable String type) {
        long cores = held.getOrDefault(CORES, 0L);
        long percent = held.getOrDefault(MEMORY_SHARE, 0L);
        long memory = held.getOrDefault(MEMORY, 0L);
        if (cores + percent + memory == 0) {
            return new PodGpus(limited(whole), THOUSAND, null, "without GPUs");
        }
        GpuType known = type == null ? null : GpuType.parse(GpuType.nameIn(type));
        long byMemory = known == null ? 0 : (memory * MIB * THOUSAND + known.memoryBytes() - 1) / known.memoryBytes();
        long milli = Math.max(cores * 10, Math.max(percent * 10, byMemory));
        if (milli == 0) {
            return none("with parts of GPUs (gpumem) whose GPU is not known: its size is needed");
        }
        return parts(
                whole,
                (int) Math.min(THOUSAND, milli),
                "%,d pods share GPUs (gpucores and gpumem of HAMi), which count as parts.");
    }

    /** The annotations of KAI and Run:ai, or null when there are none. */
    private static @Nullable PodGpus fraction(JsonNode meta, @Nullable String type) {
        String share = PodGang.labelled(meta, List.of("gpu-fraction", "runai/gpu-fraction"));
        String memory = PodGang.labelled(meta, List.of("gpu-memory", "runai/gpu-memory"));
        String devices = PodGang.labelled(meta, List.of("gpu-fraction-num-devices", "runai/gpu-fraction-num-devices"));
        if (share.isEmpty() && memory.isEmpty()) {
            return null;
        }
        long count = DIGITS.matcher(devices).matches() ? Long.parseLong(devices) : 1;
        int milli = 0;
        if (share.matches("[01]?\\.?\\d{1,6}")) {
            milli = (int) Math.ceil(Double.parseDouble(share) * THOUSAND - 1e-9);
        } else if (!share.isEmpty()) {
            throw new TraceFieldException("gpu-fraction", share, "a part of a GPU between 0 and 1");
        }
        GpuType known = type == null ? null : GpuType.parse(GpuType.nameIn(type));
        if (milli == 0 && known != null && DIGITS.matcher(memory).matches()) {
            milli = (int) Math.min(
                    THOUSAND,
                    (Long.parseLong(memory) * MIB * THOUSAND + known.memoryBytes() - 1) / known.memoryBytes());
        }
        if (milli < 1 || milli > THOUSAND) {
            return none("with parts of GPUs (gpu-memory) whose GPU is not known: its size is needed");
        }
        return parts(count, milli, "%,d pods hold fractions of GPUs (gpu-fraction).");
    }

    private static String unread(JsonNode spec, Map<String, Long> held) {
        for (var entry : held.entrySet()) {
            String name = entry.getKey();
            boolean isAccelerator = ACCELERATOR.matcher(name).matches();
            if (entry.getValue() > 0
                    && name.indexOf('/') > 0
                    && isAccelerator
                    && !PERIPHERAL.matcher(name.substring(name.indexOf('/'))).matches()) {
                return "with resources that are not read as GPUs (%s)".formatted(name);
            }
        }
        boolean claims = !spec.path("resourceClaims").isEmpty();
        for (JsonNode container : spec.path("containers")) {
            claims |= !container.path("resources").path("claims").isEmpty();
        }
        return claims ? "whose GPUs are by resource claims (DRA), which are not read" : "without GPUs";
    }

    private static void sum(JsonNode containers, Map<String, Long> held) {
        for (JsonNode container : containers) {
            Map<String, Long> one = new TreeMap<>();
            add(container, one);
            // Cores and memory are per GPU.
            one.forEach((name, count) ->
                    held.merge(name, count, name.startsWith(CORES) || name.startsWith(MEMORY) ? Math::max : Long::sum));
        }
    }

    /** The demand of a container for each extended resource: its limit, or else its request. */
    private static void add(JsonNode container, Map<String, Long> held) {
        for (String kind : List.of("requests", "limits")) {
            container.path("resources").path(kind).properties().forEach(resource -> {
                String name = resource.getKey();
                String quantity = resource.getValue().asText().strip();
                if (name.indexOf('/') <= 0
                        || !(ACCELERATOR.matcher(name).matches()
                                || SLICE.matcher(name).matches())) {
                    return;
                }
                if (DIGITS.matcher(quantity).matches()) {
                    held.put(name, Long.parseLong(quantity));
                } else if (quantity.matches("[0-9]{1,9}k")) {
                    held.put(name, Long.parseLong(quantity.substring(0, quantity.length() - 1)) * 1000);
                } else if (WHOLE.contains(name)) {
                    throw new TraceFieldException("gpus", quantity, "a whole number of GPUs");
                }
            });
        }
    }
}
