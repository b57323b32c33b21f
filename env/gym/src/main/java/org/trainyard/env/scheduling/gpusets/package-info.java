/** Sets of free GPUs inside a server, chosen by the links between them. */
@NullMarked
package org.trainyard.env.scheduling.gpusets;

import org.jspecify.annotations.NullMarked;
