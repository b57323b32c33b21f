/** What the world does not tell: predictors of slowdown and of run time, how they are fitted and what they got wrong. */
@NullMarked
package org.trainyard.interference;

import org.jspecify.annotations.NullMarked;
