package org.trainyard.experiments.evaluation;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.yaml.ConfigWriter;
import org.trainyard.experiments.fleet.Fleet;
import org.trainyard.experiments.fleet.FleetTask;
import org.trainyard.experiments.run.EpisodeSet;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.run.PortableScheduler;

/**
 * Runs of an experiment on a fleet: it broadcasts the config and the schedulers and asks for pairs of scheduler and episode. Machines make the episodes themselves.
 */
record EpisodeFleet(Fleet fleet, Experiment experiment, EpisodeSet episodes) {
    /** What a run answers. */
    private enum Answer {
        MEAN_JCT,
        RESULT
    }

    /** What all runs read. */
    private record Order(
            Answer answer,
            EpisodeSet.Part part,
            List<Double> arrivalSpeeds,
            String config,
            List<PortableScheduler> schedulers) {
        byte[] bytes() {
            return EpisodeFleet.bytes(out -> {
                out.writeUTF(answer.name());
                out.writeUTF(part.name());
                out.writeInt(arrivalSpeeds.size());
                for (double speed : arrivalSpeeds) {
                    out.writeDouble(speed);
                }
                byte[] text = config.getBytes(StandardCharsets.UTF_8);
                out.writeInt(text.length);
                out.write(text);
                out.writeInt(schedulers.size());
                for (PortableScheduler scheduler : schedulers) {
                    scheduler.write(out);
                }
            });
        }

        static Order of(byte[] bytes) {
            return EpisodeFleet.read(bytes, in -> {
                Answer answer = Answer.valueOf(in.readUTF());
                EpisodeSet.Part part = EpisodeSet.Part.valueOf(in.readUTF());
                List<Double> speeds = new ArrayList<>();
                for (int left = in.readInt(); left > 0; left--) {
                    speeds.add(in.readDouble());
                }
                String config = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
                List<PortableScheduler> schedulers = new ArrayList<>();
                for (int left = in.readInt(); left > 0; left--) {
                    schedulers.add(PortableScheduler.read(in));
                }
                return new Order(answer, part, speeds, config, schedulers);
            });
        }
    }

    /** A run: its input is the index of a scheduler and the number of an episode. */
    public static final class Task implements FleetTask {
        /** By config; a process of a fleet works for one command. */
        private static final Map<String, Experiment> EXPERIMENTS = new ConcurrentHashMap<>();

        public Task() {}

        @Override
        public byte[] run(byte[] broadcast, byte[] input) {
            Order order = Order.of(broadcast);
            ByteBuffer asked = ByteBuffer.wrap(input);
            PortableScheduler scheduler = order.schedulers().get(asked.getInt());
            long number = asked.getLong();
            Experiment experiment = EXPERIMENTS.computeIfAbsent(
                    order.config(), config -> new Experiment(ConfigReader.parse("the config of the command", config)));
            Workload episode = EvaluationRunner.workload(
                    experiment,
                    scheduler.sharesGpus(),
                    EpisodeSet.workload(experiment, order.part(), number, order.arrivalSpeeds()));
            return scheduler.with(experiment, (int) number, one -> {
                TimedScheduler.Run run = TimedScheduler.run("", experiment.simulator(episode), one);
                return order.answer() == Answer.RESULT
                        ? bytes(out -> RunBytes.write(run, out))
                        : bytes(out -> out.writeDouble(run.result().meanJctSeconds()));
            });
        }
    }

    /** Whether all of these schedulers can be sent. */
    static boolean serves(List<SchedulerFactory> schedulers) {
        return schedulers.stream().allMatch(scheduler -> scheduler.portable() != null);
    }

    /**
     * Mean JCTs in seconds by scheduler and episode.
     *
     * @param done called after every run
     */
    List<List<Double>> meanJctSeconds(List<SchedulerFactory> schedulers, Runnable done) {
        return ask(Answer.MEAN_JCT, schedulers, (run, answer) -> read(answer, DataInputStream::readDouble), done);
    }

    /** The results and processor times of a scheduler. */
    List<TimedScheduler.Run> results(SchedulerFactory scheduler) {
        return ask(Answer.RESULT, List.of(scheduler), (run, answer) -> result(scheduler, run, answer), () -> {})
                .get(0);
    }

    private TimedScheduler.Run result(SchedulerFactory scheduler, int run, byte[] answer) {
        Workload episode = EvaluationRunner.workload(
                experiment, scheduler.sharesGpus(), episodes.workloads().get(run));
        return read(answer, in -> RunBytes.read(in, episode, scheduler.name()));
    }

    /** Makes something of the answer of a run, by scheduler and then by episode. */
    @FunctionalInterface
    private interface Reading<R> {
        R of(int run, byte[] answer);
    }

    private <R> List<List<R>> ask(Answer answer, List<SchedulerFactory> schedulers, Reading<R> reading, Runnable done) {
        Order order = new Order(
                answer,
                episodes.part(),
                episodes.arrivalSpeeds(),
                ConfigWriter.yaml(experiment.config()),
                schedulers.stream()
                        .map(scheduler -> Objects.requireNonNull(scheduler.portable()))
                        .toList());
        int size = episodes.size();
        byte[][] answers = new byte[schedulers.size() * size][];
        List<byte[]> inputs = new ArrayList<>();
        for (int run = 0; run < answers.length; run++) {
            inputs.add(ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                    .putInt(run / size)
                    .putLong(episodes.first() + run % size)
                    .array());
        }
        fleet.run(new Task(), order.bytes(), inputs, (run, bytes) -> {
            answers[run] = bytes;
            done.run();
        });
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

    @FunctionalInterface
    private interface Writing {
        void to(DataOutput out) throws IOException;
    }

    private static byte[] bytes(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            writing.to(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    @FunctionalInterface
    private interface Parsing<R> {
        R of(DataInputStream in) throws IOException;
    }

    private static <R> R read(byte[] bytes, Parsing<R> parsing) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return parsing.of(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
