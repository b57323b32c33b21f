/** The learner of bids: plays of episodes, advantages, the loss of PPO, and its gradient by PyTorch. */
@NullMarked
package org.trainyard.agents.learned.ppo;

import org.jspecify.annotations.NullMarked;
