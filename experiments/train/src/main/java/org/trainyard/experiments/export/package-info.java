/** Trained policies as ONNX files with their contract, and the check that they decide as plain Java does. */
@NullMarked
package org.trainyard.experiments.export;

import org.jspecify.annotations.NullMarked;
