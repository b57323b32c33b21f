package org.trainyard.env.gym.auction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.scheduling.pairs.ObservedPairs;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;

/** The columns of bids for parts of GPUs, of random plays on three servers of four GPUs, against their definitions. */
class SharedBidsByHandTest {
    private static final double CPU = 1200;
    private static final double MEMORY = 4000;
    private static final Topology TOPOLOGY = Topology.uniform(
            "parts",
            Fabric.DEFAULT,
            1,
            3,
            ServerSpec.ofV100(4).with(GpuSharing.FRACTIONS).withHost(1200, 4000),
            1);

    private static Pressure pressure(RandomGenerator random) {
        return new Pressure(random.nextDouble(), random.nextDouble(), random.nextDouble(), random.nextDouble());
    }

    private static Simulator simulator(RandomGenerator random) {
        TimedJobs list = TimedJobs.list();
        List<ModelProfile> models = IntStream.range(0, 4)
                .mapToObj(i -> new ModelProfile("model" + i, 1, 0, 1, pressure(random), pressure(random)))
                .toList();
        for (int job = 0; job < 60; job++) {
            Demand demand = random.nextInt(6) == 0
                    ? Demand.ofGpus(random.nextInt(1, 7))
                    : Demand.ofGpus(1).withGpuMilli(random.nextInt(200, 701));
            list.job(
                    models.get(random.nextInt(4)),
                    demand.withHost(demand.gpus() * random.nextLong(0, 200), demand.gpus() * random.nextLong(0, 600)),
                    job * 8L,
                    random.nextInt(30, 400));
        }
        return new World(
                        TOPOLOGY,
                        new RingPerformance(TOPOLOGY, AnalyticInterference.DEFAULT),
                        new Simulator.Options(0, true))
                .simulator(list.workload());
    }

    /** The job that stays longest of those on a GPU. */
    private static OptionalInt sharer(SimView view, int gpu, int except) {
        Comparator<Integer> byTime = Comparator.comparingDouble(view::predictedRemainingSeconds);
        return IntStream.range(0, view.arrived())
                .filter(job -> job != except && view.runningCount() > 0 && isOn(view, job, gpu))
                .boxed()
                .max(byTime)
                .map(OptionalInt::of)
                .orElse(OptionalInt.empty());
    }

    private static boolean isOn(SimView view, int job, int gpu) {
        for (int running = view.firstRunning(); running != SimView.NONE; running = view.nextRunning(running)) {
            Placement place = view.placement(running);
            if (running == job && IntStream.range(0, place.gpuCount()).anyMatch(i -> place.gpu(i) == gpu)) {
                return true;
            }
        }
        return false;
    }

    private static Map<BidColumn, Double> expected(SimView view, Auction auction, int bid, ObservedPairs belief) {
        Map<BidColumn, Double> columns = new EnumMap<>(BidColumn.class);
        int job = auction.job(bid);
        Demand demand = view.job(job).demand();
        ModelProfile model = view.job(job).model();
        boolean isPart = demand.gpuMilli() < 1000;
        columns.put(BidColumn.PART, isPart ? demand.gpuMilli() / 1000.0 : 0);
        columns.put(BidColumn.PRESSURE_GPU, isPart ? model.pressure().gpu() : 0);
        columns.put(BidColumn.SENSITIVITY_GPU, isPart ? model.sensitivity().gpu() : 0);
        columns.put(BidColumn.PAIR_ERROR, Math.min(2, belief.error()));
        boolean makesRoom = auction.kind(bid) == BidKind.MAKE_ROOM;
        int victim = makesRoom ? Objects.requireNonNull(auction.plan(bid)).victim(0) : job;
        int gpu = makesRoom ? view.placement(victim).gpu(0) : auction.gpu(bid);
        OptionalInt sharer = isPart ? sharer(view, gpu, victim) : OptionalInt.empty();
        for (BidColumn column : EnumSet.range(BidColumn.SHARER_TIME, BidColumn.SHARER_SENSITIVITY_PCIE)) {
            columns.put(column, 0.0);
        }
        columns.put(BidColumn.SHARER_MEASURED, 0.0);
        if (sharer.isPresent()) {
            ModelProfile other = view.job(sharer.getAsInt()).model();
            columns.put(BidColumn.SHARER_TIME, Math.log1p(view.predictedRemainingSeconds(sharer.getAsInt()) / 60) / 10);
            columns.put(BidColumn.SHARER_PRESSURE_GPU, other.pressure().gpu());
            columns.put(BidColumn.SHARER_PRESSURE_SOCKET, other.pressure().socket());
            columns.put(BidColumn.SHARER_PRESSURE_PCIE, other.pressure().pcie());
            columns.put(BidColumn.SHARER_SENSITIVITY_GPU, other.sensitivity().gpu());
            columns.put(BidColumn.SHARER_SENSITIVITY_SOCKET, other.sensitivity().socket());
            columns.put(BidColumn.SHARER_SENSITIVITY_PCIE, other.sensitivity().pcie());
            columns.put(BidColumn.SHARER_MEASURED, belief.isMeasured(model, other) ? 1.0 : 0);
        }
        if (!makesRoom) {
            ofSet(view, auction, bid, columns);
        }
        return columns;
    }

    private static void ofSet(SimView view, Auction auction, int bid, Map<BidColumn, Double> columns) {
        Demand demand = view.job(auction.job(bid)).demand();
        Cluster cluster = view.cluster();
        double cpu = 1;
        double memory = 1;
        double left = 0;
        double opened = 0;
        boolean isShared = auction.gpu(bid) != SimView.NONE && cluster.owner(auction.gpu(bid)) != Cluster.FREE;
        int first = auction.servers().first(bid);
        for (int i = first; i < auction.servers().end(bid); i++) {
            int server = auction.servers().server(i);
            double share = (double) auction.gpusOn(i) / demand.gpus();
            cpu = Math.min(cpu, (cluster.freeCpuMilli(server) - share * demand.cpuMilli()) / CPU);
            memory = Math.min(memory, (cluster.freeMemoryMib(server) - share * demand.memoryMib()) / MEMORY);
            left += cluster.freeOn(server) - (isShared ? 0 : auction.gpusOn(i));
            opened += cluster.freeOn(server) == 4 ? 1 : 0;
        }
        columns.put(BidColumn.CPU_LEFT, cpu);
        columns.put(BidColumn.MEMORY_LEFT, memory);
        columns.put(BidColumn.LEFTOVER, left / 4);
        columns.put(BidColumn.FILLS, left == 0 || isShared ? 1.0 : 0);
        columns.put(BidColumn.OPENS, isShared ? -1 : opened / 4);
        double taken = isShared ? 0 : demand.gpus();
        columns.put(BidColumn.FREE_AFTER, (cluster.free() - taken) / 12);
        columns.put(BidColumn.RACK_FREE_AFTER, (cluster.free() - taken) / 12);
        long empty = IntStream.range(0, 3).filter(s -> cluster.freeOn(s) == 4).count();
        columns.put(BidColumn.EMPTY_AFTER, (empty - (isShared ? 0 : opened)) / 3);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void every_column_is_what_its_definition_says(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/parts");
        Simulator simulator = simulator(random);
        SimView view = simulator.view();
        ObservedPairs belief = new ObservedPairs(new AnalyticInterference(0, 0, 0, 0.5));
        Auctioneer auctioneer = new Auctioneer(
                view,
                new AuctionSettings(RemainingTime.PREDICTED, 6, 5, 2, true, true),
                Domains.racks(TOPOLOGY),
                belief);
        Set<BidKind> seen = EnumSet.noneOf(BidKind.class);
        int[] measured = {0};
        while (simulator.advance()) {
            simulator.apply(auctioneer.play(simulator, (auction, firstLegal) -> {
                for (int bid = 1; bid < auction.size(); bid++) {
                    seen.add(auction.kind(bid));
                    measured[0] += auction.column(bid, BidColumn.SHARER_MEASURED) == 1 ? 1 : 0;
                    for (Map.Entry<BidColumn, Double> column :
                            expected(view, auction, bid, belief).entrySet()) {
                        assertThat((double) auction.column(bid, column.getKey()))
                                .as("%s of %s", column.getKey(), auction.kind(bid))
                                .isCloseTo(column.getValue(), within(2e-5));
                    }
                }
                return random.nextInt(firstLegal, auction.size());
            }));
        }
        assertThat(seen).contains(BidKind.START, BidKind.MAKE_ROOM, BidKind.MOVE);
        assertThat(measured[0])
                .as("bids beside a model whose slowdown was measured")
                .isGreaterThan(50);
    }
}
