/** The trainers of models of pairs among which {@code fit interference} chooses. */
@NullMarked
package org.trainyard.interference.candidates;

import org.jspecify.annotations.NullMarked;
