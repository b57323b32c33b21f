/** Deep Q-learning through DJL. */
@NullMarked
package org.trainyard.agents.learned.dqn;

import org.jspecify.annotations.NullMarked;
