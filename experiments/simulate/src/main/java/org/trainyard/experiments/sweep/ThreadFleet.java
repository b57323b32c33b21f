package org.trainyard.experiments.sweep;

import java.util.List;
import org.trainyard.experiments.distributed.Fleet;
import org.trainyard.experiments.distributed.FleetTask;
import org.trainyard.experiments.distributed.ThreadWorkerPool;

/** Threads of this process. */
public final class ThreadFleet implements Fleet {
    private final ThreadWorkerPool threads;

    /** @param size tasks that run at a time, at least 1 */
    public ThreadFleet(int size) {
        threads = new ThreadWorkerPool(size);
    }

    @Override
    public void run(FleetTask task, byte[] broadcast, List<byte[]> inputs, Gather gather) {
        Object turn = new Object();
        threads.each(inputs.size(), number -> {
            byte[] answer = task.run(broadcast, inputs.get(number));
            synchronized (turn) {
                gather.take(number, answer);
            }
        });
    }

    @Override
    public void close() {
        threads.close();
    }
}
