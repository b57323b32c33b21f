package org.trainyard.experiments.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.FreezingSettings;
import org.trainyard.env.workload.generator.JobMaker;
import org.trainyard.env.workload.generator.LimitSettings;
import org.trainyard.env.workload.generator.LimitedJobs;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.PlanMix;
import org.trainyard.env.workload.generator.PlannedSettings;
import org.trainyard.env.workload.generator.PodDemand;
import org.trainyard.env.workload.generator.PodDemands;
import org.trainyard.env.workload.generator.PolluxSettings;
import org.trainyard.env.workload.generator.TraceGenerator;
import org.trainyard.env.workload.generator.UtilitySettings;
import org.trainyard.experiments.config.ExperimentConfig;

/** The jobs that a config describes, generated or of a trace, and their split into episodes. */
final class ConfiguredJobs {
    private final ExperimentConfig config;
    private final Topology topology;
    private final ModelCatalog catalog;
    private final Episodes episodes;
    private final List<TraceJob> all;
    private final List<String> remarks = new ArrayList<>();

    ConfiguredJobs(ExperimentConfig config, Topology topology, ModelCatalog catalog) {
        this.config = config;
        this.topology = topology;
        this.catalog = catalog;
        String file = config.workload().adversary() == null
                ? config.workload().trace()
                : config.workload().adversary();
        if (file == null) {
            episodes = generated();
            all = episodes.train(0).jobs();
            String spent = SpentSeeds.note(config.episodes().testSeed());
            if (spent != null) {
                remarks.add(spent);
            }
        } else {
            LoggedEpisodes.Made made = LoggedEpisodes.installed(file)
                    .of(
                            config,
                            topology,
                            jobs -> limited(freezing(planned(jobs, config.seed()), config.seed()), config.seed()));
            episodes = made.episodes();
            all = made.all();
            remarks.addAll(made.remarks());
        }
        remarks.addAll(episodes.remarks());
    }

    Episodes episodes() {
        return episodes;
    }

    /** All jobs of the trace or of the adversary's workloads, or those of the first generated episode. */
    List<TraceJob> all() {
        return all;
    }

    /** Remarks for the user on the making of the jobs. */
    List<String> remarks() {
        return remarks;
    }

    /** Source and id of a job, for messages. */
    String place(TraceJob job) {
        String trace = config.workload().trace();
        String adversary = config.workload().adversary();
        String source = adversary != null ? adversary : trace != null ? trace : "workload.generator";
        return "%s, job %s".formatted(source, job.id());
    }

    private Episodes generated() {
        ExperimentConfig.Episodes wanted = config.episodes();
        List<String> mix = config.workload().modelMix();
        TraceGenerator generator = new TraceGenerator(
                config.workload().generator(), wanted.jobs(), mix == null ? catalog : catalog.withMix(mix));
        return Episodes.ofGenerator(
                seed -> limited(
                        freezing(valued(() -> planned(asking(drawn(generator, seed), seed), seed), seed), seed), seed),
                wanted.validation(),
                wanted.test(),
                config.seed(),
                wanted.testSeed());
    }

    private List<TraceJob> drawn(TraceGenerator generator, long seed) {
        return Boolean.TRUE.equals(config.workload().pollux())
                ? JobMaker.made(new PolluxSettings(), List::of, episode(seed))
                : generator.generate(seed, topology.gpus());
    }

    /** The jobs with the time limits and accounts of the config. */
    private List<TraceJob> limited(List<TraceJob> jobs, long seed) {
        LimitSettings settings = config.workload().limits();
        return settings == null ? jobs : LimitedJobs.of(jobs, settings, seed);
    }

    /** The jobs of which the config's share allows frozen layers. */
    private List<TraceJob> freezing(List<TraceJob> jobs, long seed) {
        FreezingSettings settings = config.workload().freezing();
        return settings == null ? jobs : JobMaker.made(settings, () -> jobs, seed);
    }

    /**
     * The jobs with utilities, when the config says how; its parameter-server jobs in their place, when it asks for
     * those.
     */
    private List<TraceJob> valued(Supplier<List<TraceJob>> generated, long seed) {
        UtilitySettings settings = config.workload().utilities();
        return settings == null ? generated.get() : JobMaker.made(settings, generated, episode(seed));
    }

    private JobMaker.Episode episode(long seed) {
        return new JobMaker.Episode(config.episodes().jobs(), topology.gpus(), seed);
    }

    /** Generated jobs with the resources that the config lets them request beside whole GPUs. */
    private List<TraceJob> asking(List<TraceJob> jobs, long seed) {
        List<PodDemand> pods = config.workload().pods();
        return pods == null ? jobs : PodDemands.of(jobs, pods, seed);
    }

    /** The jobs with the config's shares of pipelines, mixed parallelism and other plans. */
    private List<TraceJob> planned(List<TraceJob> rings, long seed) {
        double share = config.workload().plannedShare();
        List<TraceJob> planned = share == 0 ? rings : JobMaker.made(new PlannedSettings(share), () -> rings, seed);
        List<PlanMix> plans = config.workload().plans();
        return plans == null ? planned : PlanMix.of(planned, plans, seed);
    }

    private static boolean isLog(List<TraceJob> jobs) {
        return jobs.stream().anyMatch(job -> job.past() != null);
    }

    /** Whether jobs of a log may be killed at their time limits. */
    boolean mayKillLogged() {
        return isLog(all) && all.stream().anyMatch(job -> job.terms().limitNanos() > 0);
    }

    /**
     * Refuses a run of a log in which a scheduler has more jobs killed at their time limits than the log had.
     *
     * @param episodes that the scheduler ran
     */
    void requireNoMoreKilled(String scheduler, int killed, List<Workload> episodes) {
        if (killed == 0 || !isLog(all)) {
            return;
        }
        int logged = episodes.stream().mapToInt(Workload::endedAtLimit).sum();
        if (killed > logged) {
            throw InputException.at(
                    "workload.trace",
                    String.valueOf(config.workload().trace()),
                    "as many jobs killed at their time limits as in the log, %,d; under %s it is %,d, so times do not compare%s"
                            .formatted(
                                    logged,
                                    scheduler,
                                    killed,
                                    config.workload().runsAsLogged()
                                            ? ""
                                            : " (workload.as_logged: true runs jobs as long as they ran)"));
        }
    }
}
