/** The action space of agents: masks of legal actions, their execution, and conflicts between agents. */
@NullMarked
package org.trainyard.env.gym.action;

import org.jspecify.annotations.NullMarked;
