/** Sets of free GPUs inside a server, chosen by the links between them. */
@NullMarked
package org.trainyard.env.scheduling.inside;

import org.jspecify.annotations.NullMarked;
