/** Schedulers that decide for a live cluster. */
@NullMarked
package org.trainyard.agents.live;

import org.jspecify.annotations.NullMarked;
