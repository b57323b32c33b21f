package org.trainyard.experiments.traces;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.FitReason;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TraceSource;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.run.Episodes;
import org.trainyard.experiments.run.LoggedEpisodes;

/** The episodes of the trace or of the adversary's workloads that a config names. */
public final class ConfiguredTraces implements LoggedEpisodes {
    @Override
    public Made of(ExperimentConfig config, Topology topology, UnaryOperator<List<TraceJob>> completed) {
        Reading reading = new Reading(config, topology, completed, new ArrayList<>());
        String file = config.workload().trace();
        List<TraceJob> trace = file == null ? List.of() : reading.read(file);
        List<List<TraceJob>> pool = reading.pool();
        Episodes episodes =
                pool.isEmpty() ? reading.windows(trace) : PooledEpisodes.of(pool, reading.split(), config.seed());
        List<TraceJob> all =
                pool.isEmpty() ? trace : pool.stream().flatMap(List::stream).toList();
        return new Made(episodes, all, reading.remarks());
    }

    /** Files that are read for a config. */
    private record Reading(
            ExperimentConfig config, Topology topology, UnaryOperator<List<TraceJob>> completed, List<String> remarks) {
        Episodes windows(List<TraceJob> trace) {
            if (!Boolean.TRUE.equals(config.episodes().warmStart())) {
                remarks.add(
                        "episodes begin with an empty cluster (episodes.warm_start: true begins them with what ran and waited then)");
            }
            return TraceEpisodes.of(trace, split(), config.seed());
        }

        TraceSplit split() {
            ExperimentConfig.Episodes wanted = config.episodes();
            return new TraceSplit(
                    wanted.jobs(),
                    wanted.trainShare(),
                    wanted.validationShare(),
                    wanted.validation(),
                    wanted.test(),
                    Boolean.TRUE.equals(wanted.warmStart()));
        }

        /** The workloads that an adversary chose; none where the config names none. */
        List<List<TraceJob>> pool() {
            return config.workload().adversaryTraces().stream()
                    .map(file -> read(file.toString()))
                    .toList();
        }

        List<TraceJob> read(String file) {
            TraceSource source = TraceSource.installed();
            if (source == null) {
                throw InputException.at(
                        "workload",
                        file,
                        "no trace, for this installation lacks the formats of logs, which read traces");
            }
            TraceSource.Jobs trace = source.read(
                    InputFiles.readable(InputFiles.path(file)),
                    new TraceSource.Wanted(
                            config.workload().format(),
                            config.workload().virtualCluster(),
                            config.workload().strict()));
            if (trace.badLineCount() > 0) {
                remarks.add(Counted.say(
                        "%,d bad lines were left out; the first is %s",
                        trace.badLineCount(), trace.badLines().get(0)));
            }
            FitReason fit = new FitReason(topology);
            // A strict reading refuses what does not fit when workloads are built.
            List<TraceJob> fitting = config.workload().strict()
                    ? trace.jobs().stream()
                            .filter(job -> job.gpus() <= topology.gpus())
                            .toList()
                    : fit.fitting(trace.jobs());
            Stream.concat(trace.leftOut().stream(), fit.leftOut(trace.jobs()).stream())
                    .forEach(left -> remarks.add(Counted.say("%,d jobs %s; left out", left.jobs(), left.reason())));
            if (fitting.stream().anyMatch(job -> job.model() == null)) {
                remarks.add(
                        config.workload().drawsModels()
                                ? "jobs of the trace name no models; each got a random one from the catalogue"
                                : "jobs of the trace name no models; they got a neutral one (workload.models: mix draws theirs)");
            }
            List<TraceJob> jobs = completed.apply(fitting);
            if (config.workload().runsAsLogged()) {
                remarks.add("jobs run as long as the log says and end at no limit");
                return LoggedDurations.of(
                        jobs,
                        LoggedDurations.Told.LIMITS_OF_EACH_RUN,
                        config.physics().restart());
            }
            if (jobs.stream().anyMatch(job -> job.past() != null)) {
                remarks.add(LoggedDurations.SLOWED_AGAIN + "workload.as_logged: true runs them as long as they ran");
            }
            return jobs;
        }
    }
}
