/** Small neural networks over pairs of jobs. */
@NullMarked
package org.trainyard.interference.model.network;

import org.jspecify.annotations.NullMarked;
