package org.trainyard.agents.bench;

import ai.onnxruntime.OrtException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidEncoder;
import org.trainyard.agents.learned.auction.BidNetwork;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.auction.BidScorer;
import org.trainyard.agents.learned.export.AuctionArrays;
import org.trainyard.agents.learned.export.BidGraph;
import org.trainyard.agents.learned.export.RuntimeSession;
import org.trainyard.agents.learned.inside.InsideLevel;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionQueue;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Interiors;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;
import org.trainyard.gnn.cluster.ClusterEncoder;
import org.trainyard.gnn.onnx.TensorData;

/**
 * The time to score one decision in Java and in ONNX Runtime, on one thread, for policies of each kind with random
 * weights: medians and means, a line of a table each. Both score the same decisions in their order, so that Java
 * keeps what it keeps between decisions.
 *
 * <p>A program, whose arguments are kinds of policies. The first decisions of an episode are played four times,
 * equal to the bit, and of the four times that a decision took the least counts. The columns of a decision are
 * computed before in both cases; the time of ONNX Runtime includes making tensors of them.
 */
public final class PolicyRuntimeTable {
    private static final int REPETITIONS = 4;
    private static final int JOBS = 400;
    private static final int DECISIONS = 400;

    /** Least times of the decisions of an episode, in its order. */
    private static final class Times {
        private long[] least = new long[0];
        private final List<Long> present = new ArrayList<>();

        void add(long nanos) {
            present.add(nanos);
        }

        void endEpisode() {
            long[] times = present.stream().mapToLong(Long::longValue).toArray();
            for (int i = 0; i < least.length; i++) {
                times[i] = Math.min(times[i], least[i]);
            }
            least = times;
            present.clear();
        }

        String figures() {
            long[] sorted = least.clone();
            Arrays.sort(sorted);
            return "%.1f (%.1f, %.1f)"
                    .formatted(
                            sorted[sorted.length / 2] / 1e3,
                            sorted[sorted.length * 99 / 100] / 1e3,
                            Arrays.stream(sorted).average().orElse(0) / 1e3);
        }

        int count() {
            return least.length;
        }
    }

    private final Times java = new Times();

    private final Times runtime = new Times();

    private PolicyRuntimeTable() {}

    public static void main(String[] policies) throws OrtException {
        new PolicyRuntimeTable().print(policies.length == 0 ? List.of("bids", "encoder") : List.of(policies));
    }

    private void print(List<String> policies) throws OrtException {
        System.out.println("\nmicroseconds a decision, median (99th percentile, mean)");
        System.out.println("| policy | decisions | in Java | ONNX Runtime |\n|---|--:|--:|--:|");
        Topology medium = topology("medium");
        Topology large = topology("large");
        for (String policy : policies) {
            switch (policy) {
                case "bids" -> {
                    bids("bids, medium", medium, bidPolicy(null));
                    bids("bids, large", large, bidPolicy(null));
                }
                case "encoder" -> {
                    BidEncoder encoder = BidEncoder.random(ClusterEncoder.Kind.HIERARCHICAL, 16, 2, 1);
                    bids("bids with encoder, medium", medium, bidPolicy(encoder));
                    bids("bids with encoder, large", large, bidPolicy(encoder));
                }
                case "inside" -> {
                    BidEncoder fabric = BidEncoder.random(ClusterEncoder.Kind.HIERARCHICAL, 16, 1, 1);
                    InsideLevel inside = InsideLevel.shipped(false);
                    BidEncoder both = BidEncoder.random(ClusterEncoder.Kind.HIERARCHICAL, 16, 1, inside, 1);
                    for (int racks : new int[] {16, 256}) {
                        Topology mixed = mixed(racks);
                        String name = ", %d servers of four interiors".formatted(mixed.servers());
                        bids("bids" + name, mixed, bidPolicy(null));
                        bids("bids with encoder" + name, mixed, bidPolicy(fabric));
                        bids("bids with both levels" + name, mixed, bidPolicy(both));
                    }
                }
                default -> throw new IllegalArgumentException("no policy (%s)".formatted(policy));
            }
        }
    }

    private static Topology topology(String name) {
        return Objects.requireNonNull(Topologies.parse(name), name);
    }

    /** Racks of 16 servers of eight GPUs, of four interiors in turns. */
    private static Topology mixed(int racks) {
        ServerSpec plain = new ServerSpec(GpuType.V100, 2, 8, false);
        List<ServerSpec> rack = new ArrayList<>();
        for (int server = 0; server < 16; server++) {
            String interior = List.of("uniform", "dgx1v", "pairs", "pcie").get(server % 4);
            rack.add(plain.with(Interiors.named(interior)));
        }
        Topology.Builder builder = new Topology.Builder("mixed", Fabric.DEFAULT);
        for (int i = 0; i < racks; i++) {
            builder.rack(rack);
        }
        return builder.build();
    }

    private void print(String name) {
        System.out.printf("| %s | %d | %s | %s |%n", name, java.count(), java.figures(), runtime.figures());
        java.least = new long[0];
        runtime.least = new long[0];
    }

    private static BidPolicy bidPolicy(@Nullable BidEncoder encoder) {
        BidNetwork network = new BidNetwork(16, encoder == null ? 0 : encoder.inputs());
        RandomGenerator random = RandomStreams.stream(4, "bench/weights");
        for (int w = 0; w < network.weights().length; w++) {
            network.weights()[w] = (float) (0.2 * random.nextGaussian());
        }
        return new BidPolicy(network, encoder, RemainingTime.GITTINS, 6, 8, 2, true);
    }

    private static Deployment deployment(Topology topology) {
        return new Deployment(topology, Domains.racks(topology), true, AnalyticInterference.DEFAULT);
    }

    private static Simulator simulator(Topology topology) {
        Workload workload = BenchWorlds.workload(topology, BenchWorlds.generated(topology, JOBS, 0.9));
        return BenchWorlds.simulator(topology, workload);
    }

    /** Ends an episode once there are enough decisions; a policy with random weights may play for very long. */
    private static final class Enough extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private void play(Topology topology, Scheduler scheduler) {
        try {
            simulator(topology).run(scheduler);
        } catch (Enough e) {
            // The decisions that are wanted are timed.
            return;
        }
    }

    private void requireMore() {
        if (java.present.size() == DECISIONS) {
            throw new Enough();
        }
    }

    private void bids(String name, Topology topology, BidPolicy policy) throws OrtException {
        try (RuntimeSession session = new RuntimeSession(BidGraph.of(policy))) {
            for (int i = 0; i < REPETITIONS; i++) {
                play(topology, new TimedBids(policy, deployment(topology), session));
                java.endEpisode();
                runtime.endEpisode();
            }
        }
        print(name);
    }

    /** {code AuctionScheduler}, whose scores are timed. */
    private final class TimedBids implements Scheduler {
        private final BidPolicy policy;
        private final Deployment deployment;
        private final RuntimeSession session;
        private final DecisionQueue decided = new DecisionQueue();
        private @Nullable Auctioneer auctioneer;
        private @Nullable BidScorer scorer;

        TimedBids(BidPolicy policy, Deployment deployment, RuntimeSession session) {
            this.policy = policy;
            this.deployment = deployment;
            this.session = session;
        }

        @Override
        public Decision decide(SimView view) {
            Auctioneer present = auctioneer;
            if (present == null) {
                present = policy.auctioneer(view, deployment);
                auctioneer = present;
                scorer = new BidScorer(policy, present);
            }
            while (decided.isEmpty()) {
                present.settle(decided);
                if (decided.isEmpty()) {
                    Auction auction = present.open();
                    int best = best(auction, present.mayWait());
                    if (auction.kind(best) == BidKind.WAIT) {
                        return present.untilNext();
                    }
                    present.win(best, decided);
                }
            }
            return decided.remove();
        }

        private int best(Auction auction, boolean mayWait) {
            if (auction.size() == 1) {
                return 0;
            }
            requireMore();
            BidScorer own = Objects.requireNonNull(scorer);
            long begin = System.nanoTime();
            float[] scores = own.score(auction);
            long end = System.nanoTime();
            java.add(end - begin);
            begin = System.nanoTime();
            run(session, AuctionArrays.of(auction, policy.encoder(), own.graph(), mayWait));
            runtime.add(System.nanoTime() - begin);
            int best = mayWait ? 0 : 1;
            for (int bid = best + 1; bid < auction.size(); bid++) {
                best = scores[bid] > scores[best] ? bid : best;
            }
            return best;
        }
    }

    private static void run(RuntimeSession session, List<TensorData> inputs) {
        try {
            session.run(inputs);
        } catch (OrtException e) {
            throw new IllegalStateException(e);
        }
    }
}
