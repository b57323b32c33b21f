/** Queue disciplines and list schedulers. */
@NullMarked
package org.trainyard.agents.heuristic.classic;

import org.jspecify.annotations.NullMarked;
