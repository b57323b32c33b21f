package org.trainyard.env.gym.action;

/**
 * The discrete action space of an agent.
 *
 * <p>An agent first selects a job of its window and then decides about it. Both choices share one space; the action
 * mask says which actions are legal:
 *
 * <pre>
 * 0                         wait: no further action at this instant
 * 1 .. W                    select the job in slot 0 .. W-1 of the window
 * W+1 .. W+S                place as many of its remaining workers as fit on server 0 .. S-1 of the domain
 * W+S+1                     hold it until the next event
 * W+S+2   .. W+S+1+D        forward it to domain 0 .. D-1
 * W+S+2+D .. W+S+1+2D       place as many remaining workers as fit on the best server of domain 0 .. D-1 (borrowed)
 * W+S+2+2D .. 2W+S+1+2D     with preemption: select the job in slot 0 .. W-1 and preempt or migrate running jobs for it
 * </pre>
 *
 * @param window W, slots of an agent's window of waiting jobs
 * @param servers S, servers of the largest domain
 * @param domains D, number of domains
 * @param preemption whether agents may preempt running jobs
 */
public record ActionSpace(int window, int servers, int domains, boolean preemption) {
    public static final int WAIT = 0;

    public ActionSpace {
        if (window < 1 || servers < 1 || domains < 1) {
            throw new IllegalArgumentException("window (%d), servers (%d) and domains (%d) must be at least 1"
                    .formatted(window, servers, domains));
        }
    }

    /** Without preemption. */
    public ActionSpace(int window, int servers, int domains) {
        this(window, servers, domains, false);
    }

    /** The kinds of actions. */
    public enum Kind {
        WAIT,
        /** Select a job, with or without preemption. */
        SELECT,
        /** Place workers of the selected job, at home or on borrowed GPUs. */
        PLACE,
        HOLD,
        FORWARD
    }

    public Kind kindOf(int action) {
        if (action == WAIT) {
            return Kind.WAIT;
        }
        if (selectedSlotOf(action) >= 0) {
            return Kind.SELECT;
        }
        if (action == hold()) {
            return Kind.HOLD;
        }
        return forwardOf(action) >= 0 ? Kind.FORWARD : Kind.PLACE;
    }

    /** Number of actions. */
    public int size() {
        return preempt(preemption ? window : 0);
    }

    /** Selects the job in the slot. */
    public int slot(int i) {
        return 1 + i;
    }

    /** Places workers on the i-th server of the domain. */
    public int server(int i) {
        return 1 + window + i;
    }

    public int hold() {
        return 1 + window + servers;
    }

    /** Forwards the selected job to a domain. */
    public int forward(int domain) {
        return 2 + window + servers + domain;
    }

    /** Places workers on borrowed GPUs of a domain. */
    public int borrow(int domain) {
        return forward(domains) + domain;
    }

    /** Selects the job in the slot and preempts running jobs for it; not in the space without preemption. */
    public int preempt(int slot) {
        return borrow(domains) + slot;
    }

    /** The slot whose job an action selects without preemption, or -1. */
    public int slotOf(int action) {
        return action >= 1 && action <= window ? action - 1 : -1;
    }

    /** The server of the domain on which an action places workers, or -1. */
    public int serverOf(int action) {
        return action > window && action <= window + servers ? action - 1 - window : -1;
    }

    /** The domain to which an action forwards the selected job, or -1. */
    public int forwardOf(int action) {
        return action >= forward(0) && action < borrow(0) ? action - forward(0) : -1;
    }

    /** The domain whose GPUs an action borrows, or -1. */
    public int borrowOf(int action) {
        return action >= borrow(0) && action < preempt(0) ? action - borrow(0) : -1;
    }

    /** The slot whose job an action selects with preemption, or -1. */
    public int preemptOf(int action) {
        return action >= preempt(0) && action < size() ? action - preempt(0) : -1;
    }

    /** The slot whose job an action selects, with or without preemption, or -1. */
    public int selectedSlotOf(int action) {
        return Math.max(slotOf(action), preemptOf(action));
    }
}
