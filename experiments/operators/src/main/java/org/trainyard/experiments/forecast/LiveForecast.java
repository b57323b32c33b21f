package org.trainyard.experiments.forecast;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.advice.NearestScheduler;
import org.trainyard.experiments.service.live.StartForecasting;

/** A forecast for who feeds a live cluster: few futures, and no calibration, for nobody kept earlier forecasts. */
public final class LiveForecast implements StartForecasting {
    private static final int FUTURES = 30;
    private static final int MOST_ENDED = 5000;

    @Override
    public Supplier<Object> of(
            SimView view,
            Topology topology,
            Asked asked,
            Map<String, Long> limitSeconds,
            String scheduler,
            Supplier<Scheduler> fresh,
            long seed) {
        ClusterMoment moment = moment(view);
        Outlook outlook = Outlook.NONE.limiting(limitSeconds);
        return () -> {
            NearestScheduler named = new NearestScheduler(scheduler, false, Double.NaN, fresh);
            return StartForecast.of(
                    new StartForecaster(topology, named, outlook, FUTURES, seed),
                    named,
                    topology,
                    moment,
                    job(asked, moment),
                    StartForecast.Learned.NONE,
                    FUTURES);
        };
    }

    /** A job that is submitted at the moment. */
    private static TraceJob job(Asked asked, ClusterMoment moment) {
        return new TraceJob(
                        AskedJob.ID,
                        moment.nowNanos(),
                        Demand.ofGpus(asked.gpus()),
                        1,
                        null,
                        asked.user(),
                        asked.group(),
                        null)
                .on(SubmissionTerms.NONE
                        .but()
                        .limitNanos(Math.round(asked.limitSeconds() * 1e9))
                        .build());
    }

    /** The state of a live cluster, with the last {@value #MOST_ENDED} of its jobs. */
    private static ClusterMoment moment(SimView view) {
        List<ClusterMoment.Running> running = new ArrayList<>();
        List<TraceJob> waiting = new ArrayList<>();
        List<TraceJob> ended = new ArrayList<>();
        List<TraceJob> submitted = new ArrayList<>();
        for (int job = Math.max(0, view.arrived() - MOST_ENDED); job < view.arrived(); job++) {
            submitted.add(job(view, job));
            if (view.state(job) == JobState.DONE && view.runNanos(job) > 0) {
                ended.add(job(view, job));
            }
        }
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            Placement placement = view.placement(job);
            List<Integer> servers = IntStream.range(0, placement.serverCount())
                    .map(placement::server)
                    .boxed()
                    .toList();
            running.add(new ClusterMoment.Running(
                    job(view, job),
                    Math.max(view.startedNanos(job), view.job(job).submitNanos()),
                    servers));
        }
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            waiting.add(job(view, job));
        }
        return new ClusterMoment(view.nowNanos(), running, waiting, ended, submitted, down(view));
    }

    private static List<Integer> down(SimView view) {
        Topology topology = view.topology();
        return IntStream.range(0, topology.gpus())
                .filter(gpu -> view.cluster().owner(gpu) == Cluster.DOWN)
                .map(gpu -> topology.servers() + gpu)
                .boxed()
                .toList();
    }

    /** A job as its log would have it; of one that has not ended nobody reads how long it runs. */
    private static TraceJob job(SimView view, int job) {
        JobSpec spec = view.job(job);
        long ran = view.state(job) == JobState.DONE ? Math.max(1, view.runNanos(job)) : 1;
        return new TraceJob(
                        spec.name(),
                        spec.submitNanos(),
                        spec.demand(),
                        ran,
                        null,
                        spec.user(),
                        spec.group(),
                        spec.virtualCluster())
                .on(spec.terms());
    }
}
