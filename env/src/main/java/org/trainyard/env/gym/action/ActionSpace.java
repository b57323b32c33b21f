package org.trainyard.env.gym.action;

/**
 * The meaning of an agent's action numbers.
 *
 * <p>An agent first names a job of its window, then says what becomes of it; both choices live in one space, and the mask says which
 * part is on offer:
 *
 * <pre>
 * 0                         wait: nothing more at this instant
 * 1 .. W                    take up the job in slot 0 .. W-1 of the window
 * W+1 .. W+S                put as many of its workers as fit on server 0 .. S-1 of the domain
 * W+S+1                     hold it until the next event
 * W+S+2   .. W+S+1+D        forward it to domain 0 .. D-1
 * W+S+2+D .. W+S+1+2D       put as many of its workers as fit on the best server of domain 0 .. D-1
 * W+S+2+2D .. 2W+S+1+2D     with preemption: take up the job in slot 0 .. W-1 and push out running jobs that will take longer
 * </pre>
 *
 * @param window W, jobs an agent sees
 * @param servers S, servers of the largest domain
 * @param domains D
 * @param preemption whether agents may push out running jobs
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

    /** What sort of thing an action does. */
    public enum Kind {
        WAIT,
        /** Taking up a job, pushing others out for it or not. */
        TAKE_UP,
        /** Putting workers somewhere, at home or on borrowed GPUs. */
        PLACE,
        HOLD,
        FORWARD
    }

    public Kind kindOf(int action) {
        if (action == WAIT) {
            return Kind.WAIT;
        }
        if (takenUpBy(action) >= 0) {
            return Kind.TAKE_UP;
        }
        if (action == hold()) {
            return Kind.HOLD;
        }
        return forwardOf(action) >= 0 ? Kind.FORWARD : Kind.PLACE;
    }

    /** How many actions there are. */
    public int size() {
        return displace(preemption ? window : 0);
    }

    public int slot(int i) {
        return 1 + i;
    }

    public int server(int i) {
        return 1 + window + i;
    }

    public int hold() {
        return 1 + window + servers;
    }

    /** Forwarding to a domain. */
    public int forward(int domain) {
        return 2 + window + servers + domain;
    }

    /** Borrowing from a domain. */
    public int borrow(int domain) {
        return forward(domains) + domain;
    }

    /** Pushing out jobs for the one in a slot; there is none without preemption. */
    public int displace(int i) {
        return borrow(domains) + i;
    }

    /** The slot an action names without pushing anybody out, or -1. */
    public int slotOf(int action) {
        return action >= 1 && action <= window ? action - 1 : -1;
    }

    /** The server of the domain an action names, or -1. */
    public int serverOf(int action) {
        return action > window && action <= window + servers ? action - 1 - window : -1;
    }

    /** The domain an action forwards to, or -1. */
    public int forwardOf(int action) {
        return action >= forward(0) && action < borrow(0) ? action - forward(0) : -1;
    }

    /** The domain an action borrows from, or -1. */
    public int borrowOf(int action) {
        return action >= borrow(0) && action < displace(0) ? action - borrow(0) : -1;
    }

    /** The slot for whose job an action pushes others out, or -1. */
    public int displaceOf(int action) {
        return action >= displace(0) && action < size() ? action - displace(0) : -1;
    }

    /** The slot whose job an action takes up, whether it pushes others out or not, or -1. */
    public int takenUpBy(int action) {
        return Math.max(slotOf(action), displaceOf(action));
    }
}
