package org.trainyard.experiments.cli.operator;

import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.cli.options.TraceOptions;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.FolderLock;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.report.AnswerPage;
import org.trainyard.experiments.report.HtmlReport;
import org.trainyard.experiments.report.TimelineJson;
import org.trainyard.experiments.shadow.ShadowComparison;
import org.trainyard.experiments.shadow.ShadowFollower;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a scheduler beside the real one of a cluster. */
@Command(
        name = "shadow",
        description = {
            "What would another scheduler have done with the jobs that the real one had? `slurm` follows a live Slurm with"
                    + " sacct, squeue and sinfo, which only read; a log is a rehearsal.",
            "Reports day by day: equal and different starts, waits and GPU-hours that would have been saved, jobs that"
                    + " would have been delayed, and what nobody could know."
        },
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard shadow log.txt --cluster 24x8 --scheduler easy",
            "Example: trainyard shadow slurm --cluster cluster.yaml --scheduler easy --out shadows/easy",
            "Example: trainyard shadow slurm --cluster 24x8 --scheduler sjf --out shadows/sjf --through \"ssh head\" --polls 1"
        })
public final class ShadowCommand extends Subcommand {
    private static final String LIVE = "slurm";

    @Parameters(paramLabel = "slurm|LOG", description = "A live Slurm, or a log of jobs for a rehearsal.")
    private String source = "";

    @Option(
            names = "--cluster",
            required = true,
            paramLabel = "NAME|FILE",
            description = "The cluster: a shorthand such as 24x8:H100, a topology file, or a name.")
    private String cluster = "";

    @Option(
            names = "--scheduler",
            required = true,
            paramLabel = "NAME",
            description = "The scheduler beside, one of `trainyard list schedulers`.")
    private String scheduler = "";

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "Keep what was followed, report.txt, report.json and report.html here; needed for slurm, which"
                            + " goes on there after an interruption.")
    private @Nullable String outFolder;

    @Option(
            names = "--tolerance",
            paramLabel = "SECONDS",
            description = "Starts that differ by no more are equal (default: ${DEFAULT-VALUE}).")
    private double tolerance = 60;

    @Option(names = "--every", paramLabel = "SECONDS", description = "Between polls (default: ${DEFAULT-VALUE}).")
    private int every = 60;

    @Option(
            names = "--polls",
            paramLabel = "N",
            description = "Polls before it ends with a report, 0 for no end (default: ${DEFAULT-VALUE}).")
    private int polls;

    @Option(
            names = "--report-every",
            paramLabel = "HOURS",
            description = "Between reports (default: ${DEFAULT-VALUE}).")
    private double reportHours = 24;

    @Option(
            names = "--since",
            paramLabel = "DAYS",
            description = "Past that the first poll asks for (default: ${DEFAULT-VALUE}).")
    private double sinceDays = 7;

    @Mixin
    private SlurmOptions slurm = new SlurmOptions(60);

    @Option(names = "--seed", paramLabel = "N", description = "Seed of all random draws (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Mixin
    private TraceOptions traces = new TraceOptions();

    @Option(names = "--json", description = "Print JSON instead of words.")
    private boolean json;

    @Override
    protected void run() {
        InputException.within(0, 1e9, "--tolerance", tolerance);
        InputException.within(1, 1e9, "--every", every);
        InputException.within(0, 1e9, "--polls", polls);
        InputException.within(0, 1e9, "--report-every", reportHours);
        InputException.within(0, 1e9, "--since", sinceDays);
        InputException.within(1, 1e9, "--timeout", slurm.timeout());
        Topology topology = Clusters.resolve("--cluster", cluster);
        SchedulerRegistry.Entry entry = Schedulers.named("--scheduler", scheduler);
        if (entry.replaysTrace()) {
            throw InputException.at("--scheduler", scheduler, "a scheduler that does not replay a published simulator");
        }
        ShadowComparison.Terms terms = new ShadowComparison.Terms(topology, entry, tolerance, seed);
        if (source.equals(LIVE)) {
            if (outFolder == null) {
                throw InputException.at("--out", "nothing", "a folder in which a live shadow keeps what it saw");
            }
            Path folder = InputFiles.path(outFolder);
            FolderLock.during(folder, () -> follow(terms, folder));
        } else {
            rehearse(terms);
        }
    }

    private void rehearse(ShadowComparison.Terms terms) {
        Trace trace = traces.read(source, err());
        ShadowComparison shadow = ShadowComparison.of(terms, trace);
        if (outFolder != null) {
            Path folder = InputFiles.path(outFolder);
            FolderLock.during(folder, () -> write(folder, shadow));
        }
        print(shadow);
    }

    private void follow(ShadowComparison.Terms terms, Path folder) {
        long reportNanos = Math.round(reportHours * 3.6e12);
        try (ShadowFollower follower =
                new ShadowFollower(folder, slurm.commands("shadow"), Clock.system(ZoneId.systemDefault()), sinceDays)) {
            if (follower.polls() > 0) {
                err().println("%s holds %,d polls; it goes on from there.".formatted(folder, follower.polls()));
            }
            long reported = 0;
            for (int done = 1; ; done++) {
                poll(follower, done == 1);
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
            err().println("poll %,d: %,d rows are new or changed".formatted(follower.polls(), changed));
        } catch (InputException unanswered) {
            if (isFirst) {
                throw unanswered;
            }
            err().println("poll missed: " + unanswered.getMessage());
        }
    }

    private void write(Path folder, ShadowComparison shadow) {
        String title = "%s beside %s on %s".formatted(scheduler, source, cluster);
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
        out().print(json ? shadow.json() : shadow.answer().console());
        out().flush();
    }
}
