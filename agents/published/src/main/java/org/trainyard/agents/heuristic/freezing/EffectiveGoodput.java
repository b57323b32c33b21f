package org.trainyard.agents.heuristic.freezing;

import java.util.HashMap;
import java.util.Map;
import org.trainyard.agents.heuristic.elastic.JobGoodput;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.freezing.FreezingProfile;
import org.trainyard.env.workload.goodput.GoodputModel;
import org.trainyard.env.workload.goodput.GoodputProfile;

/**
 * IceFrog's effective progress of jobs at the present time of their training: at the best number of frozen layers, from
 * those that are frozen now to the most whose share of the gradient energy the owner tolerates.
 *
 * <p>As a goodput it is the best over numbers of layers on each size of allocation, and is compared to that with all
 * layers active; as a rule it freezes the best number for the present placement. A job with a constant batch has the
 * effective progress of its throughput alone on the placement. Goodputs are remembered, for jobs of one model meet the
 * same over and over.
 */
final class EffectiveGoodput implements JobGoodput, FreezeRule {
    private record Size(GoodputModel model, int nodes, int gpus) {}

    private final PerformanceModel alone;
    private final boolean freezes;
    private final Map<Size, Double> known = new HashMap<>();

    /** @param freezes whether any layers are frozen at all */
    EffectiveGoodput(Topology topology, boolean freezes) {
        this.freezes = freezes;
        alone = new RingPerformance(topology, InterferenceModel.NONE);
    }

    private double goodput(GoodputModel model, int nodes, int gpus) {
        return known.computeIfAbsent(
                new Size(model, nodes, gpus), size -> model.best(nodes, gpus).goodput());
    }

    private int cap(FreezingProfile freezing, int stage) {
        return freezes ? freezing.cap(stage) : 0;
    }

    private static double done(SimView view, int job) {
        return view.progressSeconds(job) * view.submitted(job).idealIterationsPerSecond();
    }

    @Override
    public BySize reference(SimView view, int job) {
        return JobGoodput.of(view, job, view.submitted(job).model().of(GoodputProfile.class));
    }

    @Override
    public BySize now(SimView view, int job) {
        GoodputProfile active = view.submitted(job).model().of(GoodputProfile.class);
        FreezingProfile freezing = view.submitted(job).model().of(FreezingProfile.class);
        if (active == null || freezing == null) {
            return reference(view, job);
        }
        int block = freezing.network().shares().blockLayers();
        int stage = freezing.stage(view.trainedShare(job));
        int fewest = view.frozenLayers(job);
        int choices = 1 + Math.max(0, cap(freezing, stage) - fewest) / block;
        GoodputModel[] models = new GoodputModel[choices];
        double[] left = new double[choices];
        for (int i = 0; i < choices; i++) {
            models[i] = freezing.frozen(active, fewest + i * block).after(done(view, job));
            left[i] = freezing.progressLeft(fewest + i * block, stage);
        }
        return (nodes, gpus) -> {
            double most = 0;
            for (int i = 0; i < models.length; i++) {
                most = Math.max(most, goodput(models[i], nodes, gpus) * left[i]);
            }
            return most;
        };
    }

    @Override
    public double layers(SimView view, int job, FreezingProfile freezing) {
        int stage = freezing.stage(view.trainedShare(job));
        int best = view.frozenLayers(job);
        double most = progress(view, job, freezing, best, stage);
        int block = freezing.network().shares().blockLayers();
        for (int layers = best + block; layers <= cap(freezing, stage); layers += block) {
            double progress = progress(view, job, freezing, layers, stage);
            if (progress > most) {
                most = progress;
                best = layers;
            }
        }
        return best;
    }

    /** Effective progress on the present placement. */
    private double progress(SimView view, int job, FreezingProfile freezing, int layers, int stage) {
        JobSpec spec = view.submitted(job);
        Placement placement = view.placement(job);
        GoodputProfile active = spec.model().of(GoodputProfile.class);
        double rate;
        if (active == null) {
            rate = alone.aloneRate(layers == 0 ? spec : spec.training(freezing.left(spec.model(), layers)), placement);
        } else {
            int gpus = Math.min(placement.gpuCount(), active.limits().mostReplicas());
            rate = goodput(
                    freezing.frozen(active, layers).after(done(view, job)),
                    Math.min(placement.serverCount(), gpus),
                    gpus);
        }
        return rate * freezing.progressLeft(layers, stage);
    }
}
