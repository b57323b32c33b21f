/** Tables of measured pairs and of run times in their own formats. */
@NullMarked
package org.trainyard.interference.tables;

import org.jspecify.annotations.NullMarked;
