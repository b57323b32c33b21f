package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.trace.slurm.DelimitedTable;
import org.trainyard.env.workload.trace.slurm.SlurmText;

/** An account, or a user in an account: its shares, its limits, and what it has used. */
public final class Association {
    private final String account;
    private final @Nullable String user;
    private final @Nullable Association parent;
    private final List<Association> children = new ArrayList<>();
    private final long shares;
    private final long priority;
    private final TresLimits group;
    private final TresLimits own;
    private final long maxSeconds;
    private final TresLimits.Held held = new TresLimits.Held();
    private double usage;
    private double factor = 1;

    Association(
            String account,
            @Nullable String user,
            @Nullable Association parent,
            long shares,
            long priority,
            TresLimits group,
            TresLimits own,
            long maxSeconds) {
        this.account = account;
        this.user = user;
        this.parent = parent;
        this.shares = shares;
        this.priority = priority;
        this.group = group;
        this.own = own;
        this.maxSeconds = maxSeconds;
        if (parent != null) {
            parent.children.add(this);
        }
    }

    /** The root alone. */
    static Association root() {
        return new Association("root", null, null, 1, 0, TresLimits.NONE, TresLimits.NONE, -1);
    }

    /** A user of an account that no table names, with the limits that the account sets for each. */
    Association user(String name) {
        return new Association(account, name, this, 1, priority, TresLimits.NONE, own, -1);
    }

    /** The table of {@code sacctmgr -P show assoc}: where it has several clusters, the rows of one. */
    static DelimitedTable table(String source, List<String> lines, String cluster) {
        DelimitedTable all = DelimitedTable.ofBars(source, lines, "Account");
        Set<String> named = new LinkedHashSet<>();
        for (int row = 0; row < all.rows(); row++) {
            named.add(all.text(row, "Cluster"));
        }
        if (named.size() < 2) {
            return all;
        }
        if (!named.contains(cluster)) {
            throw InputException.at(
                    source + ", Cluster",
                    String.join(", ", named),
                    cluster.isEmpty()
                            ? "the rows of one cluster, or ClusterName in slurm.conf"
                            : "rows of " + cluster + ", the ClusterName of slurm.conf");
        }
        return all.only("Cluster", cluster);
    }

    /**
     * Reads {@code sacctmgr -P show assoc}; without a column ParentName, and where names are not indented, all accounts
     * are children of root. An association has the limits of one above it on its jobs (Max...) where it sets none.
     *
     * @return by account, or by {@code account/user}
     */
    static Map<String, Association> parse(String source, DelimitedTable table) {
        Map<String, Integer> accounts = new HashMap<>();
        for (int row = 0; row < table.rows(); row++) {
            if (table.text(row, "User").isEmpty()) {
                accounts.put(table.text(row, "Account"), row);
            }
        }
        Map<String, String> above = above(table);
        Map<String, Association> all = new LinkedHashMap<>();
        all.put("root", accounts.containsKey("root") ? of(table, accounts.get("root"), null) : root());
        for (int row = 0; row < table.rows(); row++) {
            String user = table.text(row, "User");
            String account = table.text(row, "Account");
            Association parent = account(source, table, accounts, above, all, account, 0);
            if (!user.isEmpty() && table.text(row, "Partition").isEmpty()) {
                all.put(account + "/" + user, of(table, row, parent));
            }
        }
        return all;
    }

    /** The account above each, by ParentName or else by the spaces before the names, as {@code tree} prints them. */
    private static Map<String, String> above(DelimitedTable table) {
        Map<String, String> above = new HashMap<>();
        List<String> way = new ArrayList<>();
        List<Integer> spaces = new ArrayList<>();
        for (int row = 0; row < table.rows(); row++) {
            if (!table.text(row, "User").isEmpty()) {
                continue;
            }
            String name = table.text(row, "Account");
            String parent = parentName(table, row);
            int deep = table.indent(row, "Account");
            while (!spaces.isEmpty() && spaces.get(spaces.size() - 1) >= deep) {
                spaces.remove(spaces.size() - 1);
                way.remove(way.size() - 1);
            }
            if (!parent.isEmpty()) {
                above.put(name, parent);
            } else if (!way.isEmpty()) {
                above.put(name, way.get(way.size() - 1));
            }
            way.add(name);
            spaces.add(deep);
        }
        return above;
    }

    private static String parentName(DelimitedTable table, int row) {
        return table.first(row, "ParentName", "Par Name");
    }

    /** Whether a table with accounts beside root says which account is above which. */
    static boolean saysTree(DelimitedTable table) {
        boolean hasOthers = false;
        for (int row = 0; row < table.rows(); row++) {
            boolean isAccount = table.text(row, "User").isEmpty()
                    && !table.text(row, "Account").equals("root");
            if (isAccount
                    && (table.indent(row, "Account") > 0
                            || !parentName(table, row).isEmpty())) {
                return true;
            }
            hasOthers |= isAccount;
        }
        return !hasOthers;
    }

    private static Association account(
            String source,
            DelimitedTable table,
            Map<String, Integer> accounts,
            Map<String, String> above,
            Map<String, Association> all,
            String name,
            int depth) {
        Association known = all.get(name);
        if (known != null) {
            return known;
        }
        Integer row = accounts.get(name);
        if (row == null || depth > 100) {
            throw InputException.at(source, name, "a line of this account, below root");
        }
        Association parent = account(source, table, accounts, above, all, above.getOrDefault(name, "root"), depth + 1);
        Association made = of(table, row, parent);
        all.put(name, made);
        return made;
    }

    private static Association of(DelimitedTable table, int row, @Nullable Association parent) {
        String user = table.text(row, "User");
        String share = table.first(row, "Share", "Fairshare");
        return new Association(
                table.text(row, "Account"),
                user.isEmpty() ? null : user,
                parent,
                share.equals("parent") ? -1 : share.isEmpty() ? 1 : SlurmText.number(table.place(row, "Share"), share),
                table.number(row, "Priority", parent == null ? 0 : parent.priority),
                TresLimits.of(table, row, "GrpTRES", "GrpJobs"),
                TresLimits.of(table, row, "MaxTRES", "MaxJobs").or(parent == null ? TresLimits.NONE : parent.own),
                table.seconds(row, "MaxWall"));
    }

    public String account() {
        return account;
    }

    /** User of the association; null for an account. */
    public @Nullable String user() {
        return user;
    }

    @Nullable Association parent() {
        return parent;
    }

    List<Association> children() {
        return children;
    }

    /** Raw shares; -1 for the parent's. */
    long shares() {
        return shares;
    }

    /** The priority that jobs have from it; its parent's where it names none. */
    public long priority() {
        return priority;
    }

    /** The greatest priority here and below. */
    public long greatestPriority() {
        long greatest = priority;
        for (Association child : children) {
            greatest = Math.max(greatest, child.greatestPriority());
        }
        return greatest;
    }

    /** Raw usage, decayed: billing seconds. */
    public double usage() {
        return usage;
    }

    /** Adds usage here and above. */
    public void use(double billingSeconds) {
        for (Association at = this; at != null; at = at.parent) {
            at.usage += billingSeconds;
        }
    }

    /** Multiplies the usage here and below. */
    public void decay(double by) {
        usage *= by;
        for (Association child : children) {
            child.decay(by);
        }
    }

    /** The fair-share factor of the last calculation; 1 before the first. */
    public double factor() {
        return factor;
    }

    void factor(double value) {
        factor = value;
    }

    /** Counts a job that starts (+1) or ends (-1) here and above. */
    public void hold(int sign, int gpus, int cpus, int nodes) {
        for (Association at = this; at != null; at = at.parent) {
            at.held.add(sign, gpus, cpus, nodes);
        }
    }

    /**
     * Whether a job may start within the limits here and above.
     *
     * @param isAlone whether no other job runs
     */
    public boolean allows(int gpus, int cpus, int nodes, boolean isAlone) {
        if ((!isAlone && !own.allowsAnother(held)) || !own.allow(TresLimits.Held.NOTHING, gpus, cpus, nodes)) {
            return false;
        }
        for (Association at = this; at != null; at = at.parent) {
            if (!at.group.allow(isAlone ? TresLimits.Held.NOTHING : at.held, gpus, cpus, nodes)) {
                return false;
            }
        }
        return true;
    }

    /** The longest limit of its jobs, seconds; -1 for any. */
    public long maxSeconds() {
        return maxSeconds >= 0 || parent == null ? maxSeconds : parent.maxSeconds();
    }
}
