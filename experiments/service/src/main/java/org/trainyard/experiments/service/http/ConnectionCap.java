package org.trainyard.experiments.service.http;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.SocketChannelEndPoint;

/** Closes a connection at once when its address has too many already. */
final class ConnectionCap implements Connection.Listener {
    private final int most;
    private final Map<String, Integer> open = new ConcurrentHashMap<>();
    /** A connection that is closed no longer knows its address. */
    private final Map<Connection, String> addresses = new ConcurrentHashMap<>();

    ConnectionCap(int most) {
        this.most = most;
    }

    @Override
    public void onOpened(Connection connection) {
        // Of a connection with TLS the outer one is counted, that of the socket.
        if (connection.getEndPoint() instanceof SocketChannelEndPoint socket
                && socket.getRemoteSocketAddress() instanceof InetSocketAddress remote) {
            String address = remote.getHostString();
            addresses.put(connection, address);
            if (open.merge(address, 1, Integer::sum) > most) {
                connection.close();
            }
        }
    }

    @Override
    public void onClosed(Connection connection) {
        String address = addresses.remove(connection);
        if (address != null) {
            open.computeIfPresent(address, (same, count) -> count == 1 ? null : count - 1);
        }
    }
}
