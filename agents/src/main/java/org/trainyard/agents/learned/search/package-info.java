/** Search for a policy by the cross-entropy method. */
@NullMarked
package org.trainyard.agents.learned.search;

import org.jspecify.annotations.NullMarked;
