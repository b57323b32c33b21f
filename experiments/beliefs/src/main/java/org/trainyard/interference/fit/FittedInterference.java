package org.trainyard.interference.fit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.interference.data.ArchitectureResources;
import org.trainyard.interference.data.Domain;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.measured.DeepShareReader;
import org.trainyard.interference.measured.MeasurementTable;
import org.trainyard.interference.measured.PublishedArchitectures;
import org.trainyard.interference.measured.SourceFile;
import org.trainyard.interference.model.Pair;
import org.trainyard.interference.model.PairModel;
import org.trainyard.interference.validation.Intervals;

/**
 * An interference predictor fitted to measurements: a model per scope, 90 % intervals and the training types.
 *
 * @param models by scope
 * @param known intervals by domain for pairs of training types
 * @param unseen intervals by domain for pairs with a new type
 * @param types the training types, by label
 */
public record FittedInterference(
        ModelKind kind,
        long seed,
        Map<Scope, PairModel> models,
        Map<Domain, Intervals> known,
        Map<Domain, Intervals> unseen,
        Map<String, JobType> types,
        List<SourceFile> sources) {

    public FittedInterference {
        models = Map.copyOf(models);
        known = new TreeMap<>(known);
        unseen = new TreeMap<>(unseen);
        types = Map.copyOf(types);
        sources = List.copyOf(sources);
    }

    /** The fitted scopes, in order. */
    public List<Scope> scopes() {
        return List.copyOf(new TreeSet<>(models.keySet()));
    }

    /** The default domain of a scope: the V100's when there is one, else the first. */
    public @Nullable Domain domain(Scope scope) {
        Domain first = null;
        for (Domain domain : known.keySet()) {
            if (domain.scope() == scope) {
                if (domain.hardware().equals("v100")) {
                    return domain;
                }
                first = first == null ? domain : first;
            }
        }
        return first;
    }

    /** The domain of a scope and a kind of hardware; {@code hardware} null for the default. */
    public Domain domain(String place, Scope scope, @Nullable String hardware) {
        Domain usual = domain(scope);
        if (usual == null) {
            throw InputException.at(
                    place,
                    scope.label(),
                    "a scope it was fitted on: "
                            + scopes().stream().map(Scope::label).collect(Collectors.joining(", ")));
        }
        if (hardware == null) {
            return usual;
        }
        Domain named = new Domain(scope, hardware);
        if (!known.containsKey(named)) {
            throw InputException.at(
                    "--hardware",
                    hardware,
                    known.keySet().stream()
                            .filter(domain -> domain.scope() == scope)
                            .map(Domain::hardware)
                            .collect(Collectors.joining(", ")));
        }
        return named;
    }

    /**
     * The type of a name: a training type, else a type of a known architecture; {@code place} is the option or file
     * that holds the name.
     */
    public JobType type(String place, String name) {
        JobType known = types.get(name.strip());
        if (known != null) {
            return known;
        }
        JobType type = DeepShareReader.isLabel(name)
                ? DeepShareReader.type(place, name)
                : new JobType(
                        name.strip(),
                        ArchitectureResources.canonical(name.strip()),
                        PublishedArchitectures.resources(name.strip()));
        boolean architecture =
                types.values().stream().anyMatch(other -> other.architecture().equals(type.architecture()));
        if (!architecture
                && PublishedArchitectures.resources(type.architecture()).isEmpty()) {
            throw InputException.at(
                    place,
                    name,
                    "a job type of the model card, such as " + example(name) + ", or a model of the catalogue");
        }
        return type;
    }

    private String example(String name) {
        String start = name.strip().toLowerCase(Locale.ROOT);
        return types.keySet().stream()
                .sorted()
                .filter(label ->
                        label.toLowerCase(Locale.ROOT).startsWith(start.substring(0, Math.min(3, start.length()))))
                .findFirst()
                .orElseGet(() -> new TreeSet<>(types.keySet()).first());
    }

    /** A prediction for every pair, in order. */
    public List<PairPrediction> answers(List<Pair> pairs) {
        Map<Scope, List<Integer>> byScope = new TreeMap<>();
        for (int i = 0; i < pairs.size(); i++) {
            byScope.computeIfAbsent(pairs.get(i).domain().scope(), scope -> new ArrayList<>())
                    .add(i);
        }
        double[] ratios = new double[pairs.size()];
        byScope.forEach((scope, at) -> {
            double[] its = model(scope).ratios(at.stream().map(pairs::get).toList());
            for (int i = 0; i < its.length; i++) {
                ratios[at.get(i)] = its[i];
            }
        });
        List<PairPrediction> answers = new ArrayList<>();
        for (int i = 0; i < ratios.length; i++) {
            answers.add(answer(pairs.get(i), ratios[i]));
        }
        return answers;
    }

    private PairPrediction answer(Pair pair, double ratio) {
        boolean seen = types.containsKey(pair.victim().label())
                && types.containsKey(pair.neighbour().label());
        Intervals intervals =
                seen ? known.get(pair.domain()) : unseen.getOrDefault(pair.domain(), known.get(pair.domain()));
        if (intervals == null) {
            throw new IllegalArgumentException("no intervals for (%s)".formatted(pair.domain()));
        }
        double[] ends = intervals.around(ratio);
        return new PairPrediction(1 / ratio, 1 / ends[1], 1 / ends[0]);
    }

    public PairModel model(Scope scope) {
        PairModel model = models.get(scope);
        if (model == null) {
            throw new IllegalArgumentException("no model for scope (%s)".formatted(scope));
        }
        return model;
    }

    /** The slowdown of a victim beside several neighbours: the product over pairs; exactly 1 without neighbours. */
    public PairPrediction answer(JobType victim, List<JobType> neighbours, Domain domain) {
        PairPrediction product = PairPrediction.ALONE;
        for (PairPrediction answer : answers(neighbours.stream()
                .map(neighbour -> new Pair(victim, neighbour, domain))
                .toList())) {
            product = product.times(answer);
        }
        return product;
    }

    /** A fitted model with the types and the sources of a table. */
    public static FittedInterference of(
            ModelKind kind,
            long seed,
            Map<Scope, PairModel> models,
            Map<Domain, Intervals> known,
            Map<Domain, Intervals> unseen,
            MeasurementTable table) {
        return new FittedInterference(kind, seed, models, known, unseen, table.types(), table.sources());
    }
}
