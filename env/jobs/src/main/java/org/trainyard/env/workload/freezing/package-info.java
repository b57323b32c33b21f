/**
 * Training with frozen front layers: what it saves, what it costs in progress, and published rules of when to freeze.
 */
@NullMarked
package org.trainyard.env.workload.freezing;

import org.jspecify.annotations.NullMarked;
