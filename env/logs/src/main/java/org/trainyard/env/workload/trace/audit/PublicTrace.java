package org.trainyard.env.workload.trace.audit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The figures of a public trace, with which others are compared. They are what {@code inspect --json} says of the
 * files.
 *
 * @param source who published it
 * @param jobs that ended
 * @param oneGpuShare part of them on one GPU or less, 0 to 1
 * @param meanSeconds of the run times
 * @param quantiles of the run times, seconds, at equal distances
 */
record PublicTrace(
        String name, String source, int jobs, double oneGpuShare, double meanSeconds, List<Double> quantiles) {
    static final List<PublicTrace> ALL = List.of(
            new PublicTrace(
                    "Philly",
                    "Microsoft, 2017, as derived for ElasticFlow: jobs that passed",
                    82_247,
                    0.932,
                    13135.9,
                    List.of(
                            1.0, 30.0, 48.0, 56.0, 61.0, 64.0, 68.0, 71.0, 75.0, 84.0, 115.0, 164.0, 209.0, 292.0,
                            371.0, 520.0, 599.0, 717.0, 863.0, 976.0, 1140.0, 1320.0, 1470.0, 1590.0, 1820.0, 1980.0,
                            2140.0, 2410.0, 2550.0, 2680.0, 2930.0, 3640.0, 4240.0, 5290.0, 5900.0, 8490.0, 11300.0,
                            18300.0, 43600.0, 113000.0, 4630000.0)),
            new PublicTrace(
                    "Helios",
                    "SenseTime, two virtual clusters of Venus, September 2020",
                    1_867,
                    0.040,
                    5650.8,
                    List.of(
                            1.0, 3.0, 4.0, 5.0, 5.0, 5.0, 5.0, 5.0, 9.0, 11.0, 19.0, 22.0, 30.0, 35.0, 41.0, 53.0, 64.0,
                            71.0, 80.0, 89.0, 93.0, 98.0, 101.0, 108.0, 121.0, 154.0, 175.0, 184.0, 197.0, 212.0, 229.0,
                            292.0, 363.0, 508.0, 818.0, 1570.0, 2530.0, 4610.0, 15600.0, 66700.0, 567000.0)),
            new PublicTrace(
                    "openb",
                    "Alibaba, 2023, default list of pods",
                    8_152,
                    0.857,
                    25784.8,
                    List.of(
                            1.0,
                            27.0,
                            40.0,
                            51.0,
                            60.0,
                            71.0,
                            82.0,
                            96.0,
                            114.0,
                            130.0,
                            145.0,
                            151.0,
                            169.0,
                            187.0,
                            205.0,
                            226.0,
                            258.0,
                            294.0,
                            341.0,
                            411.0,
                            485.0,
                            548.0,
                            617.0,
                            739.0,
                            834.0,
                            937.0,
                            1060.0,
                            1200.0,
                            1360.0,
                            1570.0,
                            1920.0,
                            2200.0,
                            2640.0,
                            3300.0,
                            3940.0,
                            4610.0,
                            6520.0,
                            10100.0,
                            16300.0,
                            29700.0,
                            12500000.0)));

    private double median() {
        return quantiles.get(quantiles.size() / 2);
    }

    String line() {
        return String.format(
                Locale.ROOT,
                "%s: median %,.0f s, mean %,.0f s, %.0f %% on one GPU",
                name,
                median(),
                meanSeconds,
                100 * oneGpuShare);
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", name);
        json.put("source", source);
        json.put("jobs", jobs);
        json.put("one_gpu_share", oneGpuShare);
        json.put("mean", meanSeconds);
        json.put("run_time_quantiles", quantiles);
        return json;
    }
}
