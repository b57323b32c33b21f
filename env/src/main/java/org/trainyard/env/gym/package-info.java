/** The multi-agent environment around the simulator: domains, observations, legal actions, rewards. */
@NullMarked
package org.trainyard.env.gym;

import org.jspecify.annotations.NullMarked;
