/** Plans of pipelines and of mixed parallelism on chosen GPUs, as the command {@code plan} prints and draws them. */
@NullMarked
package org.trainyard.experiments.planning;

import org.jspecify.annotations.NullMarked;
