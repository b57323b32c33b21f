package org.trainyard.interference.data;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.workload.generator.ModelCatalog;

/**
 * Speeds of models on GPU types relative to the V100, from published rates on one GPU.
 *
 * <p>Rates are compared by samples per second. Of the batch sizes that were measured on a V100 the one counts whose
 * iteration takes most nearly the compute time of the catalogue, and on other types the nearest to it. A model that
 * was not measured on a V100 has its speeds at the level at which their geometric mean is that of the types' data
 * sheets; a single type then tells nothing. A model is left out when a speed is more than {@value #MOST_FROM_SHEET}
 * times the data sheet's or less than that part of it: then the rates were bound by the host, or are of different
 * tasks.
 *
 * @param speeds by model and GPU type
 * @param remarks what was left out and why, a sentence each
 */
public record ModelSpeeds(Map<String, Map<String, Double>> speeds, List<String> remarks) {
    private static final double MOST_FROM_SHEET = 2.5;

    /** The speeds in throughput tables; of tables with rates of the same model and type the first counts. */
    public static ModelSpeeds read(List<Path> sources) {
        Map<String, Map<String, List<MeasuredRate>>> byModel = new TreeMap<>();
        List<String> remarks = new ArrayList<>();
        for (Path source : sources) {
            RateTables tables = new RateTables();
            tables.read(source);
            Map<String, Map<String, List<MeasuredRate>>> here = new TreeMap<>();
            tables.rates()
                    .forEach(rate -> here.computeIfAbsent(rate.model(), model -> new TreeMap<>())
                            .computeIfAbsent(rate.gpuType(), type -> new ArrayList<>())
                            .add(rate));
            here.forEach((model, types) -> types.forEach((type, rates) ->
                    byModel.computeIfAbsent(model, any -> new TreeMap<>()).putIfAbsent(type, rates)));
            if (!tables.unknown().isEmpty()) {
                remarks.add("%s: not in the catalogue: %s"
                        .formatted(source.getFileName(), String.join(", ", tables.unknown())));
            }
        }
        Map<String, Map<String, Double>> speeds = new TreeMap<>();
        byModel.forEach((model, rates) -> {
            Map<String, Double> relative = relative(model, rates);
            String odd = odd(relative);
            if (relative.size() < 2) {
                remarks.add("%s: left out: measured on one GPU type only".formatted(model));
            } else if (!odd.isEmpty()) {
                remarks.add("%s: left out: %s".formatted(model, odd));
            } else {
                speeds.put(model, relative);
            }
        });
        return new ModelSpeeds(speeds, remarks);
    }

    private static Map<String, Double> relative(String model, Map<String, List<MeasuredRate>> rates) {
        List<MeasuredRate> onV100 = rates.getOrDefault(GpuType.V100.name(), List.of());
        double seconds =
                Objects.requireNonNull(ModelCatalog.standard().find(model)).computeSeconds();
        double batch = onV100.stream()
                .min(Comparator.comparingDouble(
                        rate -> Math.abs(Math.log(rate.batch() / rate.samplesPerSecond() / seconds))))
                .map(MeasuredRate::batch)
                .orElse(1.0);
        Map<String, Double> speeds = new TreeMap<>();
        rates.forEach((type, measured) -> speeds.put(type, nearest(measured, batch)));
        double unit = onV100.isEmpty() ? level(speeds) : nearest(onV100, batch);
        speeds.replaceAll((type, perSecond) -> perSecond / unit);
        return speeds;
    }

    private static double nearest(List<MeasuredRate> rates, double batch) {
        return rates.stream()
                .min(Comparator.comparingDouble(rate -> Math.abs(Math.log(rate.batch() / batch))))
                .orElseThrow()
                .samplesPerSecond();
    }

    /** Samples per second at which the geometric mean of the speeds is that of the data sheets. */
    private static double level(Map<String, Double> perSecond) {
        double sum = 0;
        for (Map.Entry<String, Double> rate : perSecond.entrySet()) {
            sum += Math.log(rate.getValue() / sheet(rate.getKey()));
        }
        return Math.exp(sum / perSecond.size());
    }

    private static double sheet(String type) {
        return Objects.requireNonNull(GpuType.parse(type)).speed();
    }

    /** The speeds far from the data sheet's, in words. */
    private static String odd(Map<String, Double> speeds) {
        List<String> odd = new ArrayList<>();
        speeds.forEach((type, speed) -> {
            if (Math.abs(Math.log(speed / sheet(type))) > Math.log(MOST_FROM_SHEET)) {
                odd.add(String.format(Locale.ROOT, "%.3g on %s, data sheet %s", speed, type, sheet(type)));
            }
        });
        return String.join("; ", odd);
    }

    /** The table as {@code model,gpu_type,speed}, speeds with three significant digits. */
    public String csv() {
        StringBuilder text = new StringBuilder("model,gpu_type,speed\n");
        speeds.forEach((model, types) -> types.forEach(
                (type, speed) -> text.append(String.format(Locale.ROOT, "%s,%s,%s%n", model, type, rounded(speed)))));
        return text.toString();
    }

    private static String rounded(double speed) {
        return new java.math.BigDecimal(speed)
                .round(new java.math.MathContext(3))
                .stripTrailingZeros()
                .toPlainString();
    }
}
