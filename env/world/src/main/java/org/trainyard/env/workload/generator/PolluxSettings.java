package org.trainyard.env.workload.generator;

/** The jobs are those of Pollux' evaluation, which adapt their batch. */
public record PolluxSettings() {}
