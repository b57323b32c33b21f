package org.trainyard.experiments.drive.slurm;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.log.LogClock;
import org.trainyard.experiments.drive.DriveLevel;
import org.trainyard.experiments.drive.DriveSettings;
import org.trainyard.experiments.drive.DrivenCluster;
import org.trainyard.experiments.drive.LiveJob;
import org.trainyard.experiments.drive.LiveSnapshot;
import org.trainyard.experiments.drive.RefusedException;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;
import org.trainyard.experiments.slurm.SlurmCommands;

/**
 * A live Slurm, by {@code squeue}, {@code sinfo} and {@code scontrol}. A job that is to wait gets a begin time ahead,
 * so that Slurm goes on by itself when nobody renews it.
 */
public final class DrivenSlurm implements DrivenCluster {
    private static final String UPDATE = "update";
    private static final String NODES = "ReqNodeList=";
    private static final String RIGHTS = "trainyard-rights";
    private static final int MOST_JOBS = 200;
    /** Names that a message lists. */
    private static final int MOST_NAMES = 20;
    /** Seconds for which a job cannot start while it is named nodes, far beyond the limit of a command. */
    private static final int GUARD_SECONDS = 60;
    /** A begin time that is further ahead than this was not meant as a start. */
    private static final long MISSED_SECONDS = 15;

    /** Nanoseconds by which its clock may differ from ours. */
    private static final long SKEW_NANOS = 600_000_000_000L;

    /**
     * Words of Slurm about a job that has ended, or has started; then the nodes that it is told are those of another.
     */
    private static final Pattern LATE =
            Pattern.compile("(?i)already (finished|completing)|invalid job id|no longer pending"
                    + "|job is pending execution|invalid node name");

    private static final Pattern DENIED = Pattern.compile("(?i)invalid user id|denied|not permitted|privilege");

    private static final String AS_OF = "Configuration data as of";

    /** The time now and that of the start of slurmctld. */
    private static final Pattern TIMES = Pattern.compile(
            "(?s)" + AS_OF + " (\\d{4}-[\\dT:-]{14})\\b.*\\bBOOT_TIME\\s*=\\s*(\\d{4}-[\\dT:-]{14})\\b");

    private static final Pattern SELECT = Pattern.compile("(?m)^SelectTypeParameters\\s*=\\s*(\\S+)");

    private final SlurmCommands commands;
    private final Clock clock;
    /** Whether memory is no resource of its own: a job that names none then seems to ask for a whole node's. */
    private boolean sharesMemory;

    public DrivenSlurm(SlurmCommands commands, Clock clock) {
        this.commands = commands;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "Slurm";
    }

    @Override
    public LiveSnapshot look() {
        LiveSnapshot seen = SlurmSnapshot.now(commands);
        return sharesMemory ? seen.sharingMemory() : seen;
    }

    /**
     * Asks for a change to a reservation that is none, which Slurm refuses to operators for another reason than to
     * users.
     */
    @Override
    public void requireRights(DriveLevel level) {
        String words = commands.control(List.of(UPDATE, "ReservationName=" + RIGHTS, "Duration=1"));
        if (DENIED.matcher(words).find()) {
            throw InputException.at(
                    "drive", words, "a user of Slurm with AdminLevel=Operator, who may change jobs of others");
        }
    }

    /**
     * Names of QOS are not checked where Slurm keeps no accounts, and those of users by the operating system too. Reads
     * what Slurm counts, too.
     */
    @Override
    public void requireKnown(DriveSettings settings, LiveSnapshot seen) {
        Matcher select = SELECT.matcher(commands.configuration());
        sharesMemory =
                select.find() && !select.group(1).toUpperCase(Locale.ROOT).contains("MEMORY");
        Set<String> partitions = new TreeSet<>();
        seen.nodes().values().forEach(node -> partitions.addAll(node.partitions()));
        seen.jobs()
                .values()
                .forEach(job -> partitions.addAll(List.of(job.partition().split(","))));
        String partition = settings.partition();
        requireKnown("--partition", partition == null ? List.of() : List.of(partition), partitions);
        requireKnown("--leave-partition", settings.leftPartitions(), partitions);
        String qos = settings.qos();
        if (qos != null) {
            requireKnown("--qos", List.of(qos), commands.accounted("qos", "name"));
        }
        List<String> strangers = settings.leftUsers().stream()
                .filter(user -> seen.jobs().values().stream()
                        .noneMatch(job -> job.user().equals(user)))
                .toList();
        if (!strangers.isEmpty()) {
            requireKnown(
                    "--leave-user",
                    strangers.stream().filter(user -> !commands.hasUser(user)).toList(),
                    commands.accounted("user", "user"));
        }
    }

    private static void requireKnown(String option, List<String> names, Set<String> known) {
        names.stream()
                .filter(name -> !known.isEmpty() && !known.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw InputException.at(option, name, "one of " + Counted.some(List.copyOf(known), MOST_NAMES));
                });
    }

    private void control(List<String> words) {
        String refusal = commands.control(words);
        if (!refusal.isEmpty()) {
            throw new RefusedException(refusal, LATE.matcher(refusal).find());
        }
    }

    private static String list(List<LiveJob> jobs) {
        return String.join(",", jobs.stream().map(LiveJob::id).toList());
    }

    /**
     * By the two times of its configuration, read in our zone unless its clock shows that its zone is another, of which
     * nobody knows when clocks are put forward and back. Of a start that clocks show twice, the earlier one leaves
     * holds to users.
     */
    @Override
    public long startedMillis() {
        Matcher times = TIMES.matcher(commands.configuration());
        if (!times.find()) {
            return 0;
        }
        LogClock shown = new LogClock(clock.getZone());
        long nowNanos = clock.millis() * 1_000_000;
        long asOf = shown.nanos(AS_OF, times.group(1), nowNanos - SKEW_NANOS);
        if (Math.abs(asOf - nowNanos) > SKEW_NANOS) {
            shown = new LogClock(null);
            asOf = shown.nanos(AS_OF, times.group(1), 0);
        }
        return (nowNanos - (asOf - shown.nanos("BOOT_TIME", times.group(2), 0))) / 1_000_000;
    }

    @Override
    public void postpone(List<LiveJob> jobs, int seconds) {
        onAnyNodes(jobs, "StartTime=now+" + seconds);
    }

    /** Slurm takes nodes of one job at a time, and other changes of many. */
    private void onAnyNodes(List<LiveJob> jobs, String change) {
        List<List<String>> orders = new ArrayList<>();
        List<LiveJob> free =
                jobs.stream().filter(job -> job.requiredNodes().isEmpty()).toList();
        parts(free).forEach(part -> orders.add(List.of(UPDATE, "JobId=" + list(part), change)));
        jobs.stream()
                .filter(job -> !job.requiredNodes().isEmpty())
                .forEach(job -> orders.add(List.of(UPDATE, "JobId=" + job.id(), change, NODES)));
        each(orders);
    }

    private static List<List<LiveJob>> parts(List<LiveJob> jobs) {
        List<List<LiveJob>> parts = new ArrayList<>();
        for (int from = 0; from < jobs.size(); from += MOST_JOBS) {
            parts.add(jobs.subList(from, Math.min(jobs.size(), from + MOST_JOBS)));
        }
        return parts;
    }

    /** Runs all; a refusal is thrown at the end, since one that has ended makes Slurm refuse its own part alone. */
    private void each(List<List<String>> orders) {
        RefusedException last = null;
        for (List<String> words : orders) {
            try {
                control(words);
            } catch (RefusedException e) {
                last = e;
            }
        }
        if (last != null) {
            throw last;
        }
    }

    @Override
    public void release(List<LiveJob> jobs) {
        each(parts(jobs).stream().map(part -> List.of("release", list(part))).toList());
    }

    /**
     * Slurm takes nodes that are named to a running job as those that it keeps, and frees the others of its own. So a
     * job that is to start on nodes is postponed first, which is refused once it runs, and named them while it cannot
     * start.
     */
    @Override
    public void start(LiveJob job, long priority, List<ServerGpus> placement) {
        if (!placement.isEmpty()) {
            control(List.of(UPDATE, "JobId=" + job.id(), "StartTime=now+" + GUARD_SECONDS));
        }
        List<String> words =
                new ArrayList<>(List.of(UPDATE, "JobId=" + job.id(), "Priority=" + priority, "StartTime=now"));
        if (!placement.isEmpty()) {
            words.add(NODES
                    + String.join(
                            ",", placement.stream().map(ServerGpus::server).toList()));
        }
        control(words);
    }

    @Override
    public boolean hasMissed(LiveJob job) {
        return job.eligible() > clock.millis() / 1000 + MISSED_SECONDS;
    }

    @Override
    public void requeue(LiveJob job) {
        control(List.of("requeue", job.id()));
    }

    @Override
    public boolean startsByItself() {
        return true;
    }

    @Override
    public void giveBack(List<LiveJob> jobs) {
        try {
            onAnyNodes(jobs, "StartTime=now");
        } finally {
            release(jobs);
        }
    }

    @Override
    public void close() {
        // Each command is a process of its own.
    }
}
