/** Errors of the models of pairs on measurements held out of a fit. */
@NullMarked
package org.trainyard.interference.errors;

import org.jspecify.annotations.NullMarked;
