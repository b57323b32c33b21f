package org.trainyard.agents.learned.auction;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;

/** Learns to bid by proximal policy optimisation on whole episodes; see {@link GroupAdvantages} for its signal. */
public final class AuctionPpo {
    /** The world in which bids are learned; must be safe for several threads. */
    public interface World {
        /** A new simulator at the start of a training episode. */
        Simulator simulator(long episode);

        /** The auctioneer of a run. */
        Auctioneer auctioneer(SimView view);
    }

    public record Settings(
            int groups,
            int group,
            double tauHours,
            int epochs,
            int minibatch,
            double learningRate,
            double finalLearningRate,
            double clip,
            double entropy,
            double targetKl,
            double average,
            boolean groupBaseline,
            boolean controlVariate) {}

    private static final int CHUNKS = 4;

    private final BidNetwork network;
    private final BidNetwork averaged;
    private final Settings settings;
    private final World world;
    private final WorkerPool pool;
    private final long seed;
    private final int planned;
    private final List<EpisodeRecord> records = new ArrayList<>();
    private final float[] first;
    private final float[] second;
    private long steps;
    private int updates;

    public AuctionPpo(BidNetwork start, Settings settings, World world, WorkerPool pool, int planned, long seed) {
        network = start;
        averaged = start.copy();
        this.settings = settings;
        this.world = world;
        this.pool = pool;
        this.seed = seed;
        this.planned = planned;
        first = new float[start.weights().length];
        second = new float[start.weights().length];
        for (int i = 0; i < settings.groups() * settings.group(); i++) {
            records.add(new EpisodeRecord());
        }
    }

    public BidNetwork averaged() {
        return averaged;
    }

    public int updates() {
        return updates;
    }

    /** One update; returns a line of figures. */
    public String update() {
        long t0 = System.nanoTime();
        int count = records.size();
        pool.each(count, i -> {
            Simulator simulator = world.simulator((long) updates * settings.groups() + i / settings.group());
            RandomGenerator random = RandomStreams.stream(seed, "play/%d/%d".formatted(updates, i));
            new EpisodePlayer(network).play(simulator, world.auctioneer(simulator.view()), random, records.get(i));
        });
        long t1 = System.nanoTime();
        GroupAdvantages advantages = new GroupAdvantages(
                records, settings.group(), settings.tauHours(), settings.groupBaseline(), settings.controlVariate());
        double[] figures = learn(advantages);
        float keep = (float) (updates == 0 ? 0 : settings.average());
        for (int w = 0; w < averaged.weights().length; w++) {
            averaged.weights()[w] = keep * averaged.weights()[w] + (1 - keep) * network.weights()[w];
        }
        updates++;
        long decisions = records.stream().mapToLong(r -> r.auctions).sum();
        long t2 = System.nanoTime();
        return "update %d: JCT %.0f decisions %d bids/dec %.1f spread %.1f -> %.1f -> %.1f KL %.4f entropy %.3f clip %.3f steps %.0f; play %.2f s learn %.2f s, %.0f/s"
                .formatted(
                        updates,
                        records.stream()
                                .mapToDouble(r -> r.meanJctSeconds)
                                .average()
                                .orElse(0),
                        decisions,
                        (double) records.stream().mapToLong(r -> r.totalBids).sum() / decisions,
                        advantages.rawSpread(),
                        advantages.groupSpread(),
                        advantages.leftSpread(),
                        figures[0],
                        figures[1],
                        figures[2],
                        figures[3],
                        (t1 - t0) / 1e9,
                        (t2 - t1) / 1e9,
                        decisions / ((t2 - t0) / 1e9));
    }

    private double[] learn(GroupAdvantages advantages) {
        int total = records.stream().mapToInt(r -> r.auctions).sum();
        long[] order = new long[total];
        int n = 0;
        for (int i = 0; i < records.size(); i++) {
            for (int a = 0; a < records.get(i).auctions; a++) {
                order[n++] = ((long) i << 32) | a;
            }
        }
        double progress = Math.min(1, (double) updates / planned);
        double rate = settings.learningRate() + progress * (settings.finalLearningRate() - settings.learningRate());
        double kl = 0;
        double entropy = 0;
        double clipped = 0;
        int batches = 0;
        BidGradient[] chunks = IntStream.range(0, CHUNKS)
                .mapToObj(c -> new BidGradient(network, settings.clip(), settings.entropy()))
                .toArray(BidGradient[]::new);
        float[] gradient = new float[network.weights().length];
        for (int epoch = 0; epoch < settings.epochs(); epoch++) {
            shuffle(order, RandomStreams.stream(seed, "shuffle/%d/%d".formatted(updates, epoch)));
            double epochKl = 0;
            int epochBatches = 0;
            for (int from = 0; from + settings.minibatch() <= total; from += settings.minibatch()) {
                int begin = from;
                int size = settings.minibatch();
                pool.each(CHUNKS, c -> {
                    BidGradient chunk = chunks[c];
                    chunk.clear();
                    for (int i = begin + c * size / CHUNKS; i < begin + (c + 1) * size / CHUNKS; i++) {
                        int episode = (int) (order[i] >>> 32);
                        int auction = (int) order[i];
                        chunk.add(records.get(episode), auction, advantages.of(episode)[auction]);
                    }
                });
                Arrays.fill(gradient, 0);
                for (BidGradient chunk : chunks) {
                    chunk.addTo(gradient, 1f / size);
                    epochKl += chunk.kl() / size;
                    entropy += chunk.entropySum() / size;
                    clipped += chunk.clippedCount() / (double) size;
                }
                adam(gradient, rate);
                epochBatches++;
                batches++;
            }
            kl = epochKl / Math.max(1, epochBatches);
            if (settings.targetKl() > 0 && kl > settings.targetKl()) {
                break;
            }
        }
        int b = Math.max(1, batches);
        return new double[] {kl, entropy / b, clipped / b, batches};
    }

    private static void shuffle(long[] order, RandomGenerator random) {
        for (int i = order.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            long swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
    }

    private void adam(float[] gradient, double rate) {
        double norm = 0;
        for (float g : gradient) {
            norm += g * g;
        }
        float scale = (float) Math.min(1, 1 / Math.max(1e-12, Math.sqrt(norm)));
        steps++;
        double correction = Math.sqrt(1 - Math.pow(0.999, (double) steps)) / (1 - Math.pow(0.9, (double) steps));
        float step = (float) (rate * correction);
        float[] weights = network.weights();
        for (int w = 0; w < weights.length; w++) {
            float g = gradient[w] * scale;
            first[w] = 0.9f * first[w] + 0.1f * g;
            second[w] = 0.999f * second[w] + 0.001f * g * g;
            weights[w] += step * first[w] / ((float) Math.sqrt(second[w]) + 1e-8f);
        }
    }
}
