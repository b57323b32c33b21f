/** The desk: the program that ties world, eyes and minds together. */
@NullMarked
package org.trainyard.experiments;

import org.jspecify.annotations.NullMarked;
