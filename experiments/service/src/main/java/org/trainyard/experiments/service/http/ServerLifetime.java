package org.trainyard.experiments.service.http;

import java.util.concurrent.CountDownLatch;

/** Keeps a command going while its server serves, until Ctrl-C or a signal ends the process. */
public final class ServerLifetime {
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread closing;

    /** @param close ends the server before the process ends */
    public ServerLifetime(Runnable close) {
        closing = new Thread(
                () -> {
                    close.run();
                    ended.countDown();
                },
                "close");
        Runtime.getRuntime().addShutdownHook(closing);
    }

    /** Waits for the end. */
    public void await() {
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closing.start();
        }
    }
}
