package org.trainyard.experiments.drive.slurm;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.trainyard.experiments.drive.DrivenCluster;
import org.trainyard.experiments.drive.LiveJob;
import org.trainyard.experiments.drive.LiveSnapshot;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;
import org.trainyard.experiments.slurm.SlurmCommands;

/**
 * A live Slurm, by {@code squeue}, {@code sinfo} and {@code scontrol}. A job that is to wait gets a begin time ahead, so that
 * Slurm goes on by itself when nobody renews it.
 */
public final class DrivenSlurm implements DrivenCluster {
    private static final String UPDATE = "update";
    private static final int MOST_JOBS = 200;
    /** A begin time that is further ahead than this was not meant as a start. */
    private static final long MISSED_SECONDS = 15;

    private final SlurmCommands commands;
    private final Clock clock;

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
        return SlurmSnapshot.now(commands);
    }

    private static String list(List<LiveJob> jobs) {
        return String.join(",", jobs.stream().map(LiveJob::id).toList());
    }

    /** One that has ended meanwhile makes Slurm refuse its own part of the list only. */
    @Override
    public void postpone(List<LiveJob> jobs, int seconds) {
        for (int from = 0; from < jobs.size(); from += MOST_JOBS) {
            List<LiveJob> part = jobs.subList(from, Math.min(jobs.size(), from + MOST_JOBS));
            commands.control(List.of(UPDATE, "JobId=" + list(part), "StartTime=now+" + seconds));
        }
    }

    @Override
    public void release(List<LiveJob> jobs) {
        commands.control(List.of("release", list(jobs)));
    }

    @Override
    public void start(LiveJob job, long priority, List<ServerGpus> placement) {
        List<String> words =
                new ArrayList<>(List.of(UPDATE, "JobId=" + job.id(), "Priority=" + priority, "StartTime=now"));
        if (!placement.isEmpty()) {
            words.add("ReqNodeList="
                    + String.join(
                            ",", placement.stream().map(ServerGpus::server).toList()));
        }
        commands.control(words);
    }

    @Override
    public boolean hasMissed(LiveJob job) {
        return job.eligible() > clock.millis() / 1000 + MISSED_SECONDS;
    }

    @Override
    public void requeue(LiveJob job) {
        commands.control(List.of("requeue", job.id()));
    }

    @Override
    public void giveBack(List<LiveJob> jobs) {
        commands.control(List.of(UPDATE, "JobId=" + list(jobs), "StartTime=now"));
        release(jobs);
    }

    @Override
    public void close() {
        // Each command is a process of its own.
    }
}
