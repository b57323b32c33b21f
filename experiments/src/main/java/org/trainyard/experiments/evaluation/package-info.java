/** Which episodes are run, how well each scheduler did in them, and whether a difference is one. */
@NullMarked
package org.trainyard.experiments.evaluation;

import org.jspecify.annotations.NullMarked;
