/** Benchmarks: {@code mvn -Pbench verify} runs them, tests never do. */
@NullMarked
package org.trainyard.agents.bench;

import org.jspecify.annotations.NullMarked;
