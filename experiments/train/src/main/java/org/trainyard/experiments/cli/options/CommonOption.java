package org.trainyard.experiments.cli.options;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.io.InputFiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.IGetter;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/**
 * An option that many commands have, as a mixin: its name and the label of its value are declared here once, and each
 * command says what the value does.
 */
@Command
public final class CommonOption implements IGetter, ISetter {
    private final String name;
    private final String label;
    private final String description;
    private boolean isRequired;
    private boolean isList;
    private boolean isSplit;
    private List<String> values = List.of();

    private CommonOption(String name, String label, String description) {
        this.name = name;
        this.label = label;
        this.description = description;
    }

    /** {@code --out}, a folder for files. */
    public static CommonOption out(String description) {
        return new CommonOption("--out", "DIR", description);
    }

    /** {@code --out}, one file. */
    public static CommonOption outFile(String description) {
        return new CommonOption("--out", "FILE", description);
    }

    /** {@code --cluster}, a topology. */
    public static CommonOption cluster(String description) {
        return new CommonOption("--cluster", "NAME|FILE", description);
    }

    /** {@code --checkpoint}, a trained policy. */
    public static CommonOption checkpoint(String description) {
        return new CommonOption("--checkpoint", "DIR", description);
    }

    /** {@code --scheduler}, one of the registry. */
    public static CommonOption scheduler(String description) {
        return new CommonOption("--scheduler", "NAME", description);
    }

    /** {@code --slurm}, the configuration of the cluster of a log. */
    public static CommonOption slurm() {
        return new CommonOption(
                "--slurm",
                "FILE",
                "The slurm.conf of the cluster of the log, with qos.txt and assoc.txt beside it (default: one beside the"
                        + " log).");
    }

    /** {@code --maintenance}, windows in which servers are out of service. */
    public static CommonOption maintenance() {
        return new CommonOption(
                "--maintenance",
                "FILE|none",
                "What `scontrol show reservation` says: jobs whose time limits cross its windows wait. `none` is for no"
                        + " maintenance (default: a reservations.txt beside the log, and gaps of the log in which no"
                        + " job ran though jobs waited).");
    }

    /** Refuses the command without the option. */
    public CommonOption required() {
        isRequired = true;
        return this;
    }

    /** Gives the option a value unless another is given. */
    public CommonOption or(String unasked) {
        values = List.of(unasked);
        return this;
    }

    /** Lets the option be repeated. */
    public CommonOption repeated() {
        isList = true;
        return this;
    }

    /** Lets the option have several values, separated by commas or repeated. */
    public CommonOption list() {
        isSplit = true;
        return repeated();
    }

    @Spec(Spec.Target.MIXEE)
    void addTo(CommandSpec command) {
        command.addOption(spec());
    }

    private OptionSpec spec() {
        OptionSpec.Builder option = OptionSpec.builder(name)
                .paramLabel(label)
                .arity("1")
                .required(isRequired)
                .description(description)
                .getter(this)
                .setter(this);
        if (isList) {
            option.type(List.class).auxiliaryTypes(String.class).splitRegex(isSplit ? "," : "");
        } else {
            option.type(String.class).initialValue(value());
        }
        return option.build();
    }

    /** The values so far, to which those of a repeated option are added. */
    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // The types that the option has.
    public <T> @Nullable T get() {
        return (T) (isList ? values : value());
    }

    @Override
    @SuppressWarnings("unchecked") // The types that the option has.
    public <T> @Nullable T set(@Nullable T given) {
        if (given != null) {
            values = isList ? (List<String>) given : List.of((String) given);
        }
        return given;
    }

    public boolean isGiven() {
        return !values.isEmpty();
    }

    /** The values as they were given. */
    public List<String> values() {
        return values;
    }

    /** The value as it was given, or null. */
    public @Nullable String value() {
        return values.isEmpty() ? null : values.get(0);
    }

    /** The value of an option that is required, or has one anyway. */
    public String text() {
        return values.get(0);
    }

    /** The file or folder that was named, or this one. */
    public Path path(Path unasked) {
        return values.isEmpty() ? unasked : InputFiles.path(values.get(0));
    }

    /** The file or folder that was named, or null. */
    public @Nullable Path path() {
        return values.isEmpty() ? null : InputFiles.path(values.get(0));
    }
}
