/** Tensors in the files of trainers. */
@NullMarked
package org.trainyard.agents.learned.saving;

import org.jspecify.annotations.NullMarked;
