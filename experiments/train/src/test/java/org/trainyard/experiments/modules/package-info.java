/** Tests of the modules: the arrows between them, and the core without its wings. */
@NullMarked
package org.trainyard.experiments.modules;

import org.jspecify.annotations.NullMarked;
