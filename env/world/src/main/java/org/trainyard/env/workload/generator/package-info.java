/** Generated jobs and the catalogue of models they train. */
@NullMarked
package org.trainyard.env.workload.generator;

import org.jspecify.annotations.NullMarked;
