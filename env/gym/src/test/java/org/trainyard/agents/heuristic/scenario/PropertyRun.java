package org.trainyard.agents.heuristic.scenario;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs the test classes that are named, where no build tool does: exit code 1 unless all tests pass. */
public final class PropertyRun {
    private PropertyRun() {}

    public static void main(String[] classes) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(
                        Stream.of(classes).map(DiscoverySelectors::selectClass).toList())
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        listener.getSummary().printFailuresTo(out);
        long found = listener.getSummary().getTestsFoundCount();
        long passed = listener.getSummary().getTestsSucceededCount();
        out.println("%d of %d tests passed".formatted(passed, found));
        System.exit(found > 0 && passed == found ? 0 : 1);
    }
}
