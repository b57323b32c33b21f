/** The scheduler or policy that a service or a driver serves, opened from a name or a checkpoint. */
@NullMarked
package org.trainyard.experiments.service.target;

import org.jspecify.annotations.NullMarked;
