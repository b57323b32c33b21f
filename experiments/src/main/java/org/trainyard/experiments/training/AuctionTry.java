package org.trainyard.experiments.training;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.trainyard.agents.learned.auction.AuctionPpo;
import org.trainyard.agents.learned.auction.AuctionScheduler;
import org.trainyard.agents.learned.auction.BidNetwork;
import org.trainyard.agents.learned.auction.InitialBids;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.run.Experiment;

/** Throw-away. */
public final class AuctionTry {
    private AuctionTry() {}

    static double p(Map<String, String> o, String key, double otherwise) {
        return o.containsKey(key) ? Double.parseDouble(o.get(key)) : otherwise;
    }

    public static void main(String[] args) {
        List<String> sets = new ArrayList<>();
        Map<String, String> o = new ConcurrentHashMap<>();
        for (String arg : Arrays.asList(args).subList(1, args.length)) {
            if (arg.startsWith("@")) {
                o.put(arg.substring(1, arg.indexOf('=')), arg.substring(arg.indexOf('=') + 1));
            } else {
                sets.add(arg);
            }
        }
        Experiment experiment = new Experiment(ConfigReader.read(Path.of(args[0]), sets));
        boolean preemption = experiment.config().environment().preemption();
        AuctionSettings auction =
                new AuctionSettings((int) p(o, "jobs", 6), (int) p(o, "sets", 8), preemption, p(o, "patience", 1) > 0);
        List<Workload> validation = experiment.validation();
        Map<Long, Workload> cache = new ConcurrentHashMap<>();
        AuctionPpo.World world = new AuctionPpo.World() {
            @Override
            public Simulator simulator(long episode) {
                cache.keySet().removeIf(key -> key < episode - 16);
                return experiment.simulator(cache.computeIfAbsent(episode, experiment::train));
            }

            @Override
            public Auctioneer auctioneer(SimView view) {
                return new Auctioneer(view, auction, experiment.domains(), experiment.belief());
            }
        };
        AuctionPpo.Settings settings = new AuctionPpo.Settings(
                (int) p(o, "groups", 2),
                (int) p(o, "group", 8),
                p(o, "tau", 10),
                (int) p(o, "epochs", 3),
                (int) p(o, "minibatch", 512),
                p(o, "rate", 0.006),
                p(o, "final", 0.001),
                0.2,
                p(o, "entropy", 0.003),
                p(o, "kl", 0.03),
                p(o, "average", 0.8),
                p(o, "baseline", 1) > 0,
                p(o, "control", 1) > 0);
        long seed = experiment.config().seed();
        int hidden = (int) p(o, "hidden", 16);
        BidNetwork start = p(o, "rule", 0) > 0
                ? InitialBids.patient(hidden, p(o, "rule", 5), RandomStreams.stream(seed, "weights"))
                : InitialBids.random(hidden, RandomStreams.stream(seed, "weights"));
        int updates = (int) p(o, "updates", 40);
        AuctionPpo ppo = new AuctionPpo(start, settings, world, experiment.workers(), updates, seed);
        for (String name : o.getOrDefault("rivals", "").split(";")) {
            if (!name.isEmpty()) {
                System.out.printf("%s: %.0f%n", name, mean(experiment, validation, i -> experiment.scheduler(name, i)));
            }
        }
        System.out.printf(
                "untrained: %.0f%n",
                mean(
                        experiment,
                        validation,
                        i -> new AuctionScheduler(ppo.averaged(), auction, experiment.domains(), experiment.belief())));
        long begin = System.nanoTime();
        for (int u = 0; u < updates; u++) {
            String line = ppo.update();
            if ((u + 1) % (int) p(o, "report", 5) == 0 || u == 0) {
                System.out.printf("%5.0f s %s%n", (System.nanoTime() - begin) / 1e9, line);
            }
            if ((u + 1) % (int) p(o, "validate", 10) == 0) {
                System.out.printf(
                        "      validation %.0f%n",
                        mean(
                                experiment,
                                validation,
                                i -> new AuctionScheduler(
                                        ppo.averaged(), auction, experiment.domains(), experiment.belief())));
            }
        }
        experiment.close();
    }

    static double mean(Experiment experiment, List<Workload> episodes, java.util.function.IntFunction<Scheduler> of) {
        List<Double> all = experiment
                .workers()
                .map(
                        episodes.size(),
                        i -> experiment
                                .simulator(episodes.get(i))
                                .run(of.apply(i))
                                .meanJctSeconds(),
                        () -> {});
        return IntStream.range(0, all.size()).mapToDouble(all::get).average().orElse(0);
    }
}
