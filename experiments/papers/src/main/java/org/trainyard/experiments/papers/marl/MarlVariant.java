package org.trainyard.experiments.papers.marl;

import java.util.List;

/** The trained variants: ours, the paper's single agent, and ours without one of the paper's ideas each. */
enum MarlVariant {
    OURS("ours", ""),
    SINGLE_RL(
            "single RL with flat input",
            "a single agent with flat input",
            "environment.domains=1",
            "environment.view=null",
            "environment.jobs=Shared",
            "network={encoder: Flat, hidden: 8, rounds: 0, columns: Raw}"),
    NO_GRAPH("no graph network", "the graph network helps", "network=null"),
    LEVEL_TWO(
            "data centre level only",
            "the level inside servers helps",
            "network={encoder: Hierarchical, hidden: 8, rounds: 2}"),
    NO_FORWARDING("no forwarding", "forwarding helps", "environment.max_forwards=0"),
    ONE_AGENT(
            "one agent",
            "several agents help",
            "environment.domains=1",
            "environment.view=null",
            "environment.jobs=Shared"),
    NO_INTERFERENCE("no interference model", "the interference model helps", "belief=none"),
    JCT_REWARD("reward by completion times", "the reward by predicted speeds helps", "environment.reward={type: Jct}");

    private final String title;
    private final String idea;
    /** A line each. */
    private final String overrides;

    MarlVariant(String title, String idea, String... overrides) {
        this.title = title;
        this.idea = idea;
        this.overrides = String.join("\n", overrides);
    }

    /** Name of the variant in tables. */
    String title() {
        return title;
    }

    /** The part that ours has and this one lacks. */
    String idea() {
        return idea;
    }

    /** The keys of the config that differ from ours. */
    List<String> overrides() {
        return overrides.lines().toList();
    }
}
