package org.trainyard.experiments.papers.studies;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.trainyard.env.graphtraining.CacheHits;
import org.trainyard.env.graphtraining.GraphDataset;
import org.trainyard.env.graphtraining.HitRatio;
import org.trainyard.env.graphtraining.PartKept;
import org.trainyard.env.graphtraining.ServerShare;
import org.trainyard.env.graphtraining.SharedServer;
import org.trainyard.env.graphtraining.SharedServer.Tenant;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.papers.claims.ClaimVerdict;
import org.trainyard.experiments.papers.claims.Yardstick;

/** BGL (NSDI 2023): the speed of training on graphs by its cache and its isolated stages. */
record BglStudy(String system) implements Study {
    @Override
    public void add(StudyRun.Rows rows, StudyRun run) {
        ServerShare server = new ServerShare(48, 96, 125e6, 12.5e9);
        double even = SharedServer.evenly(List.of(tenant(HitRatio.RANDOM, 4)), server)[0];
        double bgl = SharedServer.together(List.of(tenant(HitRatio.BGL, 4)), server)[0];
        rows.add(
                "20.68 times as fast as existing systems on the mean",
                even / bgl,
                "times as fast",
                null,
                new Yardstick(20.68, 1, false),
                ClaimVerdict.NOT_COMPARABLE,
                "the paper's references are whole systems (Euler, DGL, PyG) whose sampling is not modelled; here a random"
                        + " cache and even parts against BGL's cache and isolation. Hit ratios of BGL's cache are"
                        + " simulated, CPU times are ours");
        double isolation = even / SharedServer.together(List.of(tenant(HitRatio.RANDOM, 4)), server)[0];
        rows.addFigure(
                "of that, the cache alone",
                even / bgl / isolation,
                "times as fast",
                null,
                String.format(
                        Locale.ROOT,
                        "isolation alone: %.2f. As remembered of the paper: 20 ms on the GPU, which bounds the speed-up here;"
                                + " ours: CPU times",
                        isolation));
        List<CacheHits> hits = LongStream.rangeClosed(1, run.few(1, 5))
                .mapToObj(CacheHits::simulate)
                .toList();
        addHits(rows, hits, "one of the most cited nodes", CacheHits::degree);
        addHits(rows, hits, "under shuffled mini-batches", CacheHits::shuffled);
        List<PartKept> parts = LongStream.rangeClosed(1, run.few(1, 5))
                .mapToObj(PartKept::simulate)
                .toList();
        rows.addGain(
                "its partition keeps more sampled nodes on the store of the node trained than drawn parts",
                parts.stream()
                        .mapToDouble(one -> 100 * (one.bgl() - one.drawn()))
                        .toArray(),
                Yardstick.NO_FIGURE,
                "points of the sampled nodes",
                String.format(
                        Locale.ROOT,
                        "%.1f and %.1f %% on a generated graph among four stores; the fullest has %.2f times an even part of the trained nodes",
                        100
                                * Statistics.mean(parts.stream()
                                        .mapToDouble(PartKept::bgl)
                                        .toArray()),
                        100
                                * Statistics.mean(parts.stream()
                                        .mapToDouble(PartKept::drawn)
                                        .toArray()),
                        Statistics.mean(parts.stream()
                                .mapToDouble(PartKept::mostTrained)
                                .toArray())));
        List<Tenant> both = List.of(tenant(HitRatio.RANDOM, 2), tenant(HitRatio.BGL, 2));
        double isolated = SharedServer.together(both, server)[0];
        double shared = SharedServer.evenly(both, server)[0];
        rows.addReduction(
                "isolation shortens mini-batches: a job without a good cache beside one with",
                new double[] {100 * (isolated / shared - 1)},
                Yardstick.NO_FIGURE,
                "% of a mini-batch",
                "the paper gives no figure; between equal jobs isolation is worth nothing");
    }

    private static void addHits(
            StudyRun.Rows rows, List<CacheHits> hits, String than, Function<CacheHits, List<Double>> theirs) {
        rows.addGain(
                "its cache of a tenth of the features is hit more often than " + than,
                hits.stream()
                        .mapToDouble(one ->
                                100 * (one.bgl().get(1) - theirs.apply(one).get(1)))
                        .toArray(),
                Yardstick.NO_FIGURE,
                "points of the hit ratio",
                String.format(
                        Locale.ROOT,
                        "%.1f %% on a generated graph, on which a pre-sampled cache has %.1f %% and one of the most cited nodes %.1f %%;"
                                + " GNNLab measured 98.3 and 49.6 %% on papers100M",
                        mean(hits, CacheHits::bgl),
                        mean(hits, CacheHits::presampled),
                        mean(hits, CacheHits::degree)));
    }

    private static double mean(List<CacheHits> hits, Function<CacheHits, List<Double>> which) {
        return 100
                * Statistics.mean(hits.stream()
                        .mapToDouble(one -> which.apply(one).get(1))
                        .toArray());
    }

    private static Tenant tenant(HitRatio cache, int workers) {
        return new Tenant(GraphDataset.PAPERS100M.stages(cache, workers, workers * 8e9, 0.020), 0);
    }
}
