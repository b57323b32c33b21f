package org.trainyard.agents.heuristic.volcano;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.volcano.QueueShares.Share;

/** The answers of Volcano's own tests of its plugins proportion and capacity; amounts are GPUs, cores and GiB. */
class QueueSharesTest {
    private static Amounts amounts(String text) {
        double[] amount = new double[3];
        for (String part : text.split(" ", -1)) {
            int at = part.endsWith("g") ? 0 : part.endsWith("c") ? 1 : 2;
            amount[at] += Double.parseDouble(part.replaceAll("[a-z]", "")) * (at == 0 ? 1 : at == 1 ? 1000 : 1024);
        }
        return new Amounts(amount[0], amount[1], amount[2]);
    }

    private static String resources(String text) {
        Amounts amounts = amounts(text);
        return "{cpu: %sm, memory: %sMi, nvidia.com/gpu: %s}"
                .formatted((long) amounts.cpuMilli(), (long) amounts.memoryMib(), (long) amounts.gpus());
    }

    private static QueueShares shares(String total, String plugin, String... queues) {
        StringBuilder yaml =
                new StringBuilder("actions: allocate\ntiers: [{plugins: [{name: %s}]}]\n".formatted(plugin));
        for (int i = 0; i < queues.length; i++) {
            yaml.append("---\nkind: Queue\nmetadata: {name: q%d}\nspec: {%s}\n".formatted(i, queues[i]));
        }
        return new QueueShares(VolcanoObjects.parse("test", yaml.toString()), amounts(total));
    }

    /** Cases 2, 3, 5 to 10 of TestCapacity: whether the second queue takes, and the first gives, a job that it has. */
    @ParameterizedTest
    @CsvSource({
        "4c 8m, 2c 4m, 4c 8m, 2c 4m, 2c 4m, 0c, '', 2c 4m, true, true",
        "20g 4c 8m, 10g 2c 4m, 20g, 10g, 10g 2c 4m, 4c 8m, '', 10g, true, true",
        "2c 4m, 0c, 1c 1m, 1c 1m, 2c 2m, 1c 3m, 4c 4m, 1c 1m, true, true",
        "2c 4m, 0c, 1c 1m, 1c 1m, 1c 2m, 1c 1m, 4c 4m, 1c 2m, false, true",
        "4g 4c 8m, 2g 2c 4m, 2c 4m, 2c 4m, 2g 2c 4m, 1g 2c 1m, '', 1g 2c 3m, true, false",
        "1g 4c 8m, 2c 2m, 1g 1c 4m, 4m, 1g 2c 4m, 2c 4m, '', 1g 1c, true, false",
        "1g 4c 8m, 2c 2m, 1g 1c 4m, 1c, 1g 2c 4m, 2c 4m, '', 1g 1c, true, false",
        "1g 4c 8m, 2c 2m, 1g 1c 4m, 1g, 1g 2c 4m, 2c 4m, '', 1g 1c, true, true",
        "1g 4c 8m, 1g, 1g 4c 4m, 1g 4c 4m, 2c 2m, 0c, '', 1c 1m, true, false",
        "16c 200m, 0c, 2c 5m, 2c 5m, 8c 100m, 7c 90m, 8c 100m, 2c 5m, false, true"
    })
    void a_queue_takes_what_it_deserves_from_those_that_have_more(
            String total,
            String deserved,
            String held,
            String job,
            String takersDeserved,
            String takersHeld,
            String takersCapability,
            String asked,
            boolean takes,
            boolean gives) {
        QueueShares shares = shares(
                total,
                "capacity",
                "deserved: " + resources(deserved),
                "deserved: " + resources(takersDeserved)
                        + (takersCapability.isEmpty() ? "" : ", capability: " + resources(takersCapability)));
        Share giver = shares.all().get(0);
        Share taker = shares.all().get(1);
        taker.allocated = amounts(takersHeld);

        assertThat(shares.mayReclaim(taker, amounts(asked))).isEqualTo(takes);
        assertThat(shares.gives(giver, amounts(held), amounts(job), amounts(asked)))
                .isEqualTo(gives);
    }

    /** Cases 0 and 1 of TestCapacity. */
    @Test
    void a_queue_gets_no_more_than_its_capability() {
        assertThat(allows("2000m")).isTrue();
        assertThat(allows("1500m")).isFalse();
    }

    private static boolean allows(String cpu) {
        QueueShares shares = shares("4c 8m", "capacity", "capability: {cpu: %s, memory: 4Gi}".formatted(cpu));
        return shares.allows(shares.all().get(0), amounts("1c 1m"), amounts("1c 1m"));
    }

    /**
     * Cases 0, 1 and 3 of TestEnqueueAndAllocable: the first queue has 1c 2m and may have 2 of each, the second 2c 1m.
     */
    @ParameterizedTest
    @CsvSource({"0, 1c, true", "1, 1m, true", "0, 1c 1m, false"})
    void by_weights_only_the_resources_that_a_job_asks_for_count(int index, String asked, boolean allowed) {
        QueueShares shares =
                shares("4c 4m", "proportion", "capability: " + resources("2c 2m"), "capability: " + resources("3c 3m"));
        shares.all().get(0).allocated = amounts("1c 2m");
        shares.all().get(1).allocated = amounts("2c 1m");
        shares.all().forEach(share -> share.request = share.allocated);
        Share share = shares.all().get(index);
        share.request = share.request.plus(amounts(asked), 1);

        shares.divide();

        assertThat(shares.allows(share, share.allocated, amounts(asked))).isEqualTo(allowed);
    }

    /** Weights 1, 1, 2 of 16 GPUs: 4, 4 and 8; who asks for less leaves the rest to the others by their weights. */
    @ParameterizedTest
    @CsvSource({"16, 16, 16, 4, 4, 8", "1, 16, 16, 1, 5, 10", "16, 16, 2, 7, 7, 2", "0, 3, 2, 0, 3, 2"})
    void what_a_queue_does_not_ask_for_goes_to_the_others(
            int first, int second, int third, int getsFirst, int getsSecond, int getsThird) {
        QueueShares shares = shares("16g", "proportion", "weight: 1", "weight: 1", "weight: 2");
        int[] requests = {first, second, third};
        int[] gets = {getsFirst, getsSecond, getsThird};
        for (int i = 0; i < requests.length; i++) {
            shares.all().get(i).request = new Amounts(requests[i], 0, 0);
        }

        shares.divide();

        for (int i = 0; i < gets.length; i++) {
            Share share = shares.all().get(i);
            assertThat(shares.allows(share, Amounts.NONE, new Amounts(gets[i], 0, 0)))
                    .isTrue();
            assertThat(shares.allows(share, Amounts.NONE, new Amounts(gets[i] + 0.01, 0, 0)))
                    .isFalse();
        }
    }

    /** Of 12 GPUs the first queue is guaranteed 6, though it asks for none; the others get a third of 12 each. */
    @Test
    void a_queue_deserves_its_guarantee_even_while_it_asks_for_nothing() {
        QueueShares shares =
                shares("12g", "proportion", "guarantee: {resource: {nvidia.com/gpu: 6}}", "weight: 1", "weight: 1");
        int[] gets = {6, 4, 4};
        shares.all().get(1).request = new Amounts(12, 0, 0);
        shares.all().get(2).request = new Amounts(12, 0, 0);

        shares.divide();

        for (int i = 0; i < gets.length; i++) {
            Share share = shares.all().get(i);
            assertThat(shares.allows(share, Amounts.NONE, new Amounts(gets[i], 0, 0)))
                    .isTrue();
            assertThat(shares.allows(share, Amounts.NONE, new Amounts(gets[i] + 0.01, 0, 0)))
                    .isFalse();
        }
    }

    @Test
    void a_queue_with_a_guarantee_holds_no_more_than_its_capability() {
        QueueShares shares = shares(
                "8g",
                "proportion",
                "guarantee: {resource: {nvidia.com/gpu: 2}}, capability: {nvidia.com/gpu: 4}",
                "weight: 1");
        Share share = shares.all().get(0);

        assertThat(shares.isPossible(share, amounts("4g"))).isTrue();
        assertThat(shares.isPossible(share, amounts("5g"))).isFalse();
        assertThat(shares.refusal(share, amounts("5g"))).endsWith("its capability has 4");
    }

    /** Of 8 GPUs the first queue is guaranteed 2, so the second may hold 6 and the first all. */
    @Test
    void a_guarantee_is_kept_from_other_queues_and_not_from_its_own() {
        QueueShares shares = shares("8g", "proportion", "guarantee: {resource: {nvidia.com/gpu: 2}}", "weight: 1");

        assertThat(shares.isPossible(shares.all().get(0), amounts("8g"))).isTrue();
        assertThat(shares.isPossible(shares.all().get(1), amounts("6g"))).isTrue();
        assertThat(shares.isPossible(shares.all().get(1), amounts("7g"))).isFalse();
    }

    /** A queue of "capacity" that holds 4 GPUs, 2 beyond what it deserves and is guaranteed. */
    @ParameterizedTest
    @CsvSource({"2, true", "3, false"})
    void a_queue_keeps_its_guarantee(int job, boolean gives) {
        QueueShares shares = shares(
                "8g",
                "capacity",
                "guarantee: {resource: {nvidia.com/gpu: 2}}, deserved: {nvidia.com/gpu: 2}",
                "weight: 1");

        assertThat(shares.gives(shares.all().get(0), amounts("4g"), amounts(job + "g"), amounts("1g")))
                .isEqualTo(gives);
    }

    /** By equal weights each of two queues deserves 4 of 8 GPUs. */
    @ParameterizedTest
    @CsvSource({"3, false", "4, false", "5, true", "8, true"})
    void by_weights_a_queue_gives_what_it_has_beyond_its_deserved_amount(int held, boolean gives) {
        QueueShares shares = shares("8g", "proportion", "weight: 1", "weight: 1");
        shares.all().forEach(share -> share.request = amounts("8g"));

        shares.divide();

        assertThat(shares.gives(shares.all().get(0), amounts(held + "g"), amounts("1g"), amounts("1g")))
                .isEqualTo(gives);
    }

    /** The taker of "capacity" deserves some and holds some: with the job each resource is at, or past, its border. */
    @ParameterizedTest
    @CsvSource({
        "1g, 0g, 1g, true",
        "1g, 1g, 1g, false",
        "2c, 1c, 1c, true",
        "2c, 2c, 1c, false",
        "2m, 1m, 1m, true",
        "2m, 2m, 1m, false",
        "4c, 0c, 1g, false",
        "4m, 0c, 1g, false",
        "1g, 0c, 1c, false"
    })
    void a_queue_takes_back_up_to_what_it_deserves(String deserved, String held, String asked, boolean takes) {
        QueueShares shares = shares("8g 8c 8m", "capacity", "deserved: " + resources(deserved));
        Share taker = shares.all().get(0);
        taker.allocated = amounts(held);

        assertThat(shares.mayReclaim(taker, amounts(asked))).isEqualTo(takes);
        assertThat(shares.isOverused(taker)).isFalse();
    }

    /** Of "capacity" the parts are 1 (deserves nothing), 1, 1/2 and 1/2; priorities go before them. */
    @Test
    void queues_come_by_priority_then_by_their_part_and_those_that_deserve_nothing_last() {
        QueueShares shares = shares(
                "16g",
                "capacity",
                "weight: 1",
                "deserved: " + resources("4g"),
                "deserved: " + resources("4g"),
                "deserved: " + resources("2g"),
                "priority: 1");
        int[] held = {0, 4, 2, 1, 9};
        for (int i = 0; i < held.length; i++) {
            shares.all().get(i).allocated = new Amounts(held[i], 0, 0);
        }

        assertThat(shares.all().stream().sorted(shares.order()).map(share -> share.queue.name()))
                .containsExactly("q4", "q2", "q3", "q1", "q0");
    }

    /** By weights 4 of 8 GPUs each. */
    @Test
    void a_queue_with_all_it_deserves_gets_no_more_and_the_least_part_comes_first() {
        QueueShares shares = shares("8g", "proportion", "weight: 1", "weight: 1");
        shares.all().forEach(share -> share.request = amounts("8g"));
        shares.divide();
        Share first = shares.all().get(0);
        Share second = shares.all().get(1);
        first.allocated = amounts("4g");
        second.allocated = amounts("3g");

        assertThat(shares.isOverused(first)).isTrue();
        assertThat(shares.isOverused(second)).isFalse();
        assertThat(shares.order().compare(first, second)).isPositive();
        second.allocated = first.allocated;
        assertThat(shares.order().compare(first, second)).isNegative();
    }

    @Test
    void a_closed_queue_and_one_that_is_too_small_say_so() {
        QueueShares shares = new QueueShares(VolcanoObjects.parse("test", """
                        kind: Queue
                        metadata: {name: small}
                        spec: {capability: {nvidia.com/gpu: 2}}
                        ---
                        kind: Queue
                        metadata: {name: shut}
                        status: {state: Closed}
                        """), amounts("8g"));
        Share small = shares.all().get(0);
        Share shut = shares.all().get(1);

        assertThat(shares.isPossible(small, amounts("2g"))).isTrue();
        assertThat(shares.isPossible(small, amounts("3g"))).isFalse();
        assertThat(shares.isPossible(shut, amounts("1g"))).isFalse();
        assertThat(shares.refusal(small, amounts("3g")))
                .isEqualTo("Queue small can never hold 3 GPUs with what else it asks for: its capability has 2");
        assertThat(shares.refusal(shut, amounts("1g"))).isEqualTo("Queue shut is closed");
    }

    /** The greatest of the three parts; of nothing deserved all is one part, and nothing none. */
    @Test
    void a_part_of_what_is_deserved() {
        assertThat(amounts("2g 1c 1m").share(amounts("4g 4c 8m"))).isEqualTo(0.5);
        assertThat(amounts("1g 3c 1m").share(amounts("4g 4c 8m"))).isEqualTo(0.75);
        assertThat(amounts("1g 1c 7m").share(amounts("4g 4c 8m"))).isEqualTo(0.875);
        assertThat(amounts("0g 1c 1m").share(amounts("0g 4c 8m"))).isEqualTo(0.25);
        assertThat(amounts("3g 1c 1m").share(amounts("0g 4c 8m"))).isEqualTo(1);
        assertThat(Amounts.NONE.share(Amounts.NONE)).isZero();
    }
}
