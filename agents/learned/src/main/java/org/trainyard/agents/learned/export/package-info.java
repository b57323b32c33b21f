/** Trained policies as ONNX graphs. */
@NullMarked
package org.trainyard.agents.learned.export;

import org.jspecify.annotations.NullMarked;
