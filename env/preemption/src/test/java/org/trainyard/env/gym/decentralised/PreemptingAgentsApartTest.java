package org.trainyard.env.gym.decentralised;

class PreemptingAgentsApartTest extends DecentralisedAgentsTest {
    @Override
    boolean preempts() {
        return true;
    }
}
