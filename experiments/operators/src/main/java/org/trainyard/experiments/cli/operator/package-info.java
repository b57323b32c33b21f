/** Commands for who runs a cluster. */
@NullMarked
package org.trainyard.experiments.cli.operator;

import org.jspecify.annotations.NullMarked;
