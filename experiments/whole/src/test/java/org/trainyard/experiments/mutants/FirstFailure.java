package org.trainyard.experiments.mutants;

import java.io.PrintStream;
import java.util.Arrays;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * A program that runs tests, given as {@code CLASS} or {@code CLASS#METHOD}, and ends at the first that fails, with an
 * exit code of its own.
 */
public final class FirstFailure {
    /** A test failed. */
    static final int FAILED = 3;
    /** No test ran. */
    static final int NONE = 4;

    private FirstFailure() {}

    public static void main(String[] tests) {
        PrintStream out = System.out;
        Listener listener = new Listener(out);
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(Arrays.stream(tests)
                                        .map(FirstFailure::selector)
                                        .toList())
                                .build(),
                        listener);
        out.flush();
        Runtime.getRuntime().halt(listener.ran == 0 ? NONE : 0);
    }

    private static DiscoverySelector selector(String test) {
        int hash = test.indexOf('#');
        return hash < 0
                ? DiscoverySelectors.selectClass(test)
                : DiscoverySelectors.selectMethod(methodOf(test.substring(0, hash), test.substring(hash + 1)));
    }

    /** The full name of a method of that name, with its parameters. */
    private static String methodOf(String type, String name) {
        try {
            return Arrays.stream(Class.forName(type).getDeclaredMethods())
                    .filter(method -> method.getName().equals(name))
                    .map(method -> "%s#%s(%s)"
                            .formatted(
                                    type,
                                    name,
                                    String.join(
                                            ",",
                                            Arrays.stream(method.getParameterTypes())
                                                    .map(Class::getName)
                                                    .toList())))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("%s has no test %s".formatted(type, name)));
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("no test class %s".formatted(type), e);
        }
    }

    private static final class Listener implements TestExecutionListener {
        private final PrintStream out;
        private int ran;

        Listener(PrintStream out) {
            this.out = out;
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                out.println(test.getDisplayName() + ": "
                        + result.getThrowable().map(String::valueOf).orElse(""));
                out.flush();
                Runtime.getRuntime().halt(FAILED);
            }
            ran += test.isTest() ? 1 : 0;
        }
    }
}
