/** Why jobs wait. */
@NullMarked
package org.trainyard.experiments.reasons;

import org.jspecify.annotations.NullMarked;
