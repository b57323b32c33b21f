/** Cross-validation, error statistics and prediction intervals. */
@NullMarked
package org.trainyard.interference.validation;

import org.jspecify.annotations.NullMarked;
