package org.trainyard.interference.fitting;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.data.Trait;
import org.trainyard.interference.measured.MeasurementTable;
import org.trainyard.interference.measured.PublishedArchitectures;

/** Synthetic co-locations: pressure of one job times sensitivity of the other, with noise. */
public final class SyntheticTable {
    private static final String[] MODELS = {"resnet50", "bert", "lstm", "dlrm"};

    private SyntheticTable() {}

    public static MeasurementTable of(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "made up");
        List<JobType> types = new ArrayList<>();
        for (String model : MODELS) {
            for (int gpus = 2; gpus <= 8; gpus *= 2) {
                Map<Trait, Double> traits = new EnumMap<>(Trait.class);
                traits.put(Trait.GPUS, Math.log(gpus) / Math.log(2));
                types.add(new JobType(model + "," + gpus + ",2", model, traits)
                        .with(PublishedArchitectures.resources(model)));
            }
        }
        List<Measurement> rows = new ArrayList<>();
        for (JobType victim : types) {
            for (JobType neighbour : types) {
                double loss = 0.5 * victim.trait(Trait.NIC_LOAD) * neighbour.trait(Trait.NIC_LOAD)
                        + 0.05 * neighbour.trait(Trait.GPUS);
                double slowdown = Math.max(1, Math.exp(loss + 0.02 * random.nextGaussian()));
                for (Scope scope : List.of(Scope.NIC, Scope.GPU)) {
                    rows.add(new Measurement(victim, neighbour, scope, "bench", slowdown, "made up", 1, slowdown == 1));
                }
            }
        }
        return new MeasurementTable(rows, List.of());
    }
}
