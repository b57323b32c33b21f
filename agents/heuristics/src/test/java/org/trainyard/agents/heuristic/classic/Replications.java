package org.trainyard.agents.heuristic.classic;

import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.topology.Topology;

/**
 * Independent runs of a queue of single-GPU jobs with Poisson arrivals: the mean response time, in mean service times,
 * and half the width of its 99 % confidence interval.
 */
record Replications(double mean, double halfWidth) {
    private static final int RUNS = 20;
    /** The 99.5 % quantile of Student's t with 19 degrees of freedom. */
    private static final double STUDENT = 2.861;

    private static final double SERVICE_SECONDS = 1000;

    static Replications of(Topology topology, ServiceTime service, double load, Supplier<Scheduler> schedulers) {
        int jobs = load < 0.8 ? 10_000 : 100_000;
        double sum = 0;
        double squares = 0;
        for (int run = 0; run < RUNS; run++) {
            RandomGenerator random = RandomStreams.stream(run, "queueing");
            List<JobOutcome> outcomes = jobs(topology, service, load, jobs, random)
                    .run(topology, schedulers.get(), 0)
                    .jobs();
            // The first tenth found the queue still filling.
            double response = outcomes.stream()
                            .skip(jobs / 10)
                            .mapToDouble(JobOutcome::jctNanos)
                            .average()
                            .orElseThrow()
                    / (SERVICE_SECONDS * 1e9);
            sum += response;
            squares += response * response;
        }
        double mean = sum / RUNS;
        double variance = (squares - RUNS * mean * mean) / (RUNS - 1);
        return new Replications(mean, STUDENT * Math.sqrt(variance / RUNS));
    }

    private static TimedJobs jobs(
            Topology topology, ServiceTime service, double load, int count, RandomGenerator random) {
        TimedJobs jobs = TimedJobs.list();
        double arrivalsPerService = load * topology.gpus();
        double at = 0;
        for (int i = 0; i < count; i++) {
            at += ServiceTime.EXPONENTIAL.draw(random) / arrivalsPerService;
            jobs.jobOfNanos("q" + i, 1, nanos(at), Math.max(1, nanos(service.draw(random))));
        }
        return jobs;
    }

    private static long nanos(double services) {
        return Math.round(services * SERVICE_SECONDS * 1e9);
    }
}
