package org.trainyard.env.gym.observation;

import org.trainyard.env.ColumnMeaning;

/**
 * What an agent observes of a waiting job: the columns of the sections {@code jobs} and {@code focus}.
 *
 * <p>Durations are scaled as {@link #scaledTime}. "Here" is the agent's own domain; a place is consolidated when it
 * has as few servers as any place for so many GPUs on the cluster's widest servers. All columns are 0 in an empty
 * slot.
 */
public enum JobColumn implements ObservationColumn {
    PRESENT("flag", "1 or 0", "1 when there is a job in the slot."),
    GPUS("GPUs", "log2(x) / 6", "Demand, GPUs: its binary logarithm over 6, so that 64 GPUs are 1."),
    GPUS_OF_DOMAIN("ratio", "x", "Demand over the GPUs of the agent's domain."),
    REMAINING_TIME(
            "minutes",
            "log(1 + x) / 10",
            "Predicted remaining run time at the ideal rate, at least a quarter of the progress so far; scaled time."),
    REMAINING_WORK(
            "GPU minutes",
            "log(1 + x) / 10",
            "Estimated remaining run time (predicted run time times the Gittins index) times GPUs; scaled time."),
    WAITED("minutes", "log(1 + x) / 10", "Time since the job last entered the queue; scaled time."),
    WAITED_SHARE("ratio", "x", "Time in the queue over the sum of it and the predicted remaining run time."),
    NETWORK_STRETCH(
            "ratio", "min(x - 1, 2)", "Iteration time over the network over that inside a server, less 1; at most 2."),
    PRESSURE_SOCKET("pressure", "x", "Pressure on memory bandwidth, power and cooling of a socket, 0..1."),
    PRESSURE_PCIE("pressure", "x", "Pressure on PCIe and host memory, 0..1."),
    PRESSURE_NIC("pressure", "x", "Pressure on the NIC, 0..1."),
    SENSITIVITY_SOCKET("sensitivity", "x", "Sensitivity to pressure on the socket, 0..1."),
    SENSITIVITY_PCIE("sensitivity", "x", "Sensitivity to pressure on PCIe, 0..1."),
    SENSITIVITY_NIC("sensitivity", "x", "Sensitivity to pressure on the NIC, 0..1."),
    HOPS("forwards", "x / 2", "How often the job has been forwarded, halved."),
    WIDE("flag", "1 or 0", "1 when the job has more GPUs than any domain."),
    PREEMPTIONS("preemptions", "min(x / 4, 1)", "How often the job has been preempted, a quarter of it; at most 1."),
    WAITS_ELSEWHERE("flag", "1 or 0", "1 when the job waits in another domain."),
    STARTABLE_HERE("flag", "1 or 0", "1 when the job can start here now."),
    STARTABLE("flag", "1 or 0", "1 when the job can start now, maybe on GPUs of other domains."),
    CONSOLIDATED_HERE("flag", "1 or 0", "1 when a consolidated place is free here."),
    CONSOLIDATED_ACROSS(
            "flag", "1 or 0", "1 when a consolidated place is free in the whole cluster and none is free here."),
    CONSOLIDATED_ELSEWHERE("flag", "1 or 0", "1 when a consolidated place is free inside another domain."),
    EXTRA_SERVERS(
            "servers",
            "min(x / 4, 1)",
            "Servers of the place here beyond those of a consolidated one, a quarter of them; at most 1, and 1 when the job cannot start here."),
    WAITED_SHARE_IF_SPREAD("ratio", "x", "WAITED_SHARE when the job can start here, but not consolidated; else 0."),
    FREE("ratio", "x", "Free GPUs over all GPUs of the cluster."),
    FREE_AFTER("ratio", "max(x, 0)", "Free GPUs over all GPUs of the cluster after the job has started; at least 0."),
    LONG_WHEN_FULL(
            "minutes",
            "held share * log(1 + x) / 10",
            "REMAINING_TIME times the part of the cluster's GPUs that are held."),
    OWN_SLOWDOWN(
            "slowdown",
            "min(x - 1, 2)",
            "Predicted slowdown of the job on its best place here, less 1; at most 2. 0 when it cannot start here, as in the three after it."),
    NEIGHBOUR_SLOWDOWN(
            "slowdown",
            "min(x, 2)",
            "Predicted extra slowdown of all neighbours there, each weighted by the part of the job's time that it stays; at most 2."),
    LEFTOVER("ratio", "x", "GPUs left free on the last server of that place, over the server's GPUs."),
    OPENS_SERVER("flag", "1 or 0", "1 when that place takes GPUs of an empty server."),
    LOOSER_THAN_ELSEWHERE(
            "ratio",
            "x",
            "GPUs left free by the tightest server here beyond the tightest of the cluster, over the GPUs of the widest server."),
    PREEMPTION_COST(
            "cost",
            "min(x, 4)",
            "Cost of the preemption plan for the job, as PreemptionPlan.cost; at most 4. 0 without a plan, as in the three after it."),
    PREEMPTED_JOBS("jobs", "min(x / 8, 1)", "Jobs that the plan preempts, an eighth of them; at most 1."),
    CAN_PREEMPT("flag", "1 or 0", "1 when preempting running jobs makes a consolidated place for the job."),
    PREEMPTED_LEAST_RUN("minutes", "log(1 + x) / 10", "Shortest time that any job of the plan has run; scaled time.");

    /** The greatest value of {@link #PREEMPTION_COST}. */
    public static final double MOST_COST = 4;

    private static final double MINUTE = 60;

    private final String unit;
    private final String scale;
    private final String text;

    JobColumn(String unit, String scale, String text) {
        this.unit = unit;
        this.scale = scale;
        this.text = text;
    }

    @Override
    public ColumnMeaning meaning() {
        return new ColumnMeaning(unit, scale, text);
    }

    /** A duration as columns have it, log(1 + minutes) / 10: 0 for none, 0.41 for an hour, 0.73 for a day. */
    static float scaledTime(double seconds) {
        return (float) (Math.log1p(seconds / MINUTE) / 10);
    }
}
