package org.trainyard.experiments.drive;

import java.util.HashMap;
import java.util.Map;
import org.trainyard.experiments.drive.LiveJob.Needs;
import org.trainyard.experiments.drive.LiveJob.Stage;

/** Jobs of a live manager with what a text gives, such as {@code id=7 gpus=9 special=is~an~array}. */
public final class DrivenJobs {
    private DrivenJobs() {}

    /** A job of one GPU on one node, of ann in partition p. */
    public static LiveJob of(Stage stage, String keys) {
        Map<String, String> given = new HashMap<>();
        for (String key : keys.split(" ", -1)) {
            given.put(key.replaceFirst("=.*", ""), key.replaceFirst(".*?=", "").replace('~', ' '));
        }
        Map<String, Integer> allocated = new HashMap<>();
        if (given.containsKey("on")) {
            for (String node : given.get("on").split(",", -1)) {
                allocated.put(node.replaceFirst(":.*", ""), Integer.valueOf(node.replaceFirst(".*:", "")));
            }
        }
        return new LiveJob(
                given.getOrDefault("id", "7"),
                stage,
                given.getOrDefault("reason", ""),
                given.getOrDefault("user", "ann"),
                "lab",
                given.getOrDefault("partition", "p"),
                given.getOrDefault("qos", "normal"),
                Integer.parseInt(given.getOrDefault("gpus", "1")),
                1,
                1,
                allocated,
                Long.parseLong(given.getOrDefault("priority", "9")),
                Long.parseLong(given.getOrDefault("submit", "0")),
                Long.parseLong(given.getOrDefault("eligible", "0")),
                0,
                0,
                Long.parseLong(given.getOrDefault("limit", "0")),
                Integer.parseInt(given.getOrDefault("restarts", "0")),
                given.getOrDefault("nodes", ""),
                new Needs(given.getOrDefault("type", ""), 0, 0, 0),
                given.getOrDefault("special", ""));
    }
}
