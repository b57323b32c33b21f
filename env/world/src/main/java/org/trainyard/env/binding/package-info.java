/** Strict YAML: nodes with positions, binding to records, overrides, and writing. */
@NullMarked
package org.trainyard.env.binding;

import org.jspecify.annotations.NullMarked;
