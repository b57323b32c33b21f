/** What all trainers share. */
@NullMarked
package org.trainyard.agents.learned.training;

import org.jspecify.annotations.NullMarked;
