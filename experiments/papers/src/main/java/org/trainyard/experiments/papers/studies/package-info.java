/** The studies behind {@code trainyard reproduce}: of each system, what its paper claims beside our figures. */
@NullMarked
package org.trainyard.experiments.papers.studies;

import org.jspecify.annotations.NullMarked;
