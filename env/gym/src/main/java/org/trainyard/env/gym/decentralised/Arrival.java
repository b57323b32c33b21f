package org.trainyard.env.gym.decentralised;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.JobSpec;

/** Which agent receives a job that is submitted. */
public enum Arrival {
    /** Any, by a hash of the job's number. */
    HASH("Hash"),
    /** Agents in turn. */
    ROUND_ROBIN("RoundRobin"),
    /**
     * The one nearest to its user: all jobs of a user arrive at one agent; those without a user as by {@link #HASH}.
     */
    NEAREST("Nearest");

    private final String title;

    Arrival(String title) {
        this.title = title;
    }

    /** The arrival of this name in the field {@code arrival} of a file. */
    public static Arrival of(String name) {
        for (Arrival arrival : values()) {
            if (arrival.title.equals(name)) {
                return arrival;
            }
        }
        throw new InvalidFieldException(
                "arrival",
                name,
                Arrays.stream(values()).map(arrival -> arrival.title).collect(Collectors.joining(", ", "one of ", "")));
    }

    /** The agent that receives the job of this number. */
    int agent(JobSpec spec, int job, int agents) {
        return switch (this) {
            case ROUND_ROBIN -> job % agents;
            case HASH -> hash("job " + job, agents);
            case NEAREST -> hash(spec.user() == null ? "job " + job : "user " + spec.user(), agents);
        };
    }

    private static int hash(String text, int agents) {
        return (int) Long.remainderUnsigned(RandomStreams.derive(0, text), agents);
    }
}
