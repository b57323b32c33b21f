package org.trainyard.experiments.service.live;

/**
 * What became of the events of a request.
 *
 * @param cluster id
 * @param accepted number of events that were new
 * @param repeated number of events that the cluster knew already
 * @param sequence number of the last event of the cluster
 */
public record EventReceipt(String cluster, int accepted, int repeated, long sequence) {}
