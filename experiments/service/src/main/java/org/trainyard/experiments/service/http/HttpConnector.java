package org.trainyard.experiments.service.http;

import org.eclipse.jetty.http.UriCompliance;
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
}
