package org.trainyard.env.performance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Attachments;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.ModelTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.OwnModel;

/**
 * Builds the {@link Workload} of a trace for one data centre: every job gets a model, an ideal rate and its true work.
 *
 * <p>Equal submissions keep the order of the trace. Jobs that do not fit on the data centre are left out and reported.
 */
public final class WorkloadBuilder {
    /**
     * Options of the conversion.
     *
     * @param models models of the jobs without a known model
     * @param seed seed for drawing models
     * @param strict whether to refuse jobs that do not fit and, where rates depend on the model, unknown models
     * @param keepSubmitTimes whether {@link #build} keeps the trace's zero; otherwise the first job used is submitted
     *     at zero
     */
    public record Options(Models models, long seed, boolean strict, boolean keepSubmitTimes) {}

    /** Models of the jobs that name no model, or none of the catalogue. */
    public enum Models {
        /** One neutral model for every such job: {@link ModelCatalog#neutral}. */
        NEUTRAL,
        /** Models drawn from the mix of the catalogue, the same one for all jobs of a group. */
        MIX
    }

    /**
     * A workload and a report of its conversion.
     *
     * @param tooWide ids of the jobs left out, in order of submission
     * @param drawnModels number of jobs whose model is not their own
     * @param leftOut the jobs left out, by reason
     */
    public record Built(Workload workload, List<String> tooWide, int drawnModels, List<LeftOut> leftOut) {
        public Built {
            tooWide = List.copyOf(tooWide);
            leftOut = List.copyOf(leftOut);
        }
    }

    /** The jobs of one ideal rate. */
    public record Shape(ModelProfile model, Demand demand, TrainingPlan plan) {
        /** A hash of few of the dozens of figures of a profile. */
        @Override
        public int hashCode() {
            return 31 * model.name().hashCode() + demand.gpus();
        }
    }

    /** A model that is trained on the terms of its owner. */
    private record OnTerms(ModelProfile model, ModelTerms terms) {}

    private final Topology topology;
    private final ModelCatalog catalog;
    private final Options options;

    /** A builder of the standard catalogue of models. */
    public WorkloadBuilder(Topology topology, Options options) {
        this(topology, ModelCatalog.standard(), options);
    }

    public WorkloadBuilder(Topology topology, ModelCatalog catalog, Options options) {
        this.topology = topology;
        this.catalog = catalog;
        this.options = options;
    }

    /**
     * Work with which every job, alone on its ideal placement, runs exactly as long as in the trace.
     *
     * @param performance provides rates of jobs that run alone, once for each model, demand and plan
     */
    public Built build(List<TraceJob> trace, PerformanceModel performance) {
        return build(trace, 0, performance);
    }

    /**
     * Like {@link #build(List, PerformanceModel)}, for an episode that begins with jobs which no result counts.
     *
     * @param warmJobs number of those jobs; they come first and are submitted no later than the others
     */
    public Built build(List<TraceJob> trace, int warmJobs, PerformanceModel performance) {
        Draft draft = new Draft(trace, warmJobs);
        if (options.strict() && !draft.unknownModels.isEmpty()) {
            throw InputException.at(
                    "trace, model", draft.unknownModels.first(), "a model of the catalogue, for reading is strict");
        }
        IdealPlacement ideal = new IdealPlacement(topology);
        Map<Shape, Double> rates = new HashMap<>();
        PerformanceModel typical = performance.typical();
        draft.fitRings(new EquivalentRing(topology, typical));
        return draft.finish(
                options.keepSubmitTimes(),
                (job, model) -> rates.computeIfAbsent(
                        new Shape(model, job.demand(), job.plan()),
                        shape -> ideal.bestRate(spec(0, job, 0, model, 1), typical)));
    }

    /**
     * Work in seconds at a rate of one, for {@link RatedPerformance}, under which every job runs exactly as long as in
     * the trace.
     */
    public Built rated(List<TraceJob> trace) {
        return new Draft(trace, 0).finish(true, (job, model) -> 1);
    }

    /** Like {@link #rated(List)}, for an episode that begins with jobs which no result counts. */
    public Built rated(List<TraceJob> trace, int warmJobs) {
        return new Draft(trace, warmJobs).finish(options.keepSubmitTimes(), (job, model) -> 1);
    }

    public static JobSpec spec(int id, TraceJob job, long submitNanos, ModelProfile model, double rate) {
        return new JobSpec(
                id,
                job.id(),
                submitNanos,
                job.demand(),
                model,
                job.plan(),
                rate,
                job.user(),
                job.group(),
                job.virtualCluster(),
                job.attached(),
                job.terms());
    }

    /** The rate of a job on its ideal placement, iterations per second. */
    private interface Rate {
        double of(TraceJob job, ModelProfile model);
    }

    /** The jobs of one trace that fit, with their models. */
    private final class Draft {
        private final List<TraceJob> jobs = new ArrayList<>();
        private final List<ModelProfile> models = new ArrayList<>();
        private final Map<OnTerms, ModelProfile> onTerms = new HashMap<>();
        private final List<String> tooWide = new ArrayList<>();
        private final SortedSet<String> unknownModels = new TreeSet<>();
        private final List<TraceJob> unfit = new ArrayList<>();
        private final FitReason fit = new FitReason(topology);
        private int drawnModels;
        private int warm;

        Draft(List<TraceJob> trace, int warmJobs) {
            IdealPlacement ideal = new IdealPlacement(topology);
            List<TraceJob> sorted = new ArrayList<>(trace);
            sorted.sort((a, b) -> Long.compare(a.submitNanos(), b.submitNanos()));
            for (int i = 0; i < sorted.size(); i++) {
                TraceJob logged = sorted.get(i);
                Demand demand = fit.named(logged.demand());
                TraceJob job = demand.equals(logged.demand()) ? logged : logged.demanding(demand);
                if (ideal.fits(job.demand())) {
                    warm += i < warmJobs ? 1 : 0;
                    jobs.add(job);
                    models.add(model(job));
                } else if (options.strict()) {
                    throw InputException.at(
                            "trace, job %s".formatted(job.id()),
                            job.demand().gpuTypes().isEmpty()
                                    ? Counted.of(job.gpus(), "GPU")
                                    : Counted.say(
                                            "%d GPUs of type %s",
                                            job.gpus(),
                                            String.join(" or ", job.demand().gpuTypes())),
                            "at most the %d of %s".formatted(topology.gpus(), topology.name()));
                } else {
                    tooWide.add(job.id());
                    unfit.add(job);
                }
            }
            if (jobs.isEmpty() && unfit.isEmpty()) {
                throw InputException.at("trace", "0 jobs", "at least one");
            }
            if (jobs.isEmpty()) {
                throw InputException.at(
                        "trace",
                        Counted.of(trace.size(), "job"),
                        Counted.say(
                                "at least one that fits the %d GPUs of %s, but %s",
                                topology.gpus(),
                                topology.name(),
                                fit.leftOut(unfit).stream()
                                        .map(left -> Counted.say("%,d jobs %s", left.jobs(), left.reason()))
                                        .collect(Collectors.joining("; "))));
            }
        }

        /** Gives each planned job the model of the ring that is as sensitive to its placement. */
        void fitRings(EquivalentRing ring) {
            for (int i = 0; i < jobs.size(); i++) {
                if (jobs.get(i).plan() instanceof OwnModel own && own.isSeenAsRing()) {
                    models.set(i, ring.of(spec(0, jobs.get(i), 0, models.get(i), 1)));
                }
            }
        }

        /** The model on the terms of the job's owner. */
        private ModelProfile model(TraceJob job) {
            ModelProfile model = trained(job);
            ModelTerms terms = job.of(ModelTerms.class);
            return terms == null
                    ? model
                    : onTerms.computeIfAbsent(new OnTerms(model, terms), key -> terms.under(model));
        }

        private ModelProfile trained(TraceJob job) {
            if (job.plan() instanceof OwnModel own) {
                return own.model(catalog, Math.max(1, job.gpus()));
            }
            @Nullable ModelProfile known = job.model() == null ? null : catalog.find(job.model());
            if (known != null) {
                return known;
            }
            if (job.model() != null) {
                unknownModels.add(job.model());
            }
            drawnModels++;
            return options.models() == Models.MIX ? catalog.drawFor(job, options.seed()) : catalog.neutral();
        }

        Built finish(boolean keepSubmitTimes, Rate rate) {
            long zero = keepSubmitTimes ? 0 : jobs.get(0).submitNanos();
            List<JobSpec> specs = new ArrayList<>();
            double[] iterations = new double[jobs.size()];
            Attachments[] runs = new Attachments[jobs.size()];
            for (int i = 0; i < iterations.length; i++) {
                TraceJob job = jobs.get(i);
                double perSecond = rate.of(job, models.get(i));
                specs.add(spec(i, job, job.submitNanos() - zero, models.get(i), perSecond));
                iterations[i] = job.durationNanos() / 1e9 * perSecond;
                runs[i] = job.hidden();
            }
            return new Built(new Workload(specs, iterations, runs, warm), tooWide, drawnModels, fit.leftOut(unfit));
        }
    }
}
