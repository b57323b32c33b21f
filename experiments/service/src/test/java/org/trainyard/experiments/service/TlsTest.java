package org.trainyard.experiments.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.service.http.ServerSettings;

/** Handshakes with a service that has a certificate, and what comes after them. */
class TlsTest {
    private static final String PASSWORD = "of-the-test";
    private static final String TOKEN = "a-token-of-the-test";

    @TempDir
    private Path folder;

    /** A certificate of its own for localhost, as the JDK's keytool makes it. */
    private Path keystore() throws IOException, InterruptedException {
        Path file = folder.resolve("tls.p12");
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "service",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        file.toString()))
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        return file;
    }

    private static SSLContext trusting(Path keystore) throws IOException, GeneralSecurityException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(KeyStore.getInstance(keystore.toFile(), PASSWORD.toCharArray()));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    @Test
    void who_trusts_the_certificate_is_served_and_nobody_else() throws Exception {
        Path keystore = keystore();
        ServerSettings settings = new ServerSettings(
                "127.0.0.1", 0, TOKEN, ServerSettings.Keystore.open(keystore, PASSWORD), 1 << 20, 1e6);
        SSLContext trusting = trusting(keystore);
        try (RunningService service = new RunningService(RunningService.serving("fifo"), settings, null)) {
            URI clusters = URI.create("https://localhost:%d/v1/clusters".formatted(service.port));
            HttpClient client = HttpClient.newBuilder().sslContext(trusting).build();
            HttpRequest.Builder asked = HttpRequest.newBuilder(clusters);
            HttpResponse<String> served = client.send(
                    asked.copy().header("Authorization", "Bearer " + TOKEN).build(),
                    HttpResponse.BodyHandlers.ofString());

            assertThat(served.statusCode()).isEqualTo(200);
            assertThat(served.body()).isEqualTo("[]");
            assertThat(served.sslSession())
                    .hasValueSatisfying(
                            session -> assertThat(session.getProtocol()).isEqualTo("TLSv1.3"));
            assertThat(client.send(asked.build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(401);
            assertThatThrownBy(
                            () -> HttpClient.newHttpClient().send(asked.build(), HttpResponse.BodyHandlers.ofString()))
                    .isInstanceOf(SSLException.class);
            assertThatThrownBy(() -> service.get("/healthz"))
                    .as("plain HTTP")
                    .hasRootCauseInstanceOf(IOException.class);
            assertThatThrownBy(() -> handshake(trusting, service.port, "TLSv1.1"))
                    .isInstanceOf(SSLException.class);
            assertThat(handshake(trusting, service.port, "TLSv1.2")).isEqualTo("TLSv1.2");
        }
        assertThat(Files.exists(keystore)).isTrue();
    }

    private static String handshake(SSLContext context, int port, String protocol) throws IOException {
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
            socket.setEnabledProtocols(new String[] {protocol});
            socket.startHandshake();
            return socket.getSession().getProtocol();
        }
    }
}
