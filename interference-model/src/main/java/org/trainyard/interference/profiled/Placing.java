package org.trainyard.interference.profiled;

import java.util.Collection;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.workload.ModelProfile;

/** Hardware that a job shares with a neighbour on a server. */
public enum Placing {
    /** The server alone: they are on different sockets. */
    SERVER(false, false, false),
    SOCKET(true, false, false),
    /** The network card: they are on different sockets, and both span servers. */
    NIC(false, true, false),
    SOCKET_AND_NIC(true, true, false),
    GPU(true, false, true);

    private final boolean onSocket;
    private final boolean spans;
    private final boolean onGpu;

    Placing(boolean onSocket, boolean spans, boolean onGpu) {
        this.onSocket = onSocket;
        this.spans = spans;
        this.onGpu = onGpu;
    }

    /** Describes a server on which the victim and one neighbour are so placed. */
    public Colocation beside(ModelProfile neighbour, int gpus, int serverGpus) {
        Colocation place = new Colocation();
        place.reset(serverGpus, onGpu ? gpus : serverGpus - gpus, spans);
        place.add(neighbour, gpus, spans, onSocket, onGpu);
        return place;
    }

    /**
     * Hardware that two jobs share, or the nearest of the placings that are known: without the network card, then on
     * the other side of the sockets; null when none of these is.
     */
    static @Nullable Placing of(boolean gpu, boolean socket, boolean nic, Collection<Placing> known) {
        Placing inside = socket ? SOCKET : SERVER;
        Placing whole = nic ? socket ? SOCKET_AND_NIC : NIC : inside;
        return (gpu ? Stream.of(GPU) : Stream.of(whole, inside, socket ? SERVER : SOCKET))
                .filter(known::contains)
                .findFirst()
                .orElse(null);
    }
}
