/** Queue disciplines, list schedulers and packing without preemption: FIFO, SJF, SRTF, LAS, Tetris, Lucid. */
@NullMarked
package org.trainyard.agents.heuristic.classic;

import org.jspecify.annotations.NullMarked;
