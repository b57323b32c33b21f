package org.trainyard.experiments.service.live;

/**
 * Receipt for the events of a request.
 *
 * @param accepted number of new events
 * @param repeated number of events that the cluster had already
 * @param sequence number of the last event of the cluster
 */
public record EventReceipt(String cluster, int accepted, int repeated, long sequence) {}
