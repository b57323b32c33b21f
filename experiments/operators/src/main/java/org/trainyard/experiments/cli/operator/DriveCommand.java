package org.trainyard.experiments.cli.operator;

import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.FailedWriteException;
import org.trainyard.env.InputException;
import org.trainyard.experiments.cli.options.CommandGroup;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.cli.service.ServedOptions;
import org.trainyard.experiments.config.PhysicsConfig;
import org.trainyard.experiments.config.PreemptionConfig;
import org.trainyard.experiments.drive.ClusterDriver;
import org.trainyard.experiments.drive.DriveLevel;
import org.trainyard.experiments.drive.DriveSettings;
import org.trainyard.experiments.drive.DrivenCluster;
import org.trainyard.experiments.drive.GivenBack;
import org.trainyard.experiments.drive.GivingBack;
import org.trainyard.experiments.drive.kubernetes.DrivenKubernetes;
import org.trainyard.experiments.drive.slurm.DrivenSlurm;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.TimeOfDay;
import org.trainyard.experiments.service.live.ServiceSettings;
import org.trainyard.experiments.slurm.UnansweredException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Carries a scheduler's decisions out on a live manager. */
@Command(
        name = "drive",
        description = {
            "Let a scheduler decide which pending jobs of a live Slurm or Kubernetes start.",
            "With more rights it also decides on which nodes, and which jobs to preempt."
        },
        subcommands = {DriveCommand.SlurmCommand.class, DriveCommand.KubernetesCommand.class},
        synopsisSubcommandLabel = "MANAGER",
        footer = {
            "",
            "Example: trainyard drive slurm --scheduler easy --partition gpu --out drives/easy --dry-run",
            "Example: trainyard drive kubernetes --scheduler learned --level placement --out drives/pods"
        })
public final class DriveCommand extends CommandGroup {
    /** The clock of the mirror is the driver's own, so no time is too far ahead. */
    private static final long ANY_SKEW_NANOS = Long.MAX_VALUE / 4;

    /** Seconds for which an end waits for commands without an answer; systemd's unit waits longer. */
    private static final int LAST_SECONDS = 75;

    /** Drives Slurm. */
    @Command(
            name = "slurm",
            description = {
                "Let a scheduler decide which pending jobs of a live Slurm start.",
                "Waiting jobs get a begin time that is renewed; without the driver Slurm continues by itself. Ctrl-C gives"
                        + " all jobs back."
            },
            footer = {
                "",
                "Example: trainyard drive slurm --scheduler easy --partition gpu --out drives/easy --dry-run",
                "Example: trainyard drive slurm --checkpoint checkpoints/default --qos normal --out drives/gpu"
            })
    static final class SlurmCommand extends ManagerCommand {
        @Option(names = "--partition", paramLabel = "NAME", description = "Touch no job outside this partition.")
        private @Nullable String partition;

        @Option(names = "--qos", paramLabel = "NAME", description = "Touch no job outside this QOS.")
        private @Nullable String qos;

        @Option(names = "--held", description = "Take over jobs that are submitted held.")
        private boolean takesHeld;

        @Option(
                names = "--lease",
                paramLabel = "SECONDS",
                description =
                        "Time after which a waiting job may start without the driver (default: ${DEFAULT-VALUE}).")
        private int lease = LEASE_SECONDS;

        @Option(
                names = "--leave-partition",
                paramLabel = "NAME",
                split = ",",
                description = "Touch no job of these partitions.")
        private List<String> leftPartitions = List.of();

        @Option(
                names = "--give-back",
                description = "Give all jobs of the folder's log back to Slurm, without a driver, and end.")
        private boolean isGivenBack;

        @Mixin
        private SlurmOptions slurm = new SlurmOptions(20);

        @Override
        void manage() {
            InputException.within(10, 3600, "--lease", lease);
            requireRenewals(lease);
            Clock clock = Clock.system(ZoneId.systemDefault());
            DrivenSlurm driven = new DrivenSlurm(slurm.commands("drive"), clock);
            DriveSettings settings = settings(partition, qos, takesHeld, lease, leftPartitions);
            if (isGivenBack) {
                GivingBack.withoutDriver(settings, driven, clock, this::say);
            } else {
                drive(settings, driven, clock);
            }
        }
    }

    /** Drives Kubernetes. */
    @Command(
            name = "kubernetes",
            description = {
                "Let a scheduler decide which pending pods of a live Kubernetes start.",
                "It removes the gate trainyard.org/wait from all pods of a job at once. Without a driver jobs wait there."
            },
            footer = {
                "",
                "Example: trainyard drive kubernetes --scheduler easy --namespace team --out drives/pods --dry-run",
                "Example: trainyard drive kubernetes --scheduler learned --level placement --out drives/pods"
            })
    static final class KubernetesCommand extends ManagerCommand {
        @Option(names = "--namespace", paramLabel = "NAME", description = "Touch no job outside this namespace.")
        private @Nullable String namespace;

        @Option(
                names = "--priority-class",
                paramLabel = "NAME",
                description = "Touch no job outside this priority class.")
        private @Nullable String priorityClass;

        @Option(
                names = "--leave-namespace",
                paramLabel = "NAME",
                split = ",",
                description = "Touch no job of these namespaces.")
        private List<String> leftNamespaces = List.of();

        @Override
        void manage() {
            Clock clock = Clock.system(ZoneId.systemDefault());
            drive(
                    settings(namespace, priorityClass, false, LEASE_SECONDS, leftNamespaces),
                    new DrivenKubernetes(new KubernetesClientBuilder().build(), clock),
                    clock);
        }
    }

    /** Drives a manager. */
    abstract static class ManagerCommand extends Subcommand {
        static final int LEASE_SECONDS = 60;

        @Mixin
        private CommonOption scheduler = CommonOption.scheduler(
                "One of `trainyard list schedulers`, or learned: the shipped policy for this level.");

        @Mixin
        private CommonOption checkpoint = CommonOption.checkpoint("Trained policy in place of a scheduler.");

        @Option(names = "--dry-run", description = "Print the actions without carrying them out.")
        private boolean isDry;

        @Option(
                names = "--level",
                paramLabel = "LEVEL",
                description = "Decisions of the scheduler: priority (which jobs start, in which order), placement "
                        + "(also the nodes), or preemption (also requeue or evict) (default: ${DEFAULT-VALUE}).")
        private String level = "priority";

        @Mixin
        private CommonOption cluster = CommonOption.cluster(
                "The cluster, with servers named as the nodes (default: the manager's nodes under one " + "switch).");

        @Mixin
        private CommonOption folder = CommonOption.out(
                        "Folder of the write-ahead files, by which an interrupted command continues.")
                .required();

        @Mixin
        private ServedOptions served = new ServedOptions(1000);

        @Option(
                names = "--every",
                paramLabel = "SECONDS",
                description = "Seconds between two polls (default: ${DEFAULT-VALUE}).")
        private double every = 2;

        @Option(
                names = "--max-polls",
                paramLabel = "N",
                description = "End after this many polls; 0 for no end (default: ${DEFAULT-VALUE}).")
        private int maxPolls;

        @Option(
                names = "--start-within",
                paramLabel = "SECONDS",
                description =
                        "Take a start back that has not come in this time; its nodes are avoided for the job, or it is"
                                + " left to the manager, for ten times as long (default: ${DEFAULT-VALUE}).")
        private int startWithin = 60;

        @Option(
                names = "--starts-per-minute",
                paramLabel = "N",
                description = "Start at most so many jobs a minute; 0 for no limit (default: ${DEFAULT-VALUE}).")
        private int startsPerMinute;

        @Option(names = "--leave-user", paramLabel = "NAME", split = ",", description = "Touch no job of these users.")
        private List<String> leftUsers = List.of();

        /** Does the work in the folder; a disk that is full, or that nobody may write to, is a line and code 2. */
        @Override
        protected final void run() {
            try {
                manage();
            } catch (UncheckedIOException e) {
                String why = e instanceof FailedWriteException
                        ? String.valueOf(e.getMessage())
                        : FailedWriteException.reason(Objects.requireNonNull(e.getCause()));
                throw new InputException(
                        "--out: %s: %s; free the disk, or name a folder that can be written, and start again"
                                .formatted(folder.text(), why));
            }
        }

        abstract void manage();

        /**
         * Settings by the options.
         *
         * @param group of jobs outside which none is touched, or null
         * @param priority of jobs outside which none is touched, or null
         * @param leftGroups of which no job is touched
         */
        final DriveSettings settings(
                @Nullable String group,
                @Nullable String priority,
                boolean takesHeld,
                int leaseSeconds,
                List<String> leftGroups) {
            InputException.within(0.05, 3600, "--every", every);
            InputException.within(0, 1e9, "--max-polls", maxPolls);
            InputException.within(1, 86_400, "--start-within", startWithin);
            InputException.within(0, 1e6, "--starts-per-minute", startsPerMinute);
            return new DriveSettings(
                    InputFiles.path(folder.text()),
                    cluster.value(),
                    level(),
                    group,
                    priority,
                    takesHeld,
                    leaseSeconds,
                    startWithin,
                    startsPerMinute,
                    leftGroups,
                    leftUsers,
                    isDry);
        }

        /** Drives a manager until the last poll, or until the process is told to end. */
        final void drive(DriveSettings settings, DrivenCluster manager, Clock clock) {
            try (DrivenCluster driven = manager) {
                if (scheduler.isGiven() == checkpoint.isGiven()) {
                    throw InputException.at(
                            "drive", scheduler.isGiven() ? "both" : "neither", "one of --scheduler and --checkpoint");
                }
                try (ClusterDriver driver = opened(settings, driven, clock)) {
                    drive(driver, settings.level());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** Tries until the manager answers, or the last poll: one that cannot be reached is no mistake of the user. */
        private ClusterDriver opened(DriveSettings settings, DrivenCluster driven, Clock clock)
                throws InterruptedException {
            ServiceSettings service = service(settings.level());
            for (int done = 1; ; done++) {
                try {
                    return new ClusterDriver(settings, service, driven, clock, System::nanoTime, this::say);
                } catch (UnansweredException e) {
                    if (maxPolls > 0 && done >= maxPolls) {
                        throw e;
                    }
                    if (done == 1) {
                        say("%s; asked again until it answers".formatted(e.getMessage()));
                    }
                    TimeUnit.NANOSECONDS.sleep(everyNanos());
                }
            }
        }

        /** A lease is renewed by the first look after its half. */
        final void requireRenewals(int lease) {
            if (lease < 2 * every) {
                throw InputException.at("--lease", lease, "at least twice --every, which is %s s".formatted(every));
            }
        }

        private long everyNanos() {
            return Math.round(every * 1e9);
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
            return served.settings(
                    scheduler.isGiven() ? "--scheduler" : "--checkpoint",
                    decider(),
                    false,
                    new ServedOptions.SchedulerName("drive", "fifo"),
                    given -> rules(given == null ? PhysicsConfig.DEFAULT : given, may),
                    ServiceSettings.Limits.DEFAULT.with(ServiceSettings.Limits.DEFAULT.servers(), ANY_SKEW_NANOS),
                    err());
        }

        private String decider() {
            if (scheduler.isGiven()) {
                return scheduler.text();
            }
            if (!Files.isDirectory(InputFiles.path(checkpoint.text()))) {
                throw InputException.at("--checkpoint", checkpoint.text(), "a folder of a trained policy");
            }
            return checkpoint.text();
        }

        private static PhysicsConfig rules(PhysicsConfig given, DriveLevel may) {
            return may == DriveLevel.PREEMPTION ? given : given.with(new PreemptionConfig.Forbidden());
        }

        final void say(String line) {
            out().println("%s %s%s"
                    .formatted(
                            TimeOfDay.of(LocalTime.now(ZoneId.systemDefault())),
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
                    ended.await(LAST_SECONDS, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            Runtime.getRuntime().addShutdownHook(hook);
            try {
                say(Counted.say(
                        "driving %s with %s, level %s, %d events known",
                        commandLine().getCommandName(), decider(), may, driver.events()));
                steps(driver, told);
                GivenBack given = driver.giveBack();
                if (!given.remark().isEmpty()) {
                    say(given.remark());
                }
                String done = given.left().isEmpty()
                        ? Counted.say("given back: %d jobs", given.jobs())
                        : "NOT given back: " + given.left();
                say("%s; %s".formatted(done, driver.counts().words()));
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
                        say("poll missed: " + unanswered);
                    }
                    if (unanswered.isEmpty() && isMissing) {
                        say("an answer again");
                    }
                    isMissing = !unanswered.isEmpty();
                    long left = everyNanos() - (System.nanoTime() - from);
                    if ((maxPolls > 0 && done >= maxPolls) || told.await(Math.max(0, left), TimeUnit.NANOSECONDS)) {
                        return;
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
