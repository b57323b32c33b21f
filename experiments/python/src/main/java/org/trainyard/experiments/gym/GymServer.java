package org.trainyard.experiments.gym;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.FolderLock;
import org.trainyard.experiments.run.Experiment;

/**
 * Serves the environments of one experiment over a socket. Every connection has environments of its own and a thread;
 * the steps of its environments share the experiment's worker threads.
 */
public final class GymServer implements AutoCloseable {
    private static final int MOST_CONNECTIONS = 64;

    /**
     * Rights of connections.
     *
     * @param environments of a connection, at most
     * @param callSeconds after which a call that is not done ends its connection
     * @param token that every client must send, or null
     */
    public record Limits(
            int environments, double callSeconds, @Nullable String token) {
        /** Seconds within which a connection sends its first message. */
        static final double HELLO_SECONDS = 10;
    }

    private final Experiment experiment;
    private final GymEpisodes episodes;
    private final Limits limits;
    private final Consumer<String> log;
    private final ServerSocketChannel listener;
    private final @Nullable Path file;
    private final Set<GymSession> sessions = ConcurrentHashMap.newKeySet();

    private GymServer(
            Experiment experiment,
            Limits limits,
            Consumer<String> log,
            ServerSocketChannel listener,
            @Nullable Path file) {
        this.experiment = experiment;
        this.limits = limits;
        this.log = log;
        this.listener = listener;
        this.file = file;
        episodes = new GymEpisodes(experiment);
    }

    /**
     * Listens at a path that is free, or has the socket of a server that was killed.
     *
     * @param log takes a line for every connection that ended by an error
     */
    public static GymServer atPath(Experiment experiment, Path path, Limits limits, Consumer<String> log) {
        // One at a time, or two that start at once would each remove what the other has just made.
        Path turn = path.resolveSibling(path.getFileName() + ".lock");
        FolderLock lock = FolderLock.take(turn, path);
        try {
            removeStale(path);
            ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            listener.bind(UnixDomainSocketAddress.of(path));
            return new GymServer(experiment, limits, log, listener, path);
        } catch (IOException e) {
            throw InputException.at("--socket", path, "a path for a socket (%s)".formatted(e.getMessage()));
        } finally {
            lock.close();
        }
    }

    /** Removes a socket that nobody listens at. */
    private static void removeStale(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .isOther()) {
            throw InputException.at("--socket", path, "a path for a socket, where no file is");
        }
        try (SocketChannel listening = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            throw InputException.at(
                    "--socket", path, "a path where no server listens (%s)".formatted(listening.getRemoteAddress()));
        } catch (ConnectException nobody) {
            Files.delete(path);
        }
    }

    /**
     * Listens at a TCP port.
     *
     * @param port 0 for any that is free
     * @throws InputException when the address is not that of this machine alone and no token is given
     */
    public static GymServer atPort(Experiment experiment, String host, int port, Limits limits, Consumer<String> log) {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw InputException.at("--host", host, "a name or address of this machine");
        }
        if (!address.getAddress().isLoopbackAddress() && limits.token() == null) {
            throw InputException.at("--host", host, "127.0.0.1, or also --token-file: others could reach the gym");
        }
        try {
            ServerSocketChannel listener = ServerSocketChannel.open();
            listener.bind(address);
            return new GymServer(experiment, limits, log, listener, null);
        } catch (IOException e) {
            throw InputException.at("--port", port, "a free port (%s)".formatted(e.getMessage()));
        }
    }

    /** Where clients connect: {@code unix:PATH} or {@code tcp:HOST:PORT}. */
    public String address() {
        try {
            SocketAddress local = listener.getLocalAddress();
            if (local instanceof InetSocketAddress tcp) {
                String host = tcp.getAddress().getHostAddress();
                boolean isLong = tcp.getAddress() instanceof Inet6Address;
                return "tcp:%s:%d".formatted(isLong ? "[" + host + "]" : host, tcp.getPort());
            }
            return "unix:" + local;
        } catch (IOException e) {
            throw new IllegalStateException("the server is closed", e);
        }
    }

    /** Accepts connections until the server is closed. */
    public void serve() throws IOException {
        thread("late calls", this::endLateCalls).start();
        while (true) {
            SocketChannel channel;
            try {
                channel = listener.accept();
            } catch (AsynchronousCloseException closed) {
                return;
            } catch (ClosedChannelException closed) {
                return;
            }
            List<GymSession> strangers =
                    sessions.stream().filter(session -> !session.isTrusted()).toList();
            if (sessions.size() - strangers.size() >= MOST_CONNECTIONS) {
                log.accept("a connection was refused: %d are open".formatted(MOST_CONNECTIONS));
                channel.close();
                continue;
            }
            if (strangers.size() >= MOST_CONNECTIONS) {
                giveWay(strangers);
            }
            if (file == null) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            GymSession session = new GymSession(channel, limits, experiment, episodes);
            sessions.add(session);
            try {
                thread("connection", () -> run(session)).start();
            } catch (OutOfMemoryError e) {
                sessions.remove(session);
                session.close();
                log.accept("a connection was refused: " + e.getMessage());
            }
        }
    }

    /** The oldest of those that have not said who they are makes room: they may not keep out one who does. */
    private void giveWay(List<GymSession> strangers) {
        strangers.stream()
                .min(Comparator.comparingLong(GymSession::age).reversed())
                .ifPresent(oldest -> {
                    sessions.remove(oldest);
                    oldest.close();
                    log.accept("a connection without a hello gave way: %d are open".formatted(MOST_CONNECTIONS));
                });
    }

    private void run(GymSession session) {
        try {
            String ended = session.run();
            if (ended != null && sessions.contains(session) && listener.isOpen()) {
                log.accept("a connection ended: " + ended);
            }
        } finally {
            sessions.remove(session);
        }
    }

    private void endLateCalls() {
        while (listener.isOpen()) {
            try {
                Thread.sleep(500);
            } catch (InterruptedException e) {
                return;
            }
            for (GymSession session : sessions) {
                if (session.isLate()) {
                    session.close();
                }
            }
        }
    }

    private static Thread thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Ends all connections and removes the socket's file. */
    @Override
    public void close() {
        try {
            listener.close();
            sessions.forEach(GymSession::close);
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            log.accept("the socket was not closed: " + e.getMessage());
        }
    }
}
