package org.trainyard.experiments.twin;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.LoopTimer;
import org.trainyard.experiments.io.Progress;

/** Free runs of a recording beside it: shares of jobs that start about when they did, and waits. */
final class FreeRuns {
    /** Phases of the loops that modelled cycles are played with, of so many jobs and fewer; of more, fewer. */
    private static final int PHASES = 81;

    private static final int JOBS_OF_ALL_PHASES = 300;
    private static final int FEWEST_PHASES = 9;
    private static final int KEPT = 10;
    private static final double FAR = 5;

    /**
     * Shares of jobs, for machines too.
     *
     * @param missing jobs that started in the past and never do here
     * @param spread how far the mean wait goes from run to run, seconds; not a number for a single run
     */
    record Figures(
            @JsonProperty("within_5s") double within5,
            @JsonProperty("within_30s") double within30,
            @JsonProperty("within_60s") double within60,
            double sameNodes,
            @JsonIgnore Waits waits,
            @JsonIgnore double missing,
            @JsonIgnore double spread) {
        double mean() {
            return waits.mean;
        }
    }

    /** Mean and 95th percentile of waits, seconds. */
    record Waits(double mean, double p95) {
        private static Waits of(List<Long> millis) {
            return new Waits(FreeRuns.mean(millis), percentile(millis));
        }
    }

    private FreeRuns() {}

    /** A run with the recorded cycles; null when they are not recorded. */
    static @Nullable Figures recorded(TwinFolder folder, RecordedTimes times, List<String> divergences) {
        if (!times.hasCycles()) {
            return null;
        }
        Map<String, FreeRun.Run> runs = new FreeRun(folder, times, null, begun -> {}).run();
        divergences.addAll(divergences(times, runs));
        return figures(times.last(), runs);
    }

    /** Number of phases that keeps the cost of long logs in proportion to their jobs, down to a few. */
    static int phases(TwinFolder folder) {
        long phases =
                (long) PHASES * JOBS_OF_ALL_PHASES / Math.max(1, folder.jobs().count());
        return (int) Math.max(FEWEST_PHASES, Math.min(PHASES, phases));
    }

    /** The mean of so many runs with modelled cycles, each of another phase of the loops. */
    static Figures modelled(TwinFolder folder, RecordedTimes times, int phases) {
        List<Figures> all = new ArrayList<>();
        long first = times.outside().get(0).millis();
        int jobs = times.last().size();
        try (Progress progress = Progress.startLate("twin", (long) phases * jobs)) {
            for (int phase = 0; phase < phases; phase++) {
                LoopTimer loops = new LoopTimer(
                        folder.cluster().parameters(),
                        first - 3_000 + phase * 337L % 1_012,
                        first - 3_000 + phase * 449L % 2_002,
                        phase);
                long before = (long) phase * jobs;
                String which = "run %d of %d".formatted(phase + 1, phases);
                FreeRun run =
                        new FreeRun(folder, times, loops, begun -> progress.to(before + Math.min(jobs, begun), which));
                all.add(figures(times.last(), run.run()));
            }
            progress.to((long) phases * jobs, "");
        }
        return new Figures(
                mean(all, Figures::within5),
                mean(all, Figures::within30),
                mean(all, Figures::within60),
                mean(all, Figures::sameNodes),
                new Waits(mean(all, Figures::mean), mean(all, one -> one.waits.p95)),
                mean(all, Figures::missing),
                spread(all));
    }

    /** The standard deviation of the mean wait between runs. */
    private static double spread(List<Figures> all) {
        double mean = mean(all, Figures::mean);
        return Math.sqrt(all.stream()
                        .mapToDouble(each -> (each.mean() - mean) * (each.mean() - mean))
                        .sum()
                / (all.size() - 1));
    }

    private static double mean(List<Figures> all, ToDoubleFunction<Figures> figure) {
        return all.stream().mapToDouble(figure).average().orElse(Double.NaN);
    }

    private static Figures figures(Map<String, TwinRun> past, Map<String, FreeRun.Run> twin) {
        int both = 0;
        int[] within = new int[3];
        int same = 0;
        List<Long> waits = new ArrayList<>();
        for (Map.Entry<String, FreeRun.Run> each : twin.entrySet()) {
            FreeRun.Run run = each.getValue();
            TwinRun real = past.get(each.getKey());
            if (real == null || real.startMillis() < 0) {
                continue;
            }
            both++;
            long far = Math.abs(run.startMillis() - real.startMillis());
            within[0] += far <= 5_000 ? 1 : 0;
            within[1] += far <= 30_000 ? 1 : 0;
            within[2] += far <= 60_000 ? 1 : 0;
            same += run.nodes().equals(real.nodes()) ? 1 : 0;
            waits.add(run.startMillis() - run.submitMillis());
        }
        double all = Math.max(1, both);
        long started =
                past.values().stream().filter(run -> run.startMillis() >= 0).count();
        return new Figures(
                within[0] / all, within[1] / all, within[2] / all, same / all, Waits.of(waits), started - both, 0);
    }

    /** How alike the runs of two recordings are, of which the second began so much later. */
    static Figures between(Map<String, TwinRun> a, Map<String, TwinRun> b, long later) {
        Map<String, FreeRun.Run> runs = new LinkedHashMap<>();
        b.forEach((job, run) -> {
            if (run.startMillis() >= 0) {
                runs.put(
                        job,
                        new FreeRun.Run(
                                run.submitSecond() * 1000 - later,
                                run.startMillis() - later,
                                run.nodes(),
                                false,
                                null));
            }
        });
        return figures(a, runs);
    }

    /** The waits in a recording. */
    static Waits waits(Map<String, TwinRun> past) {
        List<Long> waits = new ArrayList<>();
        for (TwinRun run : past.values()) {
            if (run.startMillis() >= 0) {
                waits.add(run.startMillis() - run.submitSecond() * 1000);
            }
        }
        return Waits.of(waits);
    }

    private static double mean(List<Long> millis) {
        return millis.stream().mapToLong(Long::longValue).average().orElse(Double.NaN) / 1000;
    }

    private static double percentile(List<Long> millis) {
        if (millis.isEmpty()) {
            return Double.NaN;
        }
        List<Long> sorted = millis.stream().sorted().toList();
        return sorted.get(Math.min(sorted.size() - 1, (int) (0.95 * sorted.size()))) / 1000.0;
    }

    private static List<String> divergences(RecordedTimes times, Map<String, FreeRun.Run> twin) {
        List<String> lines = new ArrayList<>();
        long zero = times.outside().get(0).millis();
        List<TwinRun> past = new ArrayList<>(times.last().values());
        past.sort(Comparator.comparingLong(TwinRun::startMillis).thenComparing(TwinRun::job));
        for (TwinRun real : past) {
            FreeRun.Run run = twin.get(real.job());
            if (real.startMillis() < 0 || lines.size() >= KEPT) {
                continue;
            }
            if (run == null) {
                lines.add("job %s: past at %.1f s on %s; twin never"
                        .formatted(real.job(), (real.startMillis() - zero) / 1000.0, real.nodes()));
            } else if (Math.abs(run.startMillis() - real.startMillis()) > FAR * 1000
                    || !run.nodes().equals(real.nodes())) {
                lines.add("job %s: past %s at %.1f s on %s%s; twin %s at %.1f s on %s, %s"
                        .formatted(
                                real.job(),
                                times.backfilled(real.job()) ? "backfill" : "main",
                                (real.startMillis() - zero) / 1000.0,
                                real.nodes(),
                                times.plan(real.job()),
                                run.backfilled() ? "backfill" : "main",
                                (run.startMillis() - zero) / 1000.0,
                                run.nodes(),
                                run.waited()));
            }
        }
        return lines;
    }
}
