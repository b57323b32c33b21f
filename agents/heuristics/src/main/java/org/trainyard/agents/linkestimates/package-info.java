/** Beliefs about the bandwidth of sets of GPUs inside servers, by name. */
@NullMarked
package org.trainyard.agents.linkestimates;

import org.jspecify.annotations.NullMarked;
