package org.trainyard.experiments.cli.operator;

import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.config.PhysicsConfig;
import org.trainyard.experiments.config.PreemptionConfig;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.drive.ClusterDriver;
import org.trainyard.experiments.drive.DriveLevel;
import org.trainyard.experiments.drive.DriveSettings;
import org.trainyard.experiments.drive.DrivenCluster;
import org.trainyard.experiments.drive.kubernetes.DrivenKubernetes;
import org.trainyard.experiments.drive.slurm.DrivenSlurm;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.service.live.ServiceSettings;
import org.trainyard.experiments.service.target.ServedScheduler;
import org.trainyard.experiments.service.target.ServedTarget;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Carries a scheduler's decisions out on a live manager. */
@Command(
        name = "drive",
        description = {
            "Let a scheduler decide on a live Slurm or Kubernetes: which pending jobs start now, and with more rights where,"
                    + " and instead of which.",
            "On Slurm, jobs that are to wait get a begin time that is renewed; when the driver is late or dead, Slurm goes on"
                    + " by itself. Ctrl-C gives all jobs back. On Kubernetes, jobs wait behind the gate trainyard.org/wait"
                    + " of their pods, which it removes from all pods of a job at once."
        },
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard drive slurm --scheduler easy --partition gpu --out drives/easy --dry-run",
            "Example: trainyard drive slurm --checkpoint checkpoints/default --partition gpu --qos normal --out drives/gpu",
            "Example: trainyard drive kubernetes --scheduler learned --level placement --out drives/pods"
        })
public final class DriveCommand extends Subcommand {
    private static final String SLURM = "slurm";
    private static final String KUBERNETES = "kubernetes";
    /** The clock of the mirror is the driver's own, so no time is too far ahead. */
    private static final long ANY_SKEW_NANOS = Long.MAX_VALUE / 4;

    @Parameters(paramLabel = "slurm|kubernetes", description = "The manager.")
    private String manager = "";

    @Option(
            names = "--scheduler",
            paramLabel = "NAME",
            description = "One of `trainyard list schedulers`, or learned: the policy that ships for this level.")
    private @Nullable String scheduler;

    @Option(names = "--checkpoint", paramLabel = "DIR", description = "A trained policy in place of a scheduler.")
    private @Nullable String checkpoint;

    @Option(names = "--dry-run", description = "Say what would be done, and change nothing.")
    private boolean isDry;

    @Option(
            names = "--level",
            paramLabel = "LEVEL",
            description =
                    "What it may do: priority (which jobs may start now, and their order; the manager places), placement (on"
                            + " which nodes, too), or preemption (requeue or evict, too) (default: ${DEFAULT-VALUE}).")
    private String level = "priority";

    @Option(
            names = "--partition",
            paramLabel = "NAME",
            description = "Touch no job outside this partition, or namespace.")
    private @Nullable String partition;

    @Option(names = "--qos", paramLabel = "NAME", description = "Touch no job outside this QOS, or priority class.")
    private @Nullable String qos;

    @Option(names = "--held", description = "Take jobs over that are submitted held; other held jobs stay held.")
    private boolean takesHeld;

    @Option(
            names = "--cluster",
            paramLabel = "NAME|FILE",
            description =
                    "The cluster, whose servers have the names of the nodes (default: what the manager says, under"
                            + " one switch).")
    private @Nullable String cluster;

    @Option(
            names = "--out",
            required = true,
            paramLabel = "DIR",
            description = "Folder of the write-ahead files, with which it goes on after an interruption.")
    private String outFolder = "";

    @Option(
            names = "--physics",
            paramLabel = "FILE",
            description = "YAML file with rates, restart costs and rules of preemption, as in serve.")
    private @Nullable String physics;

    @Option(names = "--belief", paramLabel = "NAME|DIR", description = "Interference believed in, as in serve.")
    private @Nullable String belief;

    @Option(names = "--every", paramLabel = "SECONDS", description = "Between looks (default: ${DEFAULT-VALUE}).")
    private double every = 2;

    @Option(
            names = "--lease",
            paramLabel = "SECONDS",
            description = "How long a waiting job waits when nobody renews it (default: ${DEFAULT-VALUE}).")
    private int lease = 60;

    @Option(
            names = "--budget-ms",
            paramLabel = "MS",
            description = "Time for a decision, after which nothing is decided (default: ${DEFAULT-VALUE}).")
    private int budgetMillis = 1000;

    @Option(
            names = "--polls",
            paramLabel = "N",
            description = "Looks before it ends, 0 for no end (default: ${DEFAULT-VALUE}).")
    private int polls;

    @Mixin
    private SlurmOptions slurm = new SlurmOptions(20);

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of schedulers that draw (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Override
    protected void run() {
        if (!manager.equals(SLURM) && !manager.equals(KUBERNETES)) {
            throw InputException.at("drive", manager, SLURM + " or " + KUBERNETES);
        }
        if ((scheduler == null) == (checkpoint == null)) {
            throw InputException.at("--scheduler", String.valueOf(scheduler), "either it or --checkpoint");
        }
        InputException.within(0.05, 3600, "--every", every);
        InputException.within(10, 86_400, "--lease", lease);
        InputException.within(1, 600_000, "--budget-ms", budgetMillis);
        InputException.within(0, 1e9, "--polls", polls);
        InputException.within(1, 3600, "--timeout", slurm.timeout());
        Path folder = InputFiles.path(outFolder);
        DriveLevel may = level();
        DriveSettings settings = new DriveSettings(folder, cluster, may, partition, qos, takesHeld, lease, isDry);
        ServiceSettings service = service(may);
        Clock clock = Clock.system(ZoneId.systemDefault());
        try (DrivenCluster driven = driven(clock);
                ClusterDriver driver = new ClusterDriver(settings, service, driven, clock, this::say)) {
            drive(driver, may);
        }
    }

    private DrivenCluster driven(Clock clock) {
        return manager.equals(SLURM)
                ? new DrivenSlurm(slurm.commands("drive"), clock)
                : new DrivenKubernetes(new KubernetesClientBuilder().build(), clock);
    }

    private DriveLevel level() {
        for (DriveLevel one : DriveLevel.values()) {
            if (one.toString().equals(level)) {
                return one;
            }
        }
        throw InputException.at("--level", level, "priority, placement or preemption");
    }

    private ServiceSettings service(DriveLevel may) {
        PhysicsConfig given = physics == null ? PhysicsConfig.DEFAULT : PhysicsConfig.read(InputFiles.path(physics));
        PhysicsConfig rules = may == DriveLevel.PREEMPTION ? given : given.with(new PreemptionConfig.Forbidden());
        String name = checkpoint == null ? String.valueOf(scheduler) : checkpoint;
        ServedTarget opened = ServedTarget.fitting(
                checkpoint == null ? "--scheduler" : "--checkpoint",
                name,
                rules,
                belief,
                seed,
                remark -> err().println("note: " + remark));
        return new ServiceSettings(
                opened.served(),
                ServedScheduler.of(Schedulers.named("drive", "fifo"), opened.belief(), seed),
                opened.belief(),
                rules,
                opened.runtime(),
                seed,
                budgetMillis * 1_000_000L,
                ServiceSettings.Limits.DEFAULT.with(ServiceSettings.Limits.DEFAULT.servers(), ANY_SKEW_NANOS));
    }

    private void say(String line) {
        out().println("%s %s%s"
                .formatted(
                        LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS),
                        isDry ? "(dry run) " : "",
                        line.replace('\n', ' ')));
        out().flush();
    }

    /** Steps until the last poll, or until the process is told to end; then jobs are given back. */
    private void drive(ClusterDriver driver, DriveLevel may) {
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Thread hook = new Thread(() -> {
            told.countDown();
            try {
                ended.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            say("driving %s with %s, level %s, %d events known"
                    .formatted(manager, checkpoint == null ? scheduler : checkpoint, may, driver.events()));
            steps(driver, told);
            driver.giveBack();
            say("given back: " + driver.counts().words());
        } finally {
            ended.countDown();
            if (told.getCount() > 0) {
                Runtime.getRuntime().removeShutdownHook(hook);
            }
        }
    }

    private void steps(ClusterDriver driver, CountDownLatch told) {
        boolean isMissing = false;
        try {
            for (int done = 1; ; done++) {
                long from = System.nanoTime();
                String unanswered = driver.step();
                if (!unanswered.isEmpty() && !isMissing) {
                    say("no answer: " + unanswered);
                }
                isMissing = !unanswered.isEmpty();
                long left = Math.round(every * 1e9) - (System.nanoTime() - from);
                if ((polls > 0 && done >= polls) || told.await(Math.max(0, left), TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
