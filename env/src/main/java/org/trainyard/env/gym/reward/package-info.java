/** Rewards that agents are paid. */
@NullMarked
package org.trainyard.env.gym.reward;

import org.jspecify.annotations.NullMarked;
