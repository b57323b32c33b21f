/** Graphs of ONNX operators, into which networks write themselves layer by layer. */
@NullMarked
package org.trainyard.gnn.onnx;

import org.jspecify.annotations.NullMarked;
