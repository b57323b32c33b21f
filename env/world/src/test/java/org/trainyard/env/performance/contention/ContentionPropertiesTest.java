package org.trainyard.env.performance.contention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.Rings;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Links;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;

/** What holds however rings lie. */
class ContentionPropertiesTest {
    private final Topology topology = Topology.uniform("tree", Fabric.DEFAULT, 4, 2, ServerSpec.ofV100(16), 2);
    private final Links links = topology.links();
    private final PerformanceModel alone = new RingPerformance(topology, InterferenceModel.NONE);

    private static int[] servers(RandomGenerator random) {
        return random.ints(1 + random.nextInt(4), 0, 8).toArray();
    }

    private Rings random(RandomGenerator random, int jobs) {
        Rings rings = new Rings(topology);
        IntStream.range(0, jobs).forEach(job -> rings.on(servers(random)));
        return rings;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void one_job_runs_as_it_does_without_contention(long seed) {
        Rings rings = random(RandomStreams.stream(seed, "test/rings"), 1);
        for (Contention contention :
                List.of(new Contention.SjfBco(0, 1), new Contention.SjfBco(0.5, 1), new Contention.MaxMin())) {
            PerformanceModel model = new RingPerformance(topology, InterferenceModel.NONE, contention);

            assertThat(rings.rate(model, 0)).isEqualTo(rings.rate(alone, 0));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void one_more_job_speeds_nobody_up(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/rings");
        Contention law = new Contention.SjfBco(random.nextDouble(), 1 - random.nextDouble());
        PerformanceModel model = new RingPerformance(topology, InterferenceModel.NONE, law);
        Rings rings = random(random, 2);
        while (rings.count() < 12) {
            double[] before = IntStream.range(0, rings.count())
                    .mapToDouble(job -> rings.rate(model, job))
                    .toArray();
            rings.on(servers(random));
            for (int job = 0; job < before.length; job++) {
                assertThat(rings.rate(model, job)).isLessThanOrEqualTo(before[job]);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void shares_fit_the_links_and_nobody_could_have_more_without_a_poorer_one_losing(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/rings");
        Rings rings = random(random, 2 + random.nextInt(12));
        LinkSharing sharing = new Contention.MaxMin().on(topology);
        double[] share = IntStream.range(0, rings.count())
                .mapToDouble(job -> rings.bytesPerSecond(sharing, job))
                .toArray();
        boolean[] held = new boolean[share.length];
        for (int link = 0; link < links.count(); link++) {
            int passed = link;
            int[] users = IntStream.range(0, share.length)
                    .filter(job -> links.passes(rings.placement(job), passed))
                    .toArray();
            double sum = IntStream.of(users).mapToDouble(job -> share[job]).sum();
            double most =
                    IntStream.of(users).mapToDouble(job -> share[job]).max().orElse(0);
            double slack = 1e-9 * links.bytesPerSecond(link);
            assertThat(sum).isLessThanOrEqualTo(links.bytesPerSecond(link) + slack);
            for (int job : users) {
                held[job] |= sum > links.bytesPerSecond(link) - slack && share[job] > most - slack;
            }
        }
        for (int job = 0; job < share.length; job++) {
            assertThat(held[job]).as("job %d has a bottleneck", job).isEqualTo(!Double.isInfinite(share[job]));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void raising_all_shares_drop_by_drop_ends_at_the_same(long seed) {
        Rings rings = random(RandomStreams.stream(seed, "test/rings"), 4);
        LinkSharing sharing = new Contention.MaxMin().on(topology);
        double drop = 1e6;
        double[] share = new double[rings.count()];
        double[] sent = new double[links.count()];
        for (double level = 0; level < 13e9; level += drop) {
            for (int job = 0; job < share.length; job++) {
                int[] route = new int[links.count()];
                int passed = links.usedBy(rings.placement(job), route);
                if (IntStream.range(0, passed).allMatch(i -> sent[route[i]] + drop <= links.bytesPerSecond(route[i]))) {
                    share[job] += drop;
                    IntStream.range(0, passed).forEach(i -> sent[route[i]] += drop);
                }
            }
        }
        for (int job = 0; job < share.length; job++) {
            double exact = rings.bytesPerSecond(sharing, job);
            if (!Double.isInfinite(exact)) {
                assertThat(share[job]).isCloseTo(exact, within(10 * drop));
            }
        }
    }
}
