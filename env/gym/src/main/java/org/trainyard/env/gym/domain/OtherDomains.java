package org.trainyard.env.gym.domain;

/** The other domains as the agent of one domain sees them, and to which of them it may forward a job. */
public interface OtherDomains {
    /** All domains; the agent's own is one of them. */
    int count();

    /** Whether the waiting job may be forwarded to this domain now: it could run there, and has not been there. */
    boolean mayForward(int job, int domain);

    /** How often the job has been forwarded. */
    int hops(int job);

    /** Summary of another domain, {@link #minutesOld} ago. */
    DomainSummary summary(int domain);

    /** The state of the own domain now. */
    DomainSummary own();

    /** The age of the summaries of the other domains, simulated minutes. */
    double minutesOld();
}
