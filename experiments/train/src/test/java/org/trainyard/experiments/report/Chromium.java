package org.trainyard.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Chromium without a window, where this machine has it; the test is skipped elsewhere. */
public final class Chromium {
    private Chromium() {}

    /**
     * The elements of a page after its scripts ran, without the scripts.
     *
     * @param folder for temporary files
     */
    public static String dump(Path folder, String address) throws IOException, InterruptedException {
        Path browser = Stream.of(String.valueOf(System.getenv("PATH")).split(File.pathSeparator, -1))
                .flatMap(path -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(path, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        Assumptions.assumeTrue(browser != null, "no Chromium on this machine");
        Path own = Files.createTempDirectory(folder, "chromium");
        Path dom = own.resolve("dom.html");
        Process process = new ProcessBuilder(
                        String.valueOf(browser),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--virtual-time-budget=10000",
                        "--user-data-dir=" + own.resolve("profile"),
                        "--dump-dom",
                        address)
                .redirectOutput(dom.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor()).isZero();
        return Files.readString(dom).replaceAll("(?s)(<script[^>]*>).*?</script>", "$1</script>");
    }
}
