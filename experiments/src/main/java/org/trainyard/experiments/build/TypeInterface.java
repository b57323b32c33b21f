package org.trainyard.experiments.build;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What other code may read of a class file: all but the bodies and private members.
 *
 * @param isLocal whether the class is anonymous or declared in a body
 * @param supertypes the superclass and the interfaces
 * @param generics type parameters, and arguments of the supertypes
 * @param members flags, fields with constants, methods, member types and permitted subclasses
 */
record TypeInterface(boolean isLocal, List<String> supertypes, String generics, String members) {
    /** Of no class. */
    static final TypeInterface NONE = new TypeInterface(true, List.of(), "", "");

    private static final int PRIVATE = 2;
    private static final int ANNOTATION = 0x2000;
    private static final String LOCAL = "local";

    boolean hasHeaderOf(TypeInterface other) {
        return supertypes.equals(other.supertypes) && generics.equals(other.generics);
    }

    static TypeInterface read(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        in.skipNBytes(8);
        Object[] pool = pool(in);
        int flags = in.readUnsignedShort();
        StringBuilder members = new StringBuilder().append(flags);
        if ((flags & ANNOTATION) != 0) {
            // Its own annotations say where and how long it is kept.
            members.append(new String(bytes, StandardCharsets.ISO_8859_1));
        }
        String type = next(in, pool);
        List<String> supertypes = new ArrayList<>(List.of(next(in, pool)));
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            supertypes.add(next(in, pool));
        }
        // A private field may hide an inherited one.
        boolean mayHide = supertypes.size() > 1 || !supertypes.get(0).startsWith("java/lang/");
        for (boolean isField : new boolean[] {true, false}) {
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                int access = in.readUnsignedShort();
                String member = "\n" + access + " " + next(in, pool) + " " + next(in, pool);
                Map<String, String> attributes = attributes(in, pool, type);
                if ((access & PRIVATE) == 0 || (isField && mayHide)) {
                    members.append(member).append(attributes);
                }
            }
        }
        Map<String, String> attributes = attributes(in, pool, type);
        return new TypeInterface(
                attributes.containsKey(LOCAL),
                supertypes,
                attributes.getOrDefault("Signature", ""),
                members.append(attributes).toString());
    }

    private static Object[] pool(DataInputStream in) throws IOException {
        Object[] pool = new Object[in.readUnsignedShort()];
        pool[0] = "";
        for (int i = 1; i < pool.length; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> pool[i] = in.readUTF();
                case 3, 4 -> pool[i] = in.readInt();
                case 5, 6 -> pool[i++] = in.readLong();
                case 7, 8, 16, 19, 20 -> pool[i] = new int[] {in.readUnsignedShort()};
                case 15 -> in.skipNBytes(3);
                default -> in.skipNBytes(4);
            }
        }
        return pool;
    }

    /** The constant whose number comes next; a class or a string refers to its text. */
    private static String next(DataInputStream in, Object[] pool) throws IOException {
        Object constant = pool[in.readUnsignedShort()];
        return String.valueOf(constant instanceof int[] reference ? pool[reference[0]] : constant);
    }

    private static Map<String, String> attributes(DataInputStream in, Object[] pool, String type) throws IOException {
        Map<String, String> attributes = new TreeMap<>();
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            String name = next(in, pool);
            DataInputStream content = new DataInputStream(new ByteArrayInputStream(in.readNBytes(in.readInt())));
            switch (name) {
                case "ConstantValue", "Signature" -> attributes.put(name, next(content, pool));
                case "Exceptions", "PermittedSubclasses" -> {
                    for (int more = content.readUnsignedShort(); more > 0; more--) {
                        attributes.merge(name, next(content, pool), String::concat);
                    }
                }
                case "InnerClasses" -> readInnerClasses(content, pool, type, attributes);
                default -> {}
            }
        }
        return attributes;
    }

    /** Those of other types occur in bodies alone. */
    private static void readInnerClasses(
            DataInputStream content, Object[] pool, String type, Map<String, String> attributes) throws IOException {
        for (int left = content.readUnsignedShort(); left > 0; left--) {
            String inner = next(content, pool);
            String outer = next(content, pool);
            String member = inner + " " + next(content, pool) + " " + content.readUnsignedShort();
            if (inner.equals(type) && outer.isEmpty()) {
                attributes.put(LOCAL, "");
            } else if (inner.equals(type) || outer.equals(type)) {
                attributes.merge("InnerClasses", member, String::concat);
            }
        }
    }
}
