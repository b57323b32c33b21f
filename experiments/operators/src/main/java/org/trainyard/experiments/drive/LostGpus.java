package org.trainyard.experiments.drive;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** GPUs of which a manager has lost count, from look to look. */
final class LostGpus {
    private final String manager;
    private final Consumer<String> say;
    /** By node, those of the last look. */
    private Map<String, Integer> lost = Map.of();
    /** By node, the lost GPUs that were said last. */
    private Map<String, Integer> said = Map.of();

    LostGpus(String manager, Consumer<String> say) {
        this.manager = manager;
        this.say = say;
    }

    /** Counts may differ for a moment, as one command comes after the other; those that differ twice are lost. */
    Map<String, Integer> seen(LiveSnapshot snapshot) {
        Map<String, Integer> now = snapshot.lostGpus();
        Map<String, Integer> both = new TreeMap<>();
        now.forEach((node, gpus) -> {
            int least = Math.min(gpus, lost.getOrDefault(node, 0));
            if (least > 0) {
                both.put(node, least);
            }
        });
        lost = now;
        if (!both.equals(said)) {
            say.accept(
                    both.isEmpty()
                            ? "%s counts its GPUs as its jobs do again".formatted(manager)
                            : "%s counts GPUs as held that no job has, and they are left out: %s"
                                    .formatted(manager, both));
            said = both;
        }
        return both;
    }
}
