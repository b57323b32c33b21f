package org.trainyard.experiments.fleet;

import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.distributed.Fleet;
import org.trainyard.experiments.distributed.FleetTask;
import org.trainyard.experiments.evaluation.EvaluationRunner;
import org.trainyard.experiments.evaluation.RemoteRuns;
import org.trainyard.experiments.evaluation.SchedulerFactory;
import org.trainyard.experiments.evaluation.TimedScheduler;
import org.trainyard.experiments.run.EpisodeSet;
import org.trainyard.experiments.run.Experiment;

/**
 * Runs of an experiment on a fleet: it broadcasts the config and the schedulers and asks for pairs of scheduler and
 * episode. Machines make the episodes themselves.
 */
record EpisodeFleet(Fleet fleet, Experiment experiment, EpisodeSet episodes) implements RemoteRuns {
    /** Result type of a task. */
    private enum Answer {
        /** The mean JCT of a run of one scheduler. */
        MEAN_JCT,
        /** The run of one scheduler with the outcomes of all jobs. */
        RESULT
    }

    /** Broadcast input of all runs. */
    private record Order(
            Answer answer,
            EpisodeSet.Part part,
            List<Double> arrivalSpeeds,
            SentExperiment experiment,
            List<PortableScheduler> schedulers) {
        byte[] bytes() {
            return FleetBytes.of(out -> {
                out.writeUTF(answer.name());
                out.writeUTF(part.name());
                out.writeInt(arrivalSpeeds.size());
                for (double speed : arrivalSpeeds) {
                    out.writeDouble(speed);
                }
                experiment.write(out);
                out.writeInt(schedulers.size());
                for (PortableScheduler scheduler : schedulers) {
                    scheduler.write(out);
                }
            });
        }

        static Order of(byte[] bytes) {
            return FleetBytes.read(bytes, in -> {
                Answer answer = Answer.valueOf(in.readUTF());
                EpisodeSet.Part part = EpisodeSet.Part.valueOf(in.readUTF());
                List<Double> speeds = new ArrayList<>();
                for (int left = in.readInt(); left > 0; left--) {
                    speeds.add(in.readDouble());
                }
                SentExperiment experiment = SentExperiment.read(in);
                List<PortableScheduler> schedulers = new ArrayList<>();
                for (int left = in.readInt(); left > 0; left--) {
                    schedulers.add(PortableScheduler.read(in));
                }
                return new Order(answer, part, speeds, experiment, schedulers);
            });
        }
    }

    /**
     * A run: its input is the number of an episode, and the index of a scheduler or the mean JCTs in seconds of all
     * schedulers alone.
     */
    public static final class Task implements FleetTask {
        @Override
        public byte[] run(byte[] broadcast, byte[] input) {
            Order order = Order.of(broadcast);
            ByteBuffer asked = ByteBuffer.wrap(input);
            long number = asked.getLong();
            Experiment experiment = order.experiment().open();
            Workload episode = EpisodeSet.workload(experiment, order.part(), number, order.arrivalSpeeds());
            PortableScheduler scheduler = order.schedulers().get(asked.getInt());
            Workload own = EvaluationRunner.workload(experiment.sharesGpus(), scheduler.sharesGpus(), episode);
            TimedScheduler.Run run = TimedScheduler.run(
                    "",
                    experiment.world().simulator(own),
                    scheduler.open(experiment).apply((int) number));
            return order.answer() == Answer.RESULT
                    ? FleetBytes.of(out -> RunBytes.write(run, out))
                    : FleetBytes.of(out -> out.writeDouble(run.result().meanJctSeconds()));
        }
    }

    @Override
    public List<List<Double>> meanJctSeconds(List<SchedulerFactory> schedulers, Runnable done) {
        return ask(
                Answer.MEAN_JCT,
                schedulers,
                (run, answer) -> FleetBytes.read(answer, DataInputStream::readDouble),
                done);
    }

    @Override
    public List<TimedScheduler.Run> results(SchedulerFactory scheduler) {
        return ask(Answer.RESULT, List.of(scheduler), (run, answer) -> result(scheduler, run, answer), () -> {})
                .get(0);
    }

    private TimedScheduler.Run result(SchedulerFactory scheduler, int run, byte[] answer) {
        Workload episode = EvaluationRunner.workload(
                experiment.sharesGpus(),
                scheduler.sharesGpus(),
                episodes.workloads().get(run));
        return FleetBytes.read(answer, in -> RunBytes.read(in, episode, scheduler.name()));
    }

    /** Makes something of the answer of a run, by scheduler and then by episode. */
    @FunctionalInterface
    private interface Reading<R> {
        R of(int run, byte[] answer);
    }

    private <R> List<List<R>> ask(Answer answer, List<SchedulerFactory> schedulers, Reading<R> reading, Runnable done) {
        int size = episodes.size();
        List<byte[]> inputs = new ArrayList<>();
        for (int run = 0; run < schedulers.size() * size; run++) {
            inputs.add(ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                    .putLong(episodes.first() + run % size)
                    .putInt(run / size)
                    .array());
        }
        byte[][] answers = answers(answer, schedulers, inputs, done);
        List<List<R>> byScheduler = new ArrayList<>();
        for (int from = 0; from < answers.length; from += size) {
            List<R> row = new ArrayList<>();
            for (int run = from; run < from + size; run++) {
                row.add(reading.of(run % size, answers[run]));
            }
            byScheduler.add(row);
        }
        return byScheduler;
    }

    private byte[][] answers(Answer answer, List<SchedulerFactory> schedulers, List<byte[]> inputs, Runnable done) {
        Order order = new Order(
                answer,
                episodes.part(),
                episodes.arrivalSpeeds(),
                SentExperiment.of(experiment),
                schedulers.stream()
                        .map(scheduler -> PortableScheduler.of(Objects.requireNonNull(scheduler.origin())))
                        .toList());
        byte[][] answers = new byte[inputs.size()][];
        fleet.run(new Task(), order.bytes(), inputs, (run, bytes) -> {
            answers[run] = bytes;
            done.run();
        });
        return answers;
    }

    /** An experiment that tasks of a fleet make anew from its config. */
    private record SentExperiment(String config) {
        /** By config; a process of a fleet works for one command. */
        private static final Map<String, Experiment> MADE = new ConcurrentHashMap<>();

        static SentExperiment of(Experiment experiment) {
            return new SentExperiment(ConfigWriter.yaml(experiment.config()));
        }

        /** The experiment, one for all tasks of this process that have the same config; it stays open. */
        Experiment open() {
            return MADE.computeIfAbsent(
                    config, text -> new Experiment(ConfigReader.parse("the config of the command", text)));
        }

        void write(DataOutput out) throws IOException {
            byte[] text = config.getBytes(StandardCharsets.UTF_8);
            out.writeInt(text.length);
            out.write(text);
        }

        static SentExperiment read(DataInput in) throws IOException {
            byte[] text = new byte[in.readInt()];
            in.readFully(text);
            return new SentExperiment(new String(text, StandardCharsets.UTF_8));
        }
    }
}
