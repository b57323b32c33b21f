package org.trainyard.env.workload.utility;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Labelled;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.ModelArchitectures;
import org.trainyard.env.synchronisation.LayerOverlap;
import org.trainyard.env.synchronisation.ParameterServer;
import org.trainyard.env.synchronisation.ServerHosts;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.generator.JobMaker;
import org.trainyard.env.workload.generator.UtilitySettings;

/**
 * Draws jobs with utilities: the parameter-server jobs of PD-ORS, or utilities for the jobs of another generator.
 *
 * <p>Source: PD-ORS (2108.02917), section on settings, as far as it is known: 50 to 200 epochs of 20,000 to 500,000
 * samples, 1e-5 to 1e-4 slots for a sample, a batch (and most workers) of 1 to 200, 1 to 10 workers to a server,
 * gradients of 30 to 575 MB; a priority of 1 to 100, a target of 1 to 15 slots, a sensitivity of 0 for a tenth of the
 * jobs, 0.01 to 1 per slot for 55 %, 4 to 6 for the rest. All uniform. Our deviations: (1) 10 GB/s inside a machine and
 * 1.25 GB/s across; (2) submissions uniform over the slots, at their starts; (3) jobs are submitted for 1 to 16
 * workers, which schedulers use that are not elastic; (4) a worker has one GPU; (5) the scale of a concave utility is
 * 0.2 to 0.8 of the job's run time.
 */
public final class UtilityJobs implements JobMaker<UtilitySettings> {
    private static final double INSIDE_BYTES_PER_SECOND = 10e9;
    private static final double ACROSS_BYTES_PER_SECOND = 1.25e9;
    private static final int MOST_SUBMITTED = 16;
    private static final double MEGABYTE = 1e6;

    @Override
    public Class<UtilitySettings> settings() {
        return UtilitySettings.class;
    }

    @Override
    public List<TraceJob> make(UtilitySettings settings, Supplier<List<TraceJob>> others, Episode episode) {
        List<TraceJob> jobs = settings.parameterServers() ? parameterServerJobs(settings, episode) : others.get();
        boolean isElastic = Boolean.TRUE.equals(settings.elastic());
        return valued(
                settings, isElastic ? jobs.stream().map(UtilityJobs::elastic).toList() : jobs, episode.seed());
    }

    private static TraceJob elastic(TraceJob job) {
        return job.demand().isElastic() ? job : job.demanding(job.demand().elastic(1, job.gpus()));
    }

    /** The jobs with utilities; each draws its own by its id. */
    private static List<TraceJob> valued(UtilitySettings settings, List<TraceJob> jobs, long seed) {
        List<TraceJob> valued = new ArrayList<>(jobs.size());
        for (TraceJob job : jobs) {
            JobUtility utility = utility(settings, job, RandomStreams.stream(seed, "utility of job " + job.id()));
            valued.add(utility == null ? job : job.attaching(JobUtility.class, utility));
        }
        return valued;
    }

    /** Parameter-server jobs, sorted by submission. */
    private static List<TraceJob> parameterServerJobs(UtilitySettings settings, Episode episode) {
        int jobs = episode.jobs();
        long seed = episode.seed();
        RandomGenerator random = RandomStreams.stream(seed, "parameter-server jobs");
        int[] slots = random.ints(jobs, 0, settings.slots()).sorted().toArray();
        List<TraceJob> drawn = new ArrayList<>(jobs);
        for (int i = 0; i < jobs; i++) {
            double samples = random.nextInt(50, 201) * random.nextDouble(2e4, 5e5);
            int batch = random.nextInt(1, 201);
            ParameterServer plan = new ParameterServer(
                    random.nextDouble(1e-5, 1e-4) * settings.slotSeconds(),
                    batch,
                    random.nextInt(1, 11),
                    random.nextDouble(30, 575) * MEGABYTE,
                    INSIDE_BYTES_PER_SECOND,
                    ACROSS_BYTES_PER_SECOND,
                    settings.hosts() ? hosts(RandomStreams.stream(seed, "hosts of job " + i)) : null);
            int most = Math.min(batch, episode.gpus());
            int submitted = random.nextInt(1, Math.min(MOST_SUBMITTED, most) + 1);
            double seconds = samples / batch / plan.iterationsPerSecond(submitted, true, Demand.ofGpus(submitted));
            drawn.add(new TraceJob(
                            String.format(Locale.ROOT, "j%06d", i),
                            // Relative to the first.
                            Math.round((slots[i] - slots[0]) * settings.slotSeconds() * 1e9),
                            Demand.ofGpus(submitted).elastic(1, most),
                            Math.max(1, Math.round(seconds * 1e9)),
                            null,
                            null,
                            null,
                            null)
                    .parallel(plan));
        }
        return drawn;
    }

    /** CPU and memory from the ranges of PD-ORS; the time of an update and the models with the layers are ours. */
    private static ServerHosts hosts(RandomGenerator random) {
        long workerCpu = 1000L * random.nextInt(1, 5);
        long serverCpu = 1000L * random.nextInt(1, 7);
        double update = random.nextDouble(0.001, 0.01);
        HostShare worker = new HostShare(workerCpu, 1024L * random.nextInt(2, 33));
        HostShare server = new HostShare(serverCpu, 1024L * random.nextInt(2, 33));
        List<String> models = ModelArchitectures.names();
        LayerProfile layers = ModelArchitectures.find(models.get(random.nextInt(models.size())));
        return new ServerHosts(worker, server, update, new LayerOverlap(Objects.requireNonNull(layers)));
    }

    /** Null for a job that is submitted at or after the horizon. */
    private static @Nullable JobUtility utility(UtilitySettings settings, TraceJob job, RandomGenerator random) {
        double slot = settings.slotSeconds();
        double priority = random.nextDouble(1, 100);
        double kind = random.nextDouble();
        double sensitivity = kind < 0.1 ? 0 : kind < 0.65 ? random.nextDouble(0.01, 1) : random.nextDouble(4, 6);
        double targetSlots = random.nextDouble(1, 15);
        double scale = random.nextDouble(0.2, 0.8) * job.durationNanos() / 1e9;
        double left = settings.horizonSeconds() - job.submitNanos() / 1e9;
        if (left <= 0) {
            return null;
        }
        ConcaveFamily family = Labelled.parse(ConcaveFamily.class, settings.family());
        return family == null
                ? new JobUtility.Sigmoid(priority, sensitivity / slot, targetSlots * slot, left)
                : new JobUtility.Concave(family, priority, scale, left);
    }
}
