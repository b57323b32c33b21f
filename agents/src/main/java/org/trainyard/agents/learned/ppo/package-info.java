/** Proximal policy optimisation. */
@NullMarked
package org.trainyard.agents.learned.ppo;

import org.jspecify.annotations.NullMarked;
