/** Conditions under which a submitted job may start: its begin time, other jobs, the limit of its array. */
@NullMarked
package org.trainyard.env.dependency;

import org.jspecify.annotations.NullMarked;
