package org.trainyard.experiments.papers.bgl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.trainyard.env.graphtraining.GraphDataset;
import org.trainyard.env.graphtraining.HitRatio;
import org.trainyard.env.graphtraining.MiniBatch;
import org.trainyard.env.graphtraining.ServerShare;
import org.trainyard.env.graphtraining.SharedServer;
import org.trainyard.env.graphtraining.SharedServer.Tenant;
import org.trainyard.env.graphtraining.StageAllocation;
import org.trainyard.env.graphtraining.Stages;

/** The tables of the page on training with graphs are those that the code gives. */
class BglPageTest {
    private static final MiniBatch KNOWN = new MiniBatch(0.030, 0.090, 0.040, 0.060, 0.002, 0.005, 5e6, 195e6);
    private static final ServerShare SMALL = new ServerShare(16, 12, 1e9, 12.5e9);

    /** Four V100s: twelve cores for each, PCIe of 12 GB/s in 96 units. */
    private static ServerShare server(double nicBytesPerSecond) {
        return new ServerShare(48, 96, 125e6, nicBytesPerSecond);
    }

    private static void requireOnPage(StringBuilder table) throws IOException {
        assertThat(Files.readString(Path.of("docs", "notebook", "graph-training.md")))
                .contains(table.toString());
    }

    private static void line(StringBuilder table, Object... fields) {
        table.append('|');
        for (Object field : fields) {
            table.append(' ').append(field).append(" |");
        }
        table.append('\n');
    }

    private static String millis(double seconds) {
        return String.format(Locale.ROOT, "%.2f", 1e3 * seconds);
    }

    @Test
    void the_known_mini_batch_with_and_without_isolation() throws IOException {
        StringBuilder table = new StringBuilder();
        for (double hits : new double[] {0, 0.5, 0.8, 0.95}) {
            Stages stages = new Stages(KNOWN, 1, 16, hits, hits, 0.005);
            StageAllocation best = StageAllocation.of(stages, SMALL);
            line(
                    table,
                    hits,
                    millis(best.seconds()),
                    best.bottleneck(),
                    millis(StageAllocation.contendedSeconds(stages, SMALL)));
        }
        requireOnPage(table);
    }

    @Test
    void measured_hits_and_copies() throws IOException {
        double[] hit = {0, 28.92, 49.57, 63.96, 75.12, 82.89, 88.41};
        double[] copyMillis = {41.1, 30.9, 22.9, 17.1, 12.6, 10.2, 7.5};
        StringBuilder table = new StringBuilder();
        for (int i = 0; i < hit.length; i++) {
            double held = 0.05 * i;
            double copy = 41.49 * (1 - hit[i] / 100) + 3.40 * hit[i] / 100;
            line(
                    table,
                    5 * i + " %",
                    hit[i],
                    String.format(Locale.ROOT, "%.2f", 100 * HitRatio.DEGREE.at(held)),
                    copyMillis[i],
                    String.format(Locale.ROOT, "%.2f", copy),
                    String.format(Locale.ROOT, "%+.2f", copy - copyMillis[i]));
        }
        requireOnPage(table);
    }

    private static Tenant tenant(HitRatio cache, int workers, double hostBytes) {
        return new Tenant(GraphDataset.PAPERS100M.stages(cache, workers, hostBytes, 0.020), 0);
    }

    @Test
    void jobs_alone_and_beside_each_other_isolated_and_not() throws IOException {
        StringBuilder table = new StringBuilder();
        for (double nic : new double[] {12.5e9, 3.125e9}) {
            ServerShare server = server(nic);
            for (List<HitRatio> caches : List.of(
                    List.of(HitRatio.RANDOM),
                    List.of(HitRatio.DEGREE),
                    List.of(HitRatio.BGL),
                    List.of(HitRatio.RANDOM, HitRatio.RANDOM),
                    List.of(HitRatio.RANDOM, HitRatio.BGL),
                    List.of(HitRatio.DEGREE, HitRatio.DEGREE),
                    List.of(HitRatio.BGL, HitRatio.BGL))) {
                int workers = 4 / caches.size();
                List<Tenant> tenants = new ArrayList<>();
                caches.forEach(cache -> tenants.add(tenant(cache, workers, workers * 8e9)));
                double[] together = SharedServer.together(tenants, server);
                double[] evenly = SharedServer.evenly(tenants, server);
                line(
                        table,
                        Math.round(nic / 125e6) + " Gb/s",
                        String.join(" + ", caches.stream().map(HitRatio::label).toList()),
                        String.join(
                                ", ",
                                Arrays.stream(together)
                                        .mapToObj(BglPageTest::millis)
                                        .toList()),
                        String.join(
                                ", ",
                                Arrays.stream(evenly)
                                        .mapToObj(BglPageTest::millis)
                                        .toList()),
                        String.format(Locale.ROOT, "%.2f", most(tenants, server, together)),
                        String.format(Locale.ROOT, "%.2f", most(tenants, server, evenly)));
            }
        }
        requireOnPage(table);
    }

    /** The largest slowdown against a server of one's own, isolated. */
    private static double most(List<Tenant> tenants, ServerShare server, double[] seconds) {
        double most = 0;
        for (int i = 0; i < seconds.length; i++) {
            most = Math.max(
                    most,
                    seconds[i]
                            / StageAllocation.of(tenants.get(i).stages(), server)
                                    .seconds());
        }
        return most;
    }
}
