package org.trainyard.experiments.config;

import static org.trainyard.env.InvalidFieldException.atLeast;
import static org.trainyard.env.InvalidFieldException.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.binding.Nearest;
import org.trainyard.env.binding.OptionalKey;
import org.trainyard.env.binding.YamlReader;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.Stragglers;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.performance.ring.ServerDivision;
import org.trainyard.env.simulation.HeldLimits;
import org.trainyard.env.simulation.LimitsProvider;
import org.trainyard.env.simulation.Outages;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.Quotas;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.io.InputFiles;

/**
 * The ground truth of the simulator.
 *
 * @param interference slowdown by co-located jobs
 * @param contention how ring all-reduce traffic shares network links
 * @param stragglers variation of speed among a job's workers: 1 as measured, 0 for none
 * @param outages failures of servers and GPUs
 * @param preemption preemptible jobs, and their loss of work beside the restart; null for all jobs and no loss
 * @param graphTraining how jobs that train on graphs divide a server: {@code isolated} or {@code even}; null for
 *     {@code none}
 * @param quotas GPU quotas of virtual clusters; a virtual cluster without a quota has no limit
 * @param maintenance planned maintenance, each [from, until, nodes]: seconds since the first submission, and
 *     {@code all} or servers by index or name, {@code 0-3,7}; null for none
 * @param limits a slurm.conf whose limits of associations and QOS and whose licences hold for every scheduler, or null
 */
public record PhysicsConfig(
        InterferenceConfig interference,
        Contention contention,
        double stragglers,
        RestartCost restart,
        OutagesConfig outages,
        @OptionalKey @Nullable PreemptionConfig preemption,
        @OptionalKey @Nullable String graphTraining,
        List<Quota> quotas,
        @OptionalKey @Nullable List<List<String>> maintenance,
        @OptionalKey @Nullable String limits) {

    /** The GPU quota of one virtual cluster. */
    public record Quota(String virtualCluster, int gpus) {
        public Quota {
            atLeast(0, "gpus", gpus);
        }
    }

    /** The physics of a simulation to which nothing else is said. */
    public static final PhysicsConfig DEFAULT = new PhysicsConfig(
            new InterferenceConfig.Analytic(AnalyticInterference.DEFAULT),
            Contention.NONE,
            0,
            new RestartCost.Fixed(30),
            new OutagesConfig.None(),
            null,
            null,
            List.of(),
            null,
            null);

    public PhysicsConfig {
        within(0, 1e6, "stragglers", stragglers);
        quotas = List.copyOf(quotas);
        if (maintenance != null) {
            maintenance = List.copyOf(maintenance);
            MaintenanceSpans.check(maintenance);
        }
        if (graphTraining != null) {
            List<String> known =
                    ServerDivision.all().stream().map(ServerDivision::label).toList();
            if (!known.contains(graphTraining)) {
                throw new InvalidFieldException("graphTraining", graphTraining, Nearest.oneOf(graphTraining, known));
            }
        }
        if (quotas.stream().map(Quota::virtualCluster).distinct().count() < quotas.size()) {
            throw new InvalidFieldException("quotas", quotas, "each virtual cluster once");
        }
        if (interference.countsNic() && !contention.equals(Contention.NONE)) {
            String without = interference instanceof InterferenceConfig.Analytic law
                    ? "nic_weight 0 rather than " + law.law().nicWeight()
                    : "no measurements over the network";
            throw new InvalidFieldException(
                    "interference", interference, without + ", because contention counts the network card already");
        }
    }

    /** Reads a file in YAML whose keys are the components of this record. */
    public static PhysicsConfig read(Path file) {
        return FormerKeys.bind(YamlReader.read(file.toString(), InputFiles.text(file)), PhysicsConfig.class);
    }

    /** Remarks on the files that it names, which are read for them. */
    public List<String> remarks() {
        return interference.read().remarks();
    }

    /** Whether a model of contention slows jobs that share a network card. */
    public boolean isContended() {
        return !contention.equals(Contention.NONE);
    }

    /** Cost of a restart, and the preemption rules that differ from free preemption, in words. */
    public String preemptionInWords() {
        List<String> said = new ArrayList<>(List.of(restart.describe()));
        said.addAll(preemption == null ? List.of() : preemption.describe());
        return String.join(", ", said);
    }

    /** Whether a preemption may cost more than a restart of a minute. */
    public boolean isPreemptionCostly() {
        boolean isShort = restart instanceof RestartCost.Fixed fixed && fixed.seconds() <= 60;
        return preemptionRules().allowsAny() && !(isShort && preemptionRules().savedEveryNanos() == 0);
    }

    /** Whether every restart costs more than a minute. */
    public boolean hasDearRestarts() {
        return restart instanceof RestartCost.Fixed fixed && fixed.seconds() > 60;
    }

    /** Preemptible jobs, and the work that a preemption loses. */
    public PreemptionRules preemptionRules() {
        return preemption == null ? PreemptionRules.FREE : preemption.rules();
    }

    /** This truth with another cost of restarts. */
    public PhysicsConfig with(RestartCost newRestart) {
        return new PhysicsConfig(
                interference,
                contention,
                stragglers,
                newRestart,
                outages,
                preemption,
                graphTraining,
                quotas,
                maintenance,
                limits);
    }

    /** This truth with other rules of preemption. */
    public PhysicsConfig with(PreemptionConfig newPreemption) {
        return new PhysicsConfig(
                interference,
                contention,
                stragglers,
                restart,
                outages,
                newPreemption,
                graphTraining,
                quotas,
                maintenance,
                limits);
    }

    /** The performance model of the simulator. */
    public RingPerformance truth(Topology topology, long seed) {
        RingPerformance rings =
                new RingPerformance(topology, interference.model(), contention, Stragglers.measured(stragglers, seed));
        return graphTraining == null
                ? rings
                : ServerDivision.all().stream()
                        .filter(division -> division.label().equals(graphTraining))
                        .findFirst()
                        .map(rings::with)
                        .orElse(rings);
    }

    /** The other options of the simulator: restarts, quotas, outages. */
    public Simulator.Options options(Topology topology, long seed) {
        Map<String, Integer> gpus = new HashMap<>();
        quotas.forEach(quota -> gpus.put(quota.virtualCluster(), quota.gpus()));
        return new Simulator.Options(restart, false, null)
                .with(new Quotas(gpus, held(topology)))
                .with(allOutages(topology, seed), Math.round(outages.checkpointMinutes() * 60e9))
                .with(preemptionRules());
    }

    private Outages allOutages(Topology topology, long seed) {
        Outages failures = outages.outages(topology, seed);
        return maintenance == null || maintenance.isEmpty()
                ? failures
                : new Outages.Maintained(failures, MaintenanceSpans.windows(maintenance, topology));
    }

    private @Nullable Supplier<HeldLimits> held(Topology topology) {
        if (limits == null) {
            return null;
        }
        LimitsProvider provider = LimitsProvider.installed();
        if (provider == null) {
            throw InputException.at(
                    "physics.limits",
                    limits,
                    "null, for this installation lacks the schedulers of production, which read such limits");
        }
        return provider.read(InputFiles.path(limits).toString(), topology);
    }
}
