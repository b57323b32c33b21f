package org.trainyard.agents.heuristic.patient;

/**
 * The weights of {@link PatientScore}.
 *
 * @param dearer weight of what a set costs beyond the cheapest of its job
 * @param leftover weight of GPUs left free on the servers of a set
 * @param slow weight of slow GPUs for a long time
 * @param preempts whether running jobs make room or move
 * @param moveMinutes time that a move saves at least, minutes
 */
public record PatientWeights(double dearer, double leftover, double slow, boolean preempts, double moveMinutes) {
    /** Running jobs migrate, return to the queue, and move where that saves an hour. */
    public static final PatientWeights PREEMPTIVE = new PatientWeights(1, 0.25, 2, true, 60);
    /** Running jobs migrate, return to the queue, and move where that saves ten minutes. */
    public static final PatientWeights MOVING = new PatientWeights(1, 0.25, 2, true, 10);
    /** Running jobs stay where they are: who starts leaves room for wide gangs first. */
    public static final PatientWeights STAYING = new PatientWeights(0, 1, 3, false, 0);
}
