package org.trainyard.env.gym.auction;

/** Effect of a bid that wins. */
public enum BidKind {
    /** No agent acts until something happens. */
    WAIT,
    /** A waiting job starts on a set of servers. */
    START,
    /** Running jobs are preempted or migrated, and a waiting job starts on the fewest servers that it can have. */
    MAKE_ROOM,
    /** A waiting job that could only start spread accepts nothing but a consolidated place for a while. */
    PATIENCE,
    /** A running job restarts on a set of servers where it runs faster. */
    MOVE,
    /** A waiting job is handed to the agent of another domain. */
    FORWARD;

    /** Number of kinds. */
    public static final int COUNT = values().length;

    /** A dense number, the order of the constants. */
    @SuppressWarnings("EnumOrdinal")
    public int index() {
        return ordinal();
    }
}
