/**
 * Reading and writing of job logs: the door through which their formats come in, the project's own format, and what
 * tables have in common.
 */
@NullMarked
package org.trainyard.env.workload.log;

import org.jspecify.annotations.NullMarked;
