package org.trainyard.experiments.cli.operator;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.advice.AnswerPage;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.JsonOption;
import org.trainyard.experiments.cli.options.SeedOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.cli.simulate.PartialOption;
import org.trainyard.experiments.cli.simulate.TraceOptions;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.FolderLock;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.report.HtmlReport;
import org.trainyard.experiments.shadow.ShadowComparison;
import org.trainyard.experiments.shadow.ShadowFollower;
import org.trainyard.experiments.simulation.LoggedCluster;
import org.trainyard.experiments.simulation.LoggedMaintenance;
import org.trainyard.experiments.timeline.TimelineJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a scheduler beside the real one of a cluster. */
@Command(
        name = "shadow",
        description = {
            "Compare the scheduler of a cluster with another one on the same jobs.",
            "`slurm` follows a live Slurm by sacct, squeue and sinfo and only reads; a log is a rehearsal. The report has the"
                    + " waits saved per day and the delayed jobs."
        },
        footer = {
            "",
            "Example: trainyard shadow log.txt --cluster 24x8 --scheduler easy",
            "Example: trainyard shadow slurm --cluster cluster.yaml --scheduler easy --out shadows/easy",
            "Example: trainyard shadow slurm --cluster 24x8 --scheduler sjf --out shadows/sjf --exec-prefix \"ssh head\" --max-polls 1"
        })
public final class ShadowCommand extends Subcommand {
    private static final String LIVE = "slurm";

    @Parameters(paramLabel = "slurm|LOG", description = "A live Slurm, or a log of jobs for a rehearsal.")
    private String source = "";

    @Mixin
    private CommonOption cluster = CommonOption.cluster(
                    "The cluster: a shorthand such as 24x8:H100, a topology file, or a name.")
            .required();

    @Mixin
    private CommonOption slurmConf = CommonOption.slurm();

    @Mixin
    private CommonOption scheduler = CommonOption.scheduler(
                    "Scheduler to compare with, one of `trainyard list schedulers`.")
            .required();

    @Mixin
    private CommonOption outFolder =
            CommonOption.out("Folder for the observations and the report; `slurm` needs it and continues there "
                    + "after an interruption.");

    @Option(
            names = "--tolerance",
            paramLabel = "SECONDS",
            description = "Largest difference of equal starts (default: ${DEFAULT-VALUE}).")
    private double tolerance = 60;

    @Option(
            names = "--every",
            paramLabel = "SECONDS",
            description = "Seconds between two polls (default: ${DEFAULT-VALUE}).")
    private int every = 60;

    @Option(
            names = "--max-polls",
            paramLabel = "N",
            description = "End after this many polls; 0 for no end (default: ${DEFAULT-VALUE}).")
    private int polls;

    @Option(
            names = "--report-every",
            paramLabel = "HOURS",
            description = "Hours between two reports (default: ${DEFAULT-VALUE}).")
    private double reportHours = 24;

    @Option(
            names = "--since",
            paramLabel = "DAYS",
            description = "Days of past jobs read at the first poll (default: ${DEFAULT-VALUE}).")
    private double sinceDays = 7;

    @Mixin
    private SlurmOptions slurm = new SlurmOptions(60);

    @Mixin
    private SeedOption seed = new SeedOption();

    @Mixin
    private CommonOption maintenance = CommonOption.maintenance();

    @Mixin
    private PartialOption partial = new PartialOption();

    @Mixin
    private TraceOptions traces = new TraceOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    protected void run() {
        InputException.within(0, 1e9, "--tolerance", tolerance);
        InputException.within(1, 1e9, "--every", every);
        InputException.within(0, 1e9, "--max-polls", polls);
        InputException.within(0, 1e9, "--report-every", reportHours);
        InputException.within(0, 1e9, "--since", sinceDays);
        Topology topology = Clusters.resolve("--cluster", cluster.text());
        SchedulerRegistry.Entry entry = Schedulers.named("--scheduler", scheduler.text());
        if (entry.replaysTrace()) {
            throw InputException.at(
                    "--scheduler", scheduler.text(), "a scheduler that does not replay a published simulator");
        }
        LoggedCluster logged = source.equals(LIVE)
                ? new LoggedCluster(topology)
                : LoggedCluster.of(
                        topology,
                        InputFiles.path(source),
                        LoggedCluster.configured(slurmConf.value(), List.of(entry.name())));
        if (source.equals(LIVE)) {
            Path folder = outFolder.path();
            if (folder == null) {
                throw InputException.missing("--out", "a folder in which a live shadow keeps what it saw");
            }
            TraceOptions.requireLog("--maintenance", maintenance.value(), "`slurm`");
            Clock clock = traces.liveClock("`slurm`");
            FolderLock.during(folder, () -> follow(terms(logged, entry, LoggedMaintenance.NONE), folder, clock));
        } else {
            Trace trace =
                    logged.demanding(traces.keepingLoads(logged.saysHosts()).read(source, err()));
            LoggedMaintenance windows =
                    LoggedMaintenance.read(maintenance.value(), source, trace, traces.zone(), logged.topology());
            rehearse(terms(logged, entry, windows), trace);
        }
    }

    private ShadowComparison.Terms terms(
            LoggedCluster cluster, SchedulerRegistry.Entry entry, LoggedMaintenance windows) {
        return new ShadowComparison.Terms(
                cluster, entry, tolerance, windows, seed.value(), partial.isGiven() || source.equals(LIVE));
    }

    private void rehearse(ShadowComparison.Terms terms, Trace trace) {
        ShadowComparison shadow = ShadowComparison.of(terms, trace);
        Path folder = outFolder.path();
        if (folder != null) {
            FolderLock.during(folder, () -> write(folder, shadow));
        }
        print(shadow);
    }

    private void follow(ShadowComparison.Terms terms, Path folder, Clock clock) {
        long reportNanos = Math.round(reportHours * 3.6e12);
        try (ShadowFollower follower = new ShadowFollower(folder, slurm.commands("shadow"), clock, sinceDays)) {
            if (follower.polls() > 0) {
                err().println(Counted.say("%s holds %,d polls; it goes on from there.", folder, follower.polls()));
            }
            long reported = 0;
            for (int done = 1; ; done++) {
                poll(follower, done == 1);
                follower.measure(terms);
                boolean isLast = polls > 0 && done >= polls;
                if (isLast || done == 1 || System.nanoTime() - reported >= reportNanos) {
                    reported = System.nanoTime();
                    ShadowComparison shadow = follower.compare(terms);
                    write(folder, shadow);
                    if (isLast) {
                        print(shadow);
                        return;
                    }
                    shadow.sentences().print(out());
                    out().flush();
                }
                TimeUnit.SECONDS.sleep(every);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Polls; where Slurm does not answer, the next poll asks for what this one missed. */
    private void poll(ShadowFollower follower, boolean isFirst) {
        try {
            int changed = follower.poll();
            err().println(Counted.say("poll %,d: %,d rows are new or changed", follower.polls(), changed));
        } catch (InputException unanswered) {
            if (isFirst) {
                throw unanswered;
            }
            err().println("poll missed: " + unanswered.getMessage());
        }
    }

    private void write(Path folder, ShadowComparison shadow) {
        String title = "%s beside %s on %s".formatted(scheduler.text(), source, cluster.text());
        Answer answer = shadow.answer();
        AtomicFiles.write(folder.resolve("report.txt"), "%s%n%s".formatted(title, answer.console()));
        AtomicFiles.write(folder.resolve("report.json"), shadow.json());
        answer.say("Waits: time between submission and end without GPUs. Intervals: bootstrap over 20 blocks of"
                + " successive jobs. GPU-hours: of waiting, each job's wait times its GPUs.");
        AnswerPage page = new AnswerPage(title, null, answer.section("", List.of()), TimelineJson.of(List.of()));
        AtomicFiles.write(folder.resolve("report.html"), HtmlReport.page(page));
        err().println("Report: %s".formatted(folder.resolve("report.html")));
    }

    private void print(ShadowComparison shadow) {
        out().print(json.isGiven() ? shadow.json() : shadow.answer().console());
        out().flush();
    }
}
