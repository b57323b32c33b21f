/** Tasks on the machines of an Apache Spark cluster. */
@NullMarked
package org.trainyard.spark;

import org.jspecify.annotations.NullMarked;
