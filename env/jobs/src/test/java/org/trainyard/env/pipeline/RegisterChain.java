package org.trainyard.env.pipeline;

/**
 * A chain of actors with counted registers, as in the runtime of OneFlow (J. Yuan et al., 2021): an actor fires when
 * its input is there and one of its output registers is free; its consumer frees the register at the end of its own
 * firing.
 */
public final class RegisterChain {
    private RegisterChain() {}

    /**
     * The end of every firing of the last actor, seconds.
     *
     * @param seconds by actor, time of one firing
     * @param registers by actor, its output registers, at least one
     */
    public static double[] ends(double[] seconds, int[] registers, int items) {
        double[][] end = new double[seconds.length][items];
        for (int item = 0; item < items; item++) {
            for (int actor = 0; actor < seconds.length; actor++) {
                double ready = item == 0 ? 0 : end[actor][item - 1];
                if (actor > 0) {
                    ready = Math.max(ready, end[actor - 1][item]);
                }
                int freed = item - registers[actor];
                if (actor + 1 < seconds.length && freed >= 0) {
                    ready = Math.max(ready, end[actor + 1][freed]);
                }
                end[actor][item] = ready + seconds[actor];
            }
        }
        return end[seconds.length - 1];
    }
}
