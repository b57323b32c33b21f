package org.trainyard.env.gym.auction;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.trainyard.env.simulation.SimView;

/** What the rule chooses, by the order of its three cases. */
class BidRuleTest {
    private final Auction auction = new Auction();
    private final BidRule rule = new BidRule(1, 10);

    BidRuleTest() {
        auction.add(BidKind.WAIT, -1, SimView.NONE);
    }

    private int bid(BidKind kind, int job, BidColumn cost, double value, double own, double others) {
        int at = auction.add(kind, 0, job);
        auction.set(at, cost, value);
        auction.set(at, BidColumn.OWN_SLOWDOWN, own);
        auction.set(at, BidColumn.NEIGHBOUR_SLOWDOWN, others);
        return auction.size() - 1;
    }

    private int start(int job, double position, double own, double others) {
        return bid(BidKind.START, job, BidColumn.SET_POSITION, position, own, others);
    }

    private int room(int job, double cost, double own, double others) {
        return bid(BidKind.MAKE_ROOM, job, BidColumn.PLAN_COST, cost, own, others);
    }

    private int move(int job, double minutes) {
        return bid(BidKind.MOVE, job, BidColumn.SAVED_TIME, BidColumn.scaledTime(60 * minutes), 0, 0);
    }

    private void chooses(int expected) {
        float[] scores = rule.score(auction);
        for (int bid = 0; bid < auction.size(); bid++) {
            assertThat(scores[bid]).as("bid %d", bid).isEqualTo(bid == expected ? BidRule.SHARPNESS : 0);
        }
    }

    @Test
    void the_first_job_starts_on_its_cheapest_set_within_the_limit() {
        start(7, 0, 1.2, 0);
        start(7, 0.1, 0, 1);
        start(5, 0.2, 0.9, 0.9);
        int best = start(5, 0.1, 0.9, 0.9);
        start(4, 0, 0, 0);
        room(7, 0, 0, 0);
        move(2, 60);

        chooses(best);
    }

    @Test
    void nobody_makes_room_beside_a_neighbour_that_loses_too_much() {
        start(7, 0, 1, 0);
        room(7, 0.1, 0, 1.5);
        room(5, 0.4, 0, 0);
        int best = room(5, 0.3, 0, 0);
        move(2, 60);

        chooses(best);
    }

    @Test
    void the_job_moves_that_saves_most() {
        start(7, 0, 1, 0);
        move(2, 11);
        int best = move(3, 30);
        move(4, 12);
        bid(BidKind.PATIENCE, 7, BidColumn.SAVED_TIME, 1, 0, 0);

        chooses(best);
    }

    @Test
    void everybody_waits_when_a_move_saves_too_little() {
        move(2, 9.9);

        chooses(0);
    }

    @Test
    void an_auction_of_many_bids_is_scored_whole() {
        for (int job = 0; job < 200; job++) {
            start(job, 0, 1, 0);
        }

        chooses(start(200, 0, 0, 0));
    }
}
