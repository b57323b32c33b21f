/** The rows of logs and traces: columns, fields, times and numbers, and why a field cannot be used. */
@NullMarked
package org.trainyard.env.workload.trace.log;

import org.jspecify.annotations.NullMarked;
