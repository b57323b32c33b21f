package org.trainyard.env.gym.domain;

import java.util.Arrays;
import org.trainyard.env.topology.Topology;

/** A partition of the servers into domains, one per agent; each is a range of neighbouring servers. */
public final class Domains {
    private final int[] firstServer;
    private final int[] domainOf;

    private Domains(Topology topology, int[] firstServer) {
        this.firstServer = firstServer;
        domainOf = new int[topology.servers()];
        for (int domain = 0; domain < count(); domain++) {
            Arrays.fill(domainOf, firstServer[domain], firstServer[domain + 1], domain);
        }
    }

    /** One domain per rack. */
    public static Domains racks(Topology topology) {
        int[] first = new int[topology.racks() + 1];
        for (int rack = 0; rack < topology.racks(); rack++) {
            first[rack] = topology.firstServer(rack);
        }
        first[topology.racks()] = topology.servers();
        return new Domains(topology, first);
    }

    /** {@code count} domains whose numbers of servers differ by at most one. */
    public static Domains even(Topology topology, int count) {
        if (count < 1 || count > topology.servers()) {
            throw new IllegalArgumentException(
                    "domains (%d) must be 1 to the number of servers (%d)".formatted(count, topology.servers()));
        }
        int[] first = new int[count + 1];
        for (int domain = 0; domain <= count; domain++) {
            first[domain] = (int) ((long) topology.servers() * domain / count);
        }
        return new Domains(topology, first);
    }

    public int count() {
        return firstServer.length - 1;
    }

    public int domainOf(int server) {
        return domainOf[server];
    }

    public int firstServer(int domain) {
        return firstServer[domain];
    }

    /** The first server after the domain. */
    public int endServer(int domain) {
        return firstServer[domain + 1];
    }
}
