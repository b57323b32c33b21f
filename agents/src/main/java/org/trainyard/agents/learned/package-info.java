/** Schedulers that learn: policy networks, their trainers and what runs them. */
@NullMarked
package org.trainyard.agents.learned;

import org.jspecify.annotations.NullMarked;
