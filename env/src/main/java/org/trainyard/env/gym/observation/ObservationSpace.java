package org.trainyard.env.gym.observation;

import org.trainyard.env.gym.action.ActionSpace;

/**
 * The shape of what an agent sees: one row of floats, section after section.
 *
 * <table>
 * <caption>Sections of a row, in order</caption>
 * <tr><th>section</th><th>shape</th><th>what</th></tr>
 * <tr><td>gpus</td><td>S x K x P x {@value #GPU}</td><td>the GPUs of the agent's servers, socket by socket</td></tr>
 * <tr><td>servers</td><td>S x {@value #SERVER}</td><td>the agent's servers</td></tr>
 * <tr><td>candidates</td><td>S x {@value #CANDIDATE}</td><td>putting the job taken up on each server; zeros when none is</td></tr>
 * <tr><td>jobs</td><td>W x {@value #JOB}</td><td>the window of waiting jobs; zeros in empty slots</td></tr>
 * <tr><td>focus</td><td>{@value #JOB}</td><td>the job taken up, or zeros</td></tr>
 * <tr><td>domains</td><td>D x {@value #DOMAIN}</td><td>a summary of every domain</td></tr>
 * <tr><td>links</td><td>(S + D + R + Q) x {@value #LINK}</td><td>the way up from every server, domain, leaf switch and pod</td></tr>
 * <tr><td>parents</td><td>S + D + R + Q</td><td>one plus the hub at the upper end of that: leaf 0 .. R-1, pod R .. R+Q-1, core R+Q; 0 when
 *     there is no such child</td></tr>
 * <tr><td>global</td><td>{@value #GLOBAL}</td><td>the whole cluster, and how far the agent is</td></tr>
 * <tr><td>mask</td><td>A</td><td>1 for an action on offer, else 0</td></tr>
 * </table>
 *
 * <p>What each column means is said where it is written, in {@link Observer}. All are dimensionless and of the order of one.
 *
 * @param actions W, S, D and A
 * @param sockets K, most sockets of a server
 * @param gpusPerSocket P, most GPUs of a socket
 * @param leaves R, leaf switches of the domain that has most
 * @param pods Q, pods of the domain that has most
 */
public record ObservationSpace(ActionSpace actions, int sockets, int gpusPerSocket, int leaves, int pods) {
    public static final int GPU = 12;
    public static final int SERVER = 10;
    /** Columns of a link, of the data centre's tree. */
    public static final int LINK = 6;

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

    /** G, places for GPUs in a server: K x P. */
    public int gpusPerServer() {
        return sockets * gpusPerSocket;
    }

    /** Everything that hangs on a switch: servers, domains, leaf switches, pods. */
    public int children() {
        return servers() + domains() + leaves + pods;
    }

    public int gpusAt() {
        return 0;
    }

    public int serversAt() {
        return servers() * gpusPerServer() * GPU;
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

    public int linksAt() {
        return domainsAt() + domains() * DOMAIN;
    }

    public int parentsAt() {
        return linksAt() + children() * LINK;
    }

    public int globalAt() {
        return parentsAt() + children();
    }

    public int maskAt() {
        return globalAt() + GLOBAL;
    }

    /** Floats of one agent's row. */
    public int size() {
        return maskAt() + actions.size();
    }

    /** Columns of a job that a rule weighs; what each means is said in {@link JobFeatures}. */
    public static final class Job {
        public static final int GPUS = 1;
        public static final int SECONDS = 3;
        public static final int WORK = 4;
        public static final int WAITED_SHARE = 6;
        public static final int NETWORK_STRETCH = 7;
        public static final int PREEMPTIONS = 16;
        public static final int WAITS_ELSEWHERE = 17;
        public static final int CONSOLIDATED_HERE = 20;
        public static final int CONSOLIDATED_ACROSS = 21;
        public static final int CONSOLIDATED_ELSEWHERE = 22;
        public static final int EXTRA_SERVERS = 23;
        public static final int WAITED_SHARE_IF_SPREAD = 24;
        public static final int FREE = 25;
        public static final int FREE_AFTER = 26;
        public static final int LONG_WHEN_FULL = 27;
        public static final int OWN_SLOWDOWN = 28;
        public static final int HARM = 29;
        public static final int LEFTOVER = 30;
        public static final int OPENS_SERVER = 31;
        public static final int LOOSER_THAN_ELSEWHERE = 32;
        public static final int DISPLACED_LOSS = 33;
        public static final int DISPLACED_JOBS = 34;
        public static final int CAN_DISPLACE = 35;
        public static final int DISPLACED_LEAST_RUN = 36;

        private Job() {}
    }

    /** Columns of a candidate server that a rule weighs; what each means is said in {@link CandidateFeatures}. */
    public static final class Candidate {
        public static final int TAKES_OF_LEFT = 1;
        public static final int LEFTOVER = 2;
        public static final int COMPLETES = 3;
        public static final int OPENS_SERVER = 4;
        public static final int OWN_SLOWDOWN = 5;
        public static final int HARM = 6;
        public static final int NEIGHBOURS = 7;
        public static final int FILLS = 10;
        public static final int SPLITS = 11;

        private Candidate() {}
    }
}
