package org.trainyard.experiments.fleet;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.experiments.evaluation.SchedulerFactory;
import org.trainyard.experiments.run.Experiment;

/** A serialised scheduler, from which another machine makes instances. */
final class PortableScheduler {
    private enum Kind {
        /** A name of the registry. */
        REGISTERED,
        /** The file of a trained policy. */
        POLICY
    }

    private final Kind kind;
    private final byte[] content;
    /** The preemption rules of a policy's training, which its file lacks. */
    private final @Nullable PreemptionRules told;

    private PortableScheduler(Kind kind, byte[] content, @Nullable PreemptionRules told) {
        this.kind = kind;
        this.content = content;
        this.told = told;
    }

    /** The scheduler, a policy with its present weights. */
    static PortableScheduler of(SchedulerFactory.Origin origin) {
        if (origin instanceof SchedulerFactory.Origin.Registered registered) {
            return new PortableScheduler(Kind.REGISTERED, registered.name().getBytes(StandardCharsets.UTF_8), null);
        }
        BidPolicy policy = ((SchedulerFactory.Origin.Trained) origin).policy();
        return inTemporaryFile(file -> {
            policy.save(file);
            return new PortableScheduler(
                    Kind.POLICY, Files.readAllBytes(file), policy.auctions().told());
        });
    }

    void write(DataOutput out) throws IOException {
        out.writeUTF(kind.name());
        out.writeInt(content.length);
        out.write(content);
        out.writeBoolean(told != null);
        if (told != null) {
            out.writeLong(told.savedEveryNanos());
            out.writeLong(told.leastRunNanos());
            out.writeLong(told.requeueNanos());
            out.writeInt(told.mostPerJob());
        }
    }

    static PortableScheduler read(DataInput in) throws IOException {
        Kind kind = Kind.valueOf(in.readUTF());
        byte[] content = new byte[in.readInt()];
        in.readFully(content);
        PreemptionRules told = in.readBoolean()
                ? new PreemptionRules(in.readLong(), in.readLong(), in.readLong(), in.readInt())
                : null;
        return new PortableScheduler(kind, content, told);
    }

    /** Whether it puts jobs beside each other on a GPU where that is a choice. */
    boolean sharesGpus() {
        return kind != Kind.REGISTERED || SchedulerRegistry.named(name()).has(SchedulerRegistry.Flag.SHARES_GPUS);
    }

    private String name() {
        return new String(content, StandardCharsets.UTF_8);
    }

    /** Makes schedulers of an experiment, each for the episode of a number. */
    IntFunction<Scheduler> open(Experiment experiment) {
        if (kind == Kind.REGISTERED) {
            return episode -> experiment.scheduler(name(), episode);
        }
        BidPolicy policy = policy();
        return episode -> experiment.scheduler(policy);
    }

    private BidPolicy policy() {
        return inTemporaryFile(file -> {
            Files.write(file, content);
            return BidPolicy.load(file).told(told);
        });
    }

    private interface FileWork<R> {
        R on(Path file) throws IOException;
    }

    private static <R> R inTemporaryFile(FileWork<R> work) {
        try {
            Path file = Files.createTempFile("policy", ".bin");
            try {
                return work.on(file);
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
