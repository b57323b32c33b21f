/** The program: command line, configs, training, evaluation and reports. */
@NullMarked
package org.trainyard.experiments;

import org.jspecify.annotations.NullMarked;
