import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.trainyard.experiments.distributed.Fleet;
import org.trainyard.experiments.distributed.FleetTask;
import org.trainyard.experiments.fleet.SparkInstallation;

/** Measures what a fleet of machines costs: tasks that do nothing, and broadcasts of several sizes. */
public final class FleetThroughput {
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /** Sleeps as many seconds and answers as many hundreds of bytes as its input says. */
    public static final class Idle implements FleetTask {
        public Idle() {}

        @Override
        public byte[] run(byte[] broadcast, byte[] input) {
            try {
                Thread.sleep(1_000L * input[0]);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return new byte[100 * input[1]];
        }
    }

    private FleetThroughput() {}

    public static void main(String[] masters) {
        try (Fleet fleet = SparkInstallation.connect("MASTER", masters[0])) {
            time(fleet, "first task, with the start of the executors", 0, 1, 0, 0);
            time(fleet, "20 tasks that sleep for 1 s", 0, 20, 1, 0);
            for (int tasks : new int[] {1_000, 1_000, 4_000}) {
                time(fleet, tasks + " empty tasks", 0, tasks, 0, 0);
            }
            time(fleet, "4000 tasks with answers of 6,000 bytes", 0, 4_000, 0, 60);
            for (int megabytes : new int[] {1, 10, 50}) {
                time(fleet, "broadcast of %d MB and 2 tasks".formatted(megabytes), megabytes, 2, 0, 0);
            }
        }
    }

    private static void time(Fleet fleet, String what, int megabytes, int tasks, int sleep, int hundreds) {
        byte[] broadcast = new byte[megabytes << 20];
        // Compression must not shrink it.
        new SplittableRandom(1).nextBytes(broadcast);
        List<byte[]> inputs = Collections.nCopies(tasks, new byte[] {(byte) sleep, (byte) hundreds});
        int[] answers = {0};
        long start = System.nanoTime();
        long used = PROCESS.getProcessCpuTime();
        fleet.run(new Idle(), broadcast, inputs, (number, answer) -> answers[0]++);
        double processor = (PROCESS.getProcessCpuTime() - used) / 1e9;
        double seconds = (System.nanoTime() - start) / 1e9;
        if (answers[0] != tasks) {
            throw new IllegalStateException("%d answers of %d".formatted(answers[0], tasks));
        }
        System.out.printf(
                Locale.ROOT,
                "%s: %.2f s, of the driver's processor time %.2f s (%.0f tasks per second of it)%n",
                what,
                seconds,
                processor,
                tasks / processor);
    }
}
