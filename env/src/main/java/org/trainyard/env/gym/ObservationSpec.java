package org.trainyard.env.gym;

/**
 * The shape of what an agent sees: one row of floats, section after section.
 *
 * <table>
 * <caption>Sections of a row, in order</caption>
 * <tr><th>section</th><th>shape</th><th>what</th></tr>
 * <tr><td>gpus</td><td>S x G x {@value #GPU}</td><td>the GPUs of the agent's servers</td></tr>
 * <tr><td>servers</td><td>S x {@value #SERVER}</td><td>the agent's servers</td></tr>
 * <tr><td>candidates</td><td>S x {@value #CANDIDATE}</td><td>putting the job taken up on each server; zeros when none is</td></tr>
 * <tr><td>jobs</td><td>W x {@value #JOB}</td><td>the window of waiting jobs; zeros in empty slots</td></tr>
 * <tr><td>focus</td><td>{@value #JOB}</td><td>the job taken up, or zeros</td></tr>
 * <tr><td>domains</td><td>D x {@value #DOMAIN}</td><td>a summary of every domain</td></tr>
 * <tr><td>global</td><td>{@value #GLOBAL}</td><td>the whole cluster, and how far the agent is</td></tr>
 * <tr><td>mask</td><td>A</td><td>1 for an action on offer, else 0</td></tr>
 * </table>
 *
 * <p>What each column means is said where it is written, in {@link Observer}. All are dimensionless and of the order of one.
 *
 * @param actions W, S, D and A
 * @param gpusPerServer G, GPUs of the widest server
 */
public record ObservationSpec(ActionLayout actions, int gpusPerServer) {
    public static final int GPU = 9;
    public static final int SERVER = 6;
    public static final int CANDIDATE = 12;
    public static final int JOB = 37;
    public static final int DOMAIN = 8;
    public static final int GLOBAL = 9;

    public int window() {
        return actions.window();
    }

    public int servers() {
        return actions.servers();
    }

    public int domains() {
        return actions.domains();
    }

    public int gpusAt() {
        return 0;
    }

    public int serversAt() {
        return servers() * gpusPerServer * GPU;
    }

    public int candidatesAt() {
        return serversAt() + servers() * SERVER;
    }

    public int jobsAt() {
        return candidatesAt() + servers() * CANDIDATE;
    }

    public int focusAt() {
        return jobsAt() + window() * JOB;
    }

    public int domainsAt() {
        return focusAt() + JOB;
    }

    public int globalAt() {
        return domainsAt() + domains() * DOMAIN;
    }

    public int maskAt() {
        return globalAt() + GLOBAL;
    }

    /** Floats of one agent's row. */
    public int size() {
        return maskAt() + actions.size();
    }
}
