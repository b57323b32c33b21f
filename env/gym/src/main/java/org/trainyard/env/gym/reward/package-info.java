/** Rewards of the agents, as rates over simulated time. */
@NullMarked
package org.trainyard.env.gym.reward;

import org.jspecify.annotations.NullMarked;
