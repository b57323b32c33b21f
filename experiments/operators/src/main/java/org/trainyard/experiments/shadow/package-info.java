/** What another scheduler would have done, beside the real one of a cluster. */
@NullMarked
package org.trainyard.experiments.shadow;

import org.jspecify.annotations.NullMarked;
