package org.trainyard.experiments.cli.simulate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.admission.PostedPrice;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.ResumeOptions;
import org.trainyard.experiments.cli.options.SeedOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.simulation.SimulationSetup;
import org.trainyard.experiments.simulation.TraceSimulation;
import org.trainyard.experiments.simulation.TrainedContender;
import org.trainyard.experiments.stress.StressRun;
import org.trainyard.experiments.stress.StressSearch;
import org.trainyard.experiments.stress.StressTrial;
import org.trainyard.experiments.training.Checkpoint;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Searches for the workloads on which schedulers are worst. */
@Command(
        name = "stress",
        description = {
            "Search for the hardest workload of a scheduler.",
            "All candidates have the jobs and the load of a generated workload."
        },
        footer = {
            "",
            "Example: trainyard stress fifo,sjf --cluster small --minutes 5 --out runs/stress",
            "Example: trainyard stress --checkpoint checkpoints/default --cluster small --out runs/stress",
            "Example: trainyard simulate --trace runs/stress/fifo/hardest.csv --cluster small --scheduler fifo,srtf"
        })
public final class StressCommand extends Subcommand {
    private static final String BOUND = "bound";
    private static final int MOST_JOBS = 100_000;
    private static final double DEFAULT_MINUTES = 5;

    @Parameters(
            arity = "0..1",
            paramLabel = "SCHEDULER",
            split = ",",
            description = "Names of `trainyard list schedulers`, separated by commas; each has its own search.")
    private List<String> schedulers = List.of();

    @Mixin
    private CommonOption cluster = CommonOption.cluster(
                    "Cluster: a name of `trainyard list clusters`, a shorthand such as 2x4x8, or a topology file.")
            .required();

    @Mixin
    private CommonOption checkpoint =
            CommonOption.checkpoint("Trained policy to stress as 'learned', after the schedulers.");

    @Option(names = "--jobs", paramLabel = "N", description = "Jobs of a workload (default: ${DEFAULT-VALUE}).")
    private int jobs = 200;

    @Option(
            names = "--minutes",
            paramLabel = "M",
            description = "Limit the wall-clock time of each search (default: 5; with --evaluations: no limit).")
    private @Nullable Double minutes;

    @Option(
            names = "--evaluations",
            paramLabel = "N",
            description = "Limit the workloads of each search, in multiples of a generation.")
    private int evaluations = Integer.MAX_VALUE;

    @Option(
            names = "--relative-to",
            paramLabel = "bound|reference",
            description = "Divide the mean JCT by the lower bound, or by that of the reference scheduler "
                    + "(default: ${DEFAULT-VALUE}).")
    private String relativeTo = BOUND;

    @Option(
            names = "--reference",
            paramLabel = "NAME",
            description = "Scheduler to compare with (default: ${DEFAULT-VALUE}).")
    private String reference = "patient";

    @Mixin
    private SeedOption seed = new SeedOption();

    @Mixin
    private CommonOption out = CommonOption.out(
                    "Folder of the results, with a folder for each scheduler (default: ${DEFAULT-VALUE}).")
            .or("runs/stress");

    @Mixin
    private ResumeOptions earlier = new ResumeOptions();

    @Override
    protected void run() {
        requireOptions();
        Topology topology = Clusters.resolve("--cluster", cluster.text());
        SchedulerRegistry.Entry other = entry("--reference", reference);
        List<SchedulerRegistry.Entry> entries =
                schedulers.stream().map(name -> entry("SCHEDULER", name)).toList();
        SimulationSetup setup = SimulationSetup.of(
                List.of(other),
                new SimulationSetup.Options(null, null, null, false),
                topology,
                TraceSimulation.generated(topology, jobs, seed.value()).jobs(),
                seed.value());
        World world = setup.world();
        Path folder = checkpoint.path();
        Checkpoint opened = folder == null ? null : Checkpoint.open("--checkpoint", folder);
        List<StressTrial> trials = new ArrayList<>();
        for (SchedulerRegistry.Entry entry : entries) {
            trials.add(trial(world, entry.name(), () -> entry.create(world), other));
        }
        if (opened != null) {
            TrainedContender contender =
                    new TrainedContender(opened.policy(), ConfigReader.read(opened.config(), List.of()));
            trials.add(trial(world, TrainedContender.NAME, () -> contender.scheduler(world, null), other));
        }
        search(topology, trials);
    }

    /**
     * Equal numbers of workloads give equal results, so a number is not cut short by the clock unless that is asked
     * for.
     */
    private double minutes() {
        if (minutes != null) {
            return minutes;
        }
        return evaluations < Integer.MAX_VALUE ? Double.POSITIVE_INFINITY : DEFAULT_MINUTES;
    }

    private void requireOptions() {
        if (schedulers.isEmpty() && checkpoint.value() == null) {
            throw new InputException("stress: expected SCHEDULER, or --checkpoint DIR, or both");
        }
        if (schedulers.stream().distinct().count() < schedulers.size()) {
            throw InputException.at("SCHEDULER", String.join(",", schedulers), "each scheduler once");
        }
        InputException.within(2, MOST_JOBS, "--jobs", jobs);
        InputException.within(0, 100_000, "--minutes", minutes == null ? 0 : minutes);
        if (evaluations < StressSearch.RANDOM) {
            throw InputException.at(
                    "--evaluations",
                    evaluations,
                    "at least the %d of the first generation".formatted(StressSearch.RANDOM));
        }
        if (!List.of(BOUND, "reference").contains(relativeTo)) {
            throw InputException.at("--relative-to", relativeTo, "bound or reference");
        }
    }

    private static SchedulerRegistry.Entry entry(String option, String name) {
        SchedulerRegistry.Entry entry = Schedulers.named(option, name.strip());
        if (entry.replaysTrace()) {
            throw InputException.at(
                    option, name, "a scheduler of our own world, for a replayed simulator has no lower bound");
        }
        if (entry.name().startsWith(PostedPrice.PREFIX)) {
            throw InputException.at(option, name, StressTrial.COMPLETES_EVERY_JOB);
        }
        return entry;
    }

    private StressTrial trial(World world, String name, Supplier<Scheduler> fresh, SchedulerRegistry.Entry other) {
        return new StressTrial(world, name, fresh, other.name(), () -> other.create(world), !relativeTo.equals(BOUND));
    }

    /** Searches after every folder turned out to be free for its search. */
    private void search(Topology topology, List<StressTrial> trials) {
        List<RunDirectory> directories = new ArrayList<>();
        try {
            for (StressTrial trial : trials) {
                directories.add(directory(trial.name(), config(trial.name())));
            }
            search(topology, trials, directories);
        } finally {
            directories.forEach(RunDirectory::close);
        }
    }

    private void search(Topology topology, List<StressTrial> trials, List<RunDirectory> directories) {
        for (int i = 0; i < trials.size(); i++) {
            StressTrial trial = trials.get(i);
            RunDirectory directory = directories.get(i);
            StressSearch search = new StressSearch(
                    trial,
                    drawn -> TraceSimulation.generated(topology, jobs, drawn).jobs(),
                    topology.gpus(),
                    seed.value());
            new StressRun(search, directory)
                    .run(
                            new StressRun.Budget(60 * minutes(), evaluations),
                            earlier.isResumed() && StressRun.isResumable(directory),
                            config(trial.name()),
                            out());
        }
    }

    private ObjectNode config(String scheduler) {
        ObjectNode config = JsonNodeFactory.instance.objectNode();
        config.put("scheduler", scheduler)
                .put("cluster", cluster.text())
                .put("jobs", jobs)
                .put("seed", seed.value());
        config.put("relative_to", relativeTo).put("reference", reference);
        if (scheduler.equals(TrainedContender.NAME)) {
            config.put("checkpoint", checkpoint.value());
        }
        return config;
    }

    private RunDirectory directory(String scheduler, ObjectNode config) {
        Path folder = InputFiles.path(out.text()).resolve(scheduler.replaceAll("[^A-Za-z0-9._+=-]", "-"));
        RunDirectory directory = RunDirectory.create(folder, JsonText.pretty(config), earlier.otherRun());
        if (StressRun.isResumable(directory) && !earlier.isResumed() && !earlier.isReplaced()) {
            directory.close();
            throw new InputException(
                    "%s: holds a search of this kind: expected --resume or --replace".formatted(directory.root()));
        }
        return directory;
    }
}
