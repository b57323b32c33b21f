/** The command of the environment server for Python. */
@NullMarked
package org.trainyard.experiments.cli.gym;

import org.jspecify.annotations.NullMarked;
