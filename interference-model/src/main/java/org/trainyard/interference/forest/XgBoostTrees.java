package org.trainyard.interference.forest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import it.unimi.dsi.fastutil.doubles.DoubleArrayList;
import it.unimi.dsi.fastutil.doubles.DoubleList;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The trees in XGBoost's JSON model, read in one pass without building a document: a large forest's is hundreds of
 * megabytes.
 */
public final class XgBoostTrees {
    private static final JsonFactory JSON = new JsonFactory();

    /**
     * One tree as XGBoost writes it. Rows whose feature is below the condition go left, rows without the feature where
     * {@code defaultLeft} is 1; a leaf has no children (-1) and its value in {@code condition}.
     */
    record Tree(DoubleList left, DoubleList right, DoubleList feature, DoubleList condition, DoubleList defaultLeft) {}

    private XgBoostTrees() {}

    static List<Tree> read(byte[] model) throws IOException {
        try (JsonParser json = JSON.createParser(model)) {
            while (json.nextToken() != null) {
                if (json.currentToken() == JsonToken.FIELD_NAME
                        && json.currentName().equals("trees")) {
                    return trees(json);
                }
            }
        }
        throw new IOException("no trees in XGBoost's model");
    }

    private static List<Tree> trees(JsonParser json) throws IOException {
        List<Tree> trees = new ArrayList<>();
        expect(json.nextToken(), JsonToken.START_ARRAY);
        while (json.nextToken() == JsonToken.START_OBJECT) {
            trees.add(tree(json));
        }
        return trees;
    }

    private static Tree tree(JsonParser json) throws IOException {
        DoubleList none = new DoubleArrayList();
        DoubleList left = none;
        DoubleList right = none;
        DoubleList feature = none;
        DoubleList condition = none;
        DoubleList defaultLeft = none;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "left_children" -> left = numbers(json);
                case "right_children" -> right = numbers(json);
                case "split_indices" -> feature = numbers(json);
                case "split_conditions" -> condition = numbers(json);
                case "default_left" -> defaultLeft = numbers(json);
                default -> json.skipChildren();
            }
        }
        if (left.isEmpty()
                || left.size() != right.size()
                || left.size() != feature.size()
                || left.size() != condition.size()
                || left.size() != defaultLeft.size()) {
            throw new IOException("a tree of XGBoost's model has parts of different lengths");
        }
        return new Tree(left, right, feature, condition, defaultLeft);
    }

    private static DoubleList numbers(JsonParser json) throws IOException {
        expect(json.currentToken(), JsonToken.START_ARRAY);
        DoubleList numbers = new DoubleArrayList();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            numbers.add(json.getDoubleValue());
        }
        return numbers;
    }

    private static void expect(JsonToken found, JsonToken wanted) throws IOException {
        if (found != wanted) {
            throw new IOException("XGBoost's model has (%s) where (%s) should be".formatted(found, wanted));
        }
    }
}
