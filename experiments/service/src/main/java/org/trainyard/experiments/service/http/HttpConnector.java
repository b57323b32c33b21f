package org.trainyard.experiments.service.http;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** Where a service listens: its address, with TLS or without, and the bounds of a connection. */
final class HttpConnector {
    static final int IDLE_MILLIS = 20_000;

    private HttpConnector() {}

    static ServerConnector of(ServerSettings settings, Server jetty, HttpConfiguration http) {
        http.setSendServerVersion(false);
        // An answer of the parser would not wait for the body; Admission refuses what is ambiguous.
        http.setUriCompliance(UriCompliance.UNSAFE);
        // Otherwise a token that differs from an earlier one of the connection in case alone is read as the earlier
        // one.
        http.setHeaderCacheCaseSensitive(true);
        http.setRequestHeaderSize(16 * 1024);
        ServerSettings.Keystore keystore = settings.keystore();
        ServerConnector connector;
        if (keystore == null) {
            connector = new ServerConnector(jetty, new HttpConnectionFactory(http));
        } else {
            SslContextFactory.Server tls = new SslContextFactory.Server();
            tls.setKeyStorePath(keystore.file().toString());
            tls.setKeyStorePassword(keystore.password());
            http.addCustomizer(new SecureRequestCustomizer(false));
            connector = new ServerConnector(jetty, tls, new HttpConnectionFactory(http));
        }
        connector.setHost(settings.host());
        connector.setPort(settings.port());
        connector.setIdleTimeout(IDLE_MILLIS);
        connector.addBean(new ConnectionCap(settings.patience().connections()));
        return connector;
    }

    /** Closes a connection at once when its address has too many already. */
    private static final class ConnectionCap implements Connection.Listener {
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
}
