package org.trainyard.agents.heuristic.order;

import java.util.Arrays;

/**
 * The Gittins index of a job by attained service, for schedulers without predictions: the probability that the job ends
 * before its service reaches a limit, divided by the expected service until then.
 *
 * <p>For service {@code S} of past jobs, attained service {@code a} and a limit {@code b}: {@code P(S <= b | S > a) /
 * E(min(S, b) - a | S > a)}. Source: J. C. Gittins: Bandit processes and dynamic allocation indices, 1979, as Tiresias
 * uses it (J. Gu et al., NSDI 2019). Our deviation: (1) the distribution is the empirical one of the latest
 * {@value #REMEMBERED} finished jobs, not one known beforehand. O(jobs remembered).
 */
public final class ServiceGittinsIndex {
    static final int REMEMBERED = 1_000;

    private final double[] services = new double[REMEMBERED];
    private int count;
    private int next;

    /** Adds the service of a finished job. */
    public void learn(double service) {
        services[next] = service;
        next = (next + 1) % REMEMBERED;
        count = Math.min(count + 1, REMEMBERED);
    }

    /** The index, per unit of service; zero when no remembered job needed more than the attained service. */
    public double of(double attained, double limit) {
        int longer = 0;
        int ended = 0;
        double spent = 0;
        for (double service : Arrays.copyOf(services, count)) {
            if (service > attained) {
                longer++;
                ended += service <= limit ? 1 : 0;
                spent += Math.min(service, limit) - attained;
            }
        }
        return longer == 0 ? 0 : ended / spent;
    }
}
