package org.trainyard.spark;

import java.util.TreeMap;
import org.trainyard.env.InputException;
import org.trainyard.experiments.distributed.Fleet;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/** Hands answers on as they come, and stops the job at the first failure. */
final class AnswerGatherer extends AbstractFunction2<Object, SparkAnswer, BoxedUnit> {
    private final Fleet.Gather gather;
    private final Runnable stop;
    private final TreeMap<Integer, RuntimeException> failures = new TreeMap<>();

    AnswerGatherer(Fleet.Gather gather, Runnable stop) {
        this.gather = gather;
        this.stop = stop;
    }

    @Override
    public synchronized BoxedUnit apply(Object number, SparkAnswer answer) {
        int task = (Integer) number;
        byte[] bytes = answer.answer();
        try {
            if (bytes == null) {
                fail(task, exception(answer));
            } else {
                gather.take(task, bytes);
            }
        } catch (RuntimeException e) { // It would end Spark's scheduler in place of the job.
            fail(task, e);
        }
        return BoxedUnit.UNIT;
    }

    private static RuntimeException exception(SparkAnswer answer) {
        return InputException.class.getName().equals(answer.failure())
                ? new InputException(String.valueOf(answer.message()))
                : new IllegalStateException("%s: %s".formatted(answer.failure(), answer.message()));
    }

    private void fail(int task, RuntimeException failure) {
        failures.put(task, failure);
        stop.run();
    }

    /** Throws the failure of the first task that failed, if there is one. */
    synchronized void throwFirst() {
        if (!failures.isEmpty()) {
            throw failures.firstEntry().getValue();
        }
    }
}
