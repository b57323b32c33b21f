package org.trainyard.experiments.service.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;

/**
 * Where a service listens and whom it serves.
 *
 * @param port 0 for any that is free
 * @param token that requests must bear, or null for none
 * @param keystore with the certificate for TLS, or null for plain HTTP
 * @param names by which it is called on the loopback address
 * @param patience with slow clients
 */
public record ServerSettings(
        String host,
        int port,
        @Nullable String token,
        @Nullable Keystore keystore,
        long mostBytes,
        double mostPerSecond,
        LoopbackNames names,
        Patience patience) {
    /** Settings with the usual names and patience. */
    public ServerSettings(
            String host,
            int port,
            @Nullable String token,
            @Nullable Keystore keystore,
            long mostBytes,
            double mostPerSecond) {
        this(host, port, token, keystore, mostBytes, mostPerSecond, new LoopbackNames(List.of(host)), Patience.DEFAULT);
    }

    /** A PKCS#12 or JKS file and its password. */
    public record Keystore(Path file, String password) {
        /**
         * Checks that the file can be opened by the password.
         *
         * @throws InputException when it cannot
         */
        public static Keystore open(Path file, String password) {
            try {
                KeyStore.getInstance(file.toFile(), password.toCharArray());
                return new Keystore(file, password);
            } catch (IOException | GeneralSecurityException e) {
                throw InputException.at(
                        "--tls-keystore", file, "a keystore of that password (%s)".formatted(e.getMessage()));
            }
        }
    }

    /** Refuses an address that others can reach without both a token and TLS. */
    public ServerSettings {
        if (host.isBlank()) {
            throw InputException.at("--host", host, "an address of this machine");
        }
        if (!isLoopback(host) && (token == null || keystore == null)) {
            throw InputException.at(
                    "--host",
                    host,
                    "127.0.0.1, or --token-file and --tls-keystore together, for others can reach this address");
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw InputException.at("--host", host, "an address of this machine");
        }
    }

    /** Whether only this machine can reach it. */
    boolean isLoopback() {
        return isLoopback(host);
    }
}
