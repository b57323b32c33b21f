/** Legal actions, their execution, and the resolution of conflicts between agents. */
@NullMarked
package org.trainyard.env.gym.action;

import org.jspecify.annotations.NullMarked;
