/** The multi-agent environment: reset, step, rewards, auto-reset, and the checker of its contract. */
@NullMarked
package org.trainyard.env.gym;

import org.jspecify.annotations.NullMarked;
