package org.trainyard.experiments.service.live;

/**
 * A registered cluster.
 *
 * @param sequence number of its last event
 * @param firstServer name of its first server, as events must spell it
 */
public record Registration(String cluster, long sequence, int servers, int gpus, String firstServer) {}
