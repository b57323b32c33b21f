/**
 * Mixed parallelism: layouts of tensors over a group of GPUs, conversions between them, and the best layouts for a
 * chain of layers.
 */
@NullMarked
package org.trainyard.env.pipeline.mixed;

import org.jspecify.annotations.NullMarked;
