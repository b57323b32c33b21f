package org.trainyard.gnn.onnx;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A graph of ONNX operators that is being written: named inputs, weights, constants, nodes and named outputs. Layers
 * write their nodes with the operations of {@link OnnxValue}. Sizes of axes may vary; there are no loops, so one pass
 * over the nodes computes the outputs.
 */
public final class OnnxGraph {
    /** Version of the operator set. */
    public static final int OPSET = 18;
    /** Version of the file format. */
    public static final int IR_VERSION = 9;

    private final GraphProto.Builder graph = GraphProto.newBuilder();
    private final List<NamedTensor> inputs = new ArrayList<>();
    private final List<NamedTensor> outputs = new ArrayList<>();
    private final Map<String, TensorData> weights = new LinkedHashMap<>();
    private final Map<String, OnnxValue> constants = new LinkedHashMap<>();
    private int nodes;

    public OnnxGraph(String name) {
        graph.setName(name);
    }

    /** Declares an input; of each axis its size or, when it varies, its name. */
    public OnnxValue input(String name, ElementType type, String... shape) {
        NamedTensor tensor = new NamedTensor(name, type, List.of(shape));
        inputs.add(tensor);
        graph.addInput(info(tensor));
        return new OnnxValue(this, name);
    }

    /** Declares a value as an output. */
    public void output(String name, OnnxValue value, ElementType type, String... shape) {
        NamedTensor tensor = new NamedTensor(name, type, List.of(shape));
        outputs.add(tensor);
        graph.addOutput(info(tensor));
        graph.addNode(NodeProto.newBuilder()
                .setName("output." + name)
                .setOpType("Identity")
                .addInput(value.name())
                .addOutput(name));
    }

    /** Adds trained weights; the same weights may be added by several layers. */
    public OnnxValue weights(String name, float[] values, long... shape) {
        return weights(TensorData.of(name, values, shape));
    }

    private OnnxValue weights(TensorData tensor) {
        TensorData known = weights.putIfAbsent(tensor.name(), tensor);
        if (known != null && !known.equals(tensor)) {
            throw new IllegalArgumentException("there are other weights named (%s)".formatted(tensor.name()));
        }
        return known == null ? initializer(tensor) : new OnnxValue(this, tensor.name());
    }

    /** A number. */
    public OnnxValue constant(float value) {
        return constant(TensorData.of("constant.float." + value, new float[] {value}));
    }

    /** A list of whole numbers. */
    public OnnxValue list(long... values) {
        String text = Arrays.stream(values).mapToObj(Long::toString).collect(Collectors.joining("."));
        return constant(TensorData.of("constant.list." + text, values, values.length));
    }

    private OnnxValue constant(TensorData value) {
        return constants.computeIfAbsent(value.name(), known -> initializer(value));
    }

    private OnnxValue initializer(TensorData values) {
        TensorProto.Builder tensor = TensorProto.newBuilder()
                .setName(values.name())
                .setDataType(values.type().number())
                .addAllDims(values.shape())
                .setRawData(ByteString.copyFrom(values.data()));
        graph.addInitializer(tensor);
        return new OnnxValue(this, values.name());
    }

    /** Adds a node with one output; attributes are whole numbers, lists of them, floats or words, by name. */
    OnnxValue node(String operator, Map<String, ?> attributes, List<OnnxValue> arguments) {
        String name = "%s.%d".formatted(operator.toLowerCase(Locale.ROOT), nodes++);
        NodeProto.Builder node =
                NodeProto.newBuilder().setName(name).setOpType(operator).addOutput(name);
        arguments.forEach(argument -> node.addInput(argument.name()));
        new TreeMap<>(attributes).forEach((key, value) -> node.addAttribute(attribute(key, value)));
        graph.addNode(node);
        return new OnnxValue(this, name);
    }

    private static AttributeProto attribute(String key, Object value) {
        AttributeProto.Builder attribute = AttributeProto.newBuilder().setName(key);
        if (value instanceof String word) {
            attribute.setType(AttributeProto.AttributeType.STRING).setS(ByteString.copyFromUtf8(word));
        } else if (value instanceof Float number) {
            attribute.setType(AttributeProto.AttributeType.FLOAT).setF(number);
        } else if (value instanceof long[] numbers) {
            attribute.setType(AttributeProto.AttributeType.INTS);
            for (long number : numbers) {
                attribute.addInts(number);
            }
        } else {
            attribute.setType(AttributeProto.AttributeType.INT).setI(((Number) value).longValue());
        }
        return attribute.build();
    }

    private static ValueInfoProto info(NamedTensor tensor) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        for (String axis : tensor.shape()) {
            TensorShapeProto.Dimension.Builder dimension = TensorShapeProto.Dimension.newBuilder();
            boolean isSize = Character.isDigit(axis.charAt(0));
            shape.addDim(isSize ? dimension.setDimValue(Long.parseLong(axis)) : dimension.setDimParam(axis));
        }
        TypeProto.Tensor.Builder type = TypeProto.Tensor.newBuilder()
                .setElemType(tensor.type().number())
                .setShape(shape);
        return ValueInfoProto.newBuilder()
                .setName(tensor.name())
                .setType(TypeProto.newBuilder().setTensorType(type))
                .build();
    }

    /** The inputs, in order. */
    public List<NamedTensor> inputs() {
        return List.copyOf(inputs);
    }

    /** The outputs, in order. */
    public List<NamedTensor> outputs() {
        return List.copyOf(outputs);
    }

    /** The trained weights, in order. */
    public List<TensorData> weights() {
        return List.copyOf(weights.values());
    }

    /** Names of the operators in use. */
    public Set<String> operators() {
        return graph.getNodeList().stream().map(NodeProto::getOpType).collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * The bytes of a model file.
     *
     * @param facts about the model, by name, which are in the file as text
     */
    public byte[] model(Map<String, String> facts) {
        ModelProto.Builder model = ModelProto.newBuilder()
                .setIrVersion(IR_VERSION)
                .setProducerName("trainyard")
                .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("").setVersion(OPSET))
                .setGraph(graph);
        facts.forEach((key, value) -> model.addMetadataProps(
                StringStringEntryProto.newBuilder().setKey(key).setValue(value)));
        return model.build().toByteArray();
    }
}
