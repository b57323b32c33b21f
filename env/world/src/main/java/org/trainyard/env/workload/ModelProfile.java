package org.trainyard.env.workload;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.GpuType;

/**
 * The load that training one model puts on the hardware.
 *
 * @param name the model's name
 * @param computeSeconds forward and backward pass of one iteration on one GPU of speed 1, seconds
 * @param gradientBytes bytes all-reduced per iteration
 * @param memoryBytes device memory per GPU
 * @param pressure on the resources that its neighbours share with it, per GPU
 * @param sensitivity to the pressure of its neighbours
 * @param speeds its own compute speed on GPU types where that is known, by name of the type, relative to a GPU of speed
 *     1; on others it is that of the type
 * @param scaling how it gains by workers when it is elastic
 * @param attached values that kinds of training add to it
 */
public record ModelProfile(
        String name,
        double computeSeconds,
        double gradientBytes,
        long memoryBytes,
        Pressure pressure,
        Pressure sensitivity,
        Map<String, Double> speeds,
        ScalingCurve scaling,
        Attachments attached) {
    public ModelProfile {
        if (!(computeSeconds > 0) || Double.isInfinite(computeSeconds)) {
            throw new IllegalArgumentException(
                    "compute time (%s s) of model %s must be finite and above zero".formatted(computeSeconds, name));
        }
        if (!(gradientBytes >= 0) || Double.isInfinite(gradientBytes)) {
            throw new IllegalArgumentException("gradient size (%s bytes) of model %s must be finite and not negative"
                    .formatted(gradientBytes, name));
        }
        speeds = Map.copyOf(speeds);
        speeds.forEach((type, speed) -> {
            if (!(speed > 0) || Double.isInfinite(speed)) {
                throw new IllegalArgumentException(
                        "speed (%s) of model %s on %s must be finite and above zero".formatted(speed, name, type));
            }
        });
    }

    /** A model without measured speeds on GPU types, whose compute time scales linearly. */
    public ModelProfile(
            String name,
            double computeSeconds,
            double gradientBytes,
            long memoryBytes,
            Pressure pressure,
            Pressure sensitivity) {
        this(
                name,
                computeSeconds,
                gradientBytes,
                memoryBytes,
                pressure,
                sensitivity,
                Map.of(),
                ScalingCurve.LINEAR,
                Attachments.NONE);
    }

    /** This model with measured speeds on GPU types and a measured scaling curve. */
    public ModelProfile with(Map<String, Double> newSpeeds, ScalingCurve newScaling) {
        return new ModelProfile(
                name,
                computeSeconds,
                gradientBytes,
                memoryBytes,
                pressure,
                sensitivity,
                newSpeeds,
                newScaling,
                attached);
    }

    /** This model with another compute time and other gradients. */
    public ModelProfile taking(double newComputeSeconds, double newGradientBytes) {
        return with(newComputeSeconds, newGradientBytes, attached);
    }

    /** Returns a copy with a value in place of that of the type; without one for null. */
    public <T> ModelProfile attaching(Class<T> type, @Nullable T value) {
        return with(computeSeconds, gradientBytes, attached.with(type, value));
    }

    /** Attachment of this type, or of a subtype; null when there is none. */
    public <T> @Nullable T of(Class<T> type) {
        return attached.of(type);
    }

    private ModelProfile with(double newComputeSeconds, double newGradientBytes, Attachments newAttached) {
        return new ModelProfile(
                name,
                newComputeSeconds,
                newGradientBytes,
                memoryBytes,
                pressure,
                sensitivity,
                speeds,
                scaling,
                newAttached);
    }

    /** Compute time of one iteration on a GPU of that type, seconds. */
    public double computeSecondsOn(GpuType type) {
        double speed = speeds.isEmpty() ? type.speed() : speeds.getOrDefault(type.name(), type.speed());
        return computeSeconds / speed;
    }
}
