package org.trainyard.experiments.cli.simulate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.Nearest;
import org.trainyard.env.gym.registry.ReferenceSettings;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.gym.reward.RewardPlugin;
import org.trainyard.env.workload.log.LogFormat;
import org.trainyard.env.workload.log.LogFormats;
import org.trainyard.experiments.cli.options.JsonOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.config.PluggedRewards;
import org.trainyard.experiments.config.RewardConfig;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.io.JsonText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists the names that commands and configs accept. */
@Command(
        name = "list",
        description = "List the names that commands and configs accept.",
        footer = {"", "Example: trainyard list schedulers"})
public final class ListCommand extends Subcommand {
    private static final List<String> KINDS = List.of("schedulers", "traces", "clusters", "rewards");

    @Parameters(
            paramLabel = "KIND",
            arity = "0..1",
            description = "schedulers, traces, clusters or rewards; without one, what there is.")
    private @Nullable String kind;

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    protected void run() {
        Map<String, String> entries = kind == null ? kinds() : entries(kind);
        if (json.isGiven() && String.valueOf(kind).equals("schedulers")) {
            out().println(JsonText.of(schedulersWithTraits()));
        } else if (json.isGiven()) {
            out().println(JsonText.of(entries));
        } else {
            int width = entries.keySet().stream().mapToInt(String::length).max().orElse(0);
            entries.forEach((name, what) ->
                    out().println("%s%s  %s".formatted(name, " ".repeat(width - name.length()), what)));
        }
    }

    /** The kinds, each with how many names it has and the first of them. */
    private static Map<String, String> kinds() {
        Map<String, String> kinds = new LinkedHashMap<>();
        for (String one : KINDS) {
            List<String> names = names(one);
            String first = String.join(", ", names.subList(0, Math.min(5, names.size())));
            kinds.put(one, Counted.say("%d names, such as %s (trainyard list %s)", names.size(), first, one));
        }
        return kinds;
    }

    /** Names of the entries of a kind, without the work of describing clusters and schedulers. */
    private static List<String> names(String kind) {
        return switch (kind) {
            case "schedulers" ->
                Schedulers.listed().stream().map(SchedulerRegistry.Entry::name).toList();
            case "clusters" -> Clusters.listed();
            default -> List.copyOf(entries(kind).keySet());
        };
    }

    private static Map<String, String> entries(String kind) {
        return switch (kind) {
            case "schedulers" -> schedulers();
            case "traces" -> traces();
            case "clusters" -> Clusters.described();
            case "rewards" -> rewards();
            default -> throw InputException.at("list", kind, Nearest.oneOf(kind, KINDS));
        };
    }

    private static Map<String, String> schedulers() {
        Map<String, String> schedulers = new LinkedHashMap<>();
        for (SchedulerRegistry.Entry entry : Schedulers.listed()) {
            List<String> traits = new ArrayList<>(List.of(entry.kind().words()));
            traits(entry).forEach((trait, has) -> {
                if (has) {
                    traits.add(trait.replace('_', ' '));
                }
            });
            StringBuilder text = new StringBuilder("%s [%s]".formatted(entry.description(), String.join(", ", traits)));
            String terms = terms(entry);
            text.append(terms.isEmpty() ? "" : "\n    replayed with: " + terms);
            List<String> aliases = SchedulerRegistry.aliases(entry);
            text.append(aliases.isEmpty() ? "" : "\n    also called " + String.join(", ", aliases));
            text.append(entry.caveat().isEmpty() ? "" : "\n    " + entry.caveat());
            schedulers.put(entry.name(), text.toString());
        }
        return schedulers;
    }

    private static Map<String, Object> schedulersWithTraits() {
        Map<String, Object> schedulers = new LinkedHashMap<>();
        for (SchedulerRegistry.Entry entry : Schedulers.listed()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("description", entry.description());
            row.put("kind", entry.kind().words());
            row.put("source", entry.source());
            row.put("caveat", entry.caveat());
            row.put("aliases", SchedulerRegistry.aliases(entry));
            row.put("replayed_with", terms(entry));
            row.putAll(traits(entry));
            schedulers.put(entry.name(), row);
        }
        return schedulers;
    }

    /** The settings under which a published simulator is replayed; empty for other schedulers. */
    private static String terms(SchedulerRegistry.Entry entry) {
        ReferenceSettings reference = entry.reference();
        return reference == null ? "" : reference.terms();
    }

    private static Map<String, Boolean> traits(SchedulerRegistry.Entry entry) {
        Map<String, Boolean> traits = new LinkedHashMap<>();
        for (SchedulerRegistry.Flag flag : SchedulerRegistry.Flag.values()) {
            if (flag != SchedulerRegistry.Flag.VARIANTS) {
                traits.put(flag.name().toLowerCase(Locale.ROOT), entry.has(flag));
            }
        }
        return traits;
    }

    private static Map<String, String> traces() {
        Map<String, String> traces = new LinkedHashMap<>();
        for (LogFormat format : LogFormats.all()) {
            String may = format.optional().isEmpty() ? "" : "; may have " + String.join(", ", format.optional());
            traces.put(
                    format.label(),
                    "columns %s%s"
                            .formatted(String.join(", ", format.required()).replace("|", " or "), may));
        }
        return traces;
    }

    private static Map<String, String> rewards() {
        Map<String, String> rewards = new LinkedHashMap<>();
        put(rewards, RewardConfig.Jct.class, "minus the time that jobs spend in the system");
        put(
                rewards,
                RewardConfig.PredictedDelay.class,
                "minus the waiting time and the predicted delay of running jobs by placement and interference");
        put(
                rewards,
                RewardConfig.NormalisedProgress.class,
                "predicted progress of running jobs, each divided by its predicted run time");
        put(
                rewards,
                RewardConfig.Slowdown.class,
                "minus the waiting time and predicted delay of each job, divided by its predicted run time");
        for (RewardPlugin plugin : PluggedRewards.all()) {
            rewards.put(
                    "{type: %s, name: %s}".formatted(RewardConfig.Plugin.class.getSimpleName(), plugin.name()),
                    plugin.description());
        }
        return rewards;
    }

    /**
     * Adds a reward, with its value of {@code environment.reward}, by the belief where it asks who knows the speeds.
     */
    private static void put(Map<String, String> rewards, Class<? extends RewardConfig> type, String meaning) {
        String knows = type.getRecordComponents().length == 0 ? "" : ", knows: " + RewardConfig.BELIEF;
        rewards.put(type.getSimpleName(), "{type: %s%s}: %s".formatted(type.getSimpleName(), knows, meaning));
    }
}
