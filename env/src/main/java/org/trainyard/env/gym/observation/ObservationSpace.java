package org.trainyard.env.gym.observation;

import java.util.Arrays;
import org.trainyard.env.ColumnSchema;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.action.ActionSpace;

/**
 * The layout of an observation: one row of floats, section after section.
 *
 * <table>
 * <caption>Sections of a row, in order</caption>
 * <tr><th>section</th><th>shape</th><th>columns</th><th>content</th></tr>
 * <tr><td>gpus</td><td>S x K x P x GPU</td><td>{@link GpuColumn}</td><td>the GPUs of the agent's servers, socket by
 * socket</td></tr>
 * <tr><td>servers</td><td>S x SERVER</td><td>{@link ServerColumn}</td><td>the agent's servers</td></tr>
 * <tr><td>candidates</td><td>S x CANDIDATE</td><td>{@link CandidateColumn}</td><td>each server as the next one of
 * the job taken up;
 *     zeros without such a job</td></tr>
 * <tr><td>jobs</td><td>W x JOB</td><td>{@link JobColumn}</td><td>the window of waiting jobs; zeros in empty
 * slots</td></tr>
 * <tr><td>focus</td><td>JOB</td><td>{@link JobColumn}</td><td>the job taken up, or zeros</td></tr>
 * <tr><td>domains</td><td>D x DOMAIN</td><td>{@link DomainColumn}</td><td>a summary of every domain</td></tr>
 * <tr><td>links</td><td>(S + D + R + Q) x LINK</td><td>{@link LinkColumn}</td><td>the uplinks of servers, domains,
 * leaf switches and
 *     pods</td></tr>
 * <tr><td>parents</td><td>S + D + R + Q</td><td></td><td>one plus the switch at the upper end of each uplink: leaf
 * 0 .. R-1, pod R ..
 *     R+Q-1, core R+Q; 0 where there is no uplink</td></tr>
 * <tr><td>global</td><td>GLOBAL</td><td>{@link GlobalColumn}</td><td>the whole cluster and the agent itself</td></tr>
 * <tr><td>mask</td><td>A</td><td></td><td>1 for a legal action, else 0; see {@link ActionSpace}</td></tr>
 * </table>
 *
 * <p>All columns are dimensionless and of the order of one.
 *
 * @param actions W, S, D and A
 * @param sockets K, most sockets of a server
 * @param gpusPerSocket P, most GPUs of a socket
 * @param leaves R, leaf switches of the domain that has most
 * @param pods Q, pods of the domain that has most
 */
public record ObservationSpace(ActionSpace actions, int sockets, int gpusPerSocket, int leaves, int pods) {
    public static final int GPU = GpuColumn.values().length;
    public static final int SERVER = ServerColumn.values().length;
    public static final int CANDIDATE = CandidateColumn.values().length;
    public static final int JOB = JobColumn.values().length;
    public static final int DOMAIN = DomainColumn.values().length;
    public static final int LINK = LinkColumn.values().length;
    public static final int GLOBAL = GlobalColumn.values().length;

    /**
     * To be raised when a column keeps its name and changes its unit, scale or meaning, or when actions get another
     * order.
     */
    private static final int SCHEMA_VERSION = 1;

    private static final String SCHEMA = String.join(
            "\n",
            "version " + SCHEMA_VERSION,
            "gpus " + Arrays.toString(GpuColumn.values()),
            "servers " + Arrays.toString(ServerColumn.values()),
            "candidates " + Arrays.toString(CandidateColumn.values()),
            "jobs " + Arrays.toString(JobColumn.values()),
            "focus " + Arrays.toString(JobColumn.values()),
            "domains " + Arrays.toString(DomainColumn.values()),
            "links " + Arrays.toString(LinkColumn.values()),
            "parents",
            "global " + Arrays.toString(GlobalColumn.values()),
            "mask");

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

    /** Nodes with an uplink: servers, domains, leaf switches and pods. */
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

    /**
     * The SHA-256, in hexadecimal, of the schema: its version, and the names of all sections and columns in order.
     * It is saved with every policy, for weights mean nothing on other columns. Sizes are not part of it: a policy
     * works on clusters of any size.
     */
    public static String schemaHash() {
        return schema().hash();
    }

    /** The columns of all sections. */
    public static ColumnSchema schema() {
        return ColumnSchema.of("observation", SCHEMA);
    }

    /**
     * Refuses a file of a policy or trainer that was saved with other columns.
     *
     * @param savedHash the {@link #schemaHash} in the file
     * @throws InputException when it is not that of these columns
     */
    public static void requireSchema(String file, String savedHash) {
        schema().require(file, savedHash);
    }
}
