package org.trainyard.agents.learned.saving;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.trainyard.env.InputException;
import org.trainyard.gnn.Parameters;

/** Tensors and parameters as files hold them. */
public final class SavedTensors {
    private SavedTensors() {}

    /** Writes rank, sizes and little-endian floats. */
    public static void write(NDArray array, DataOutput out) throws IOException {
        long[] shape = array.getShape().getShape();
        out.writeInt(shape.length);
        for (long size : shape) {
            out.writeInt(Math.toIntExact(size));
        }
        float[] values = array.toFloatArray();
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        out.write(bytes.array());
    }

    /** Reads the values of a tensor of this shape that {@link #write(NDArray, DataOutput)} wrote. */
    public static float[] read(DataInput in, Shape expected, String place) throws IOException {
        long[] shape = new long[in.readInt()];
        for (int i = 0; i < shape.length; i++) {
            shape[i] = in.readInt();
        }
        if (!new Shape(shape).equals(expected)) {
            throw InputException.at(place, new Shape(shape), "shape " + expected);
        }
        byte[] bytes = new byte[Math.toIntExact(4 * expected.size())];
        in.readFully(bytes);
        float[] values = new float[bytes.length / 4];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
        return values;
    }

    /** Writes names, shapes and values. */
    public static void write(Parameters parameters, DataOutput out) throws IOException {
        List<String> names = parameters.names();
        out.writeInt(names.size());
        for (String name : names) {
            out.writeUTF(name);
            write(parameters.get(name), out);
        }
    }

    /**
     * Reads the values that {@link #write(Parameters, DataOutput)} wrote.
     *
     * @param source the file, for messages
     * @throws InputException when names or shapes are not those of this network
     */
    public static void read(Parameters parameters, DataInput in, String source) throws IOException {
        List<String> names = parameters.names();
        int count = in.readInt();
        if (count != names.size()) {
            throw new InputException(
                    "%s: holds (%d) parameters, this network has (%d)".formatted(source, count, names.size()));
        }
        float[] all = new float[Math.toIntExact(parameters.count())];
        int at = 0;
        for (String expected : names) {
            String name = in.readUTF();
            if (!name.equals(expected)) {
                throw new InputException(
                        "%s: holds parameter %s where %s is expected".formatted(source, name, expected));
            }
            float[] values = read(in, parameters.get(name).getShape(), source + ", " + name);
            System.arraycopy(values, 0, all, at, values.length);
            at += values.length;
        }
        parameters.setValues(all);
    }
}
