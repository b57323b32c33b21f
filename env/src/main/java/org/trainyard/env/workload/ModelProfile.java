package org.trainyard.env.workload;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.workload.freezing.FreezingProfile;
import org.trainyard.env.workload.goodput.GoodputProfile;

/**
 * The load that training one model puts on the hardware.
 *
 * @param name the model's name
 * @param computeSeconds forward and backward pass of one iteration on one GPU of speed 1, seconds
 * @param gradientBytes bytes all-reduced per iteration
 * @param memoryBytes device memory per GPU
 * @param pressure on what its neighbours share with it, per GPU
 * @param sensitivity to the pressure of its neighbours
 * @param speeds its own compute speed on GPU types where that is known, by name of the type, relative to a GPU of
 *     speed 1; on others it is that of the type
 * @param scaling how it gains by workers when it is elastic
 * @param goodput its rates where it adapts its batch, or null; its iterations are then those at the initial batch
 * @param freezing what frozen layers save and cost, or null where none may be frozen
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
        @Nullable GoodputProfile goodput,
        @Nullable FreezingProfile freezing) {
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
                null,
                null);
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
                goodput,
                freezing);
    }

    /** This model as one that adapts its batch. */
    public ModelProfile adapting(GoodputProfile newGoodput) {
        return with(computeSeconds, gradientBytes, newGoodput, freezing);
    }

    /** This model as one whose front layers can be frozen. */
    public ModelProfile freezable(@Nullable FreezingProfile newFreezing) {
        return with(computeSeconds, gradientBytes, goodput, newFreezing);
    }

    /**
     * The load of this model, which can be frozen, with so many of its front layers frozen; its memory is assumed
     * to stay.
     */
    public ModelProfile frozen(int layers) {
        if (freezing == null) {
            throw new IllegalArgumentException("no layers of model %s can be frozen".formatted(name));
        }
        return with(
                computeSeconds * freezing.computeLeft(layers),
                gradientBytes * freezing.gradientsLeft(layers),
                goodput == null ? null : freezing.frozen(goodput, layers),
                freezing);
    }

    private ModelProfile with(
            double newComputeSeconds,
            double newGradientBytes,
            @Nullable GoodputProfile newGoodput,
            @Nullable FreezingProfile newFreezing) {
        return new ModelProfile(
                name,
                newComputeSeconds,
                newGradientBytes,
                memoryBytes,
                pressure,
                sensitivity,
                speeds,
                scaling,
                newGoodput,
                newFreezing);
    }

    /** Compute time of one iteration on a GPU of that type, seconds. */
    public double computeSecondsOn(GpuType type) {
        double speed = speeds.isEmpty() ? type.speed() : speeds.getOrDefault(type.name(), type.speed());
        return computeSeconds / speed;
    }
}
