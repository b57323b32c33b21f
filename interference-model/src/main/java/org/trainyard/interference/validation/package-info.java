/** Cross-validation of pair models: splits, scores and intervals. */
@NullMarked
package org.trainyard.interference.validation;

import org.jspecify.annotations.NullMarked;
