/** Why jobs wait. */
@NullMarked
package org.trainyard.experiments.waitreasons;

import org.jspecify.annotations.NullMarked;
