package org.trainyard.agents.heuristic.linear;

import com.google.ortools.Loader;
import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A linear programme whose variables have upper bounds: the vertex of least cost of {@code least <= A x <= most},
 * {@code 0 <= x <= upper}, by the simplex method of OR-Tools' GLOP. A vertex has at most as many variables off their
 * bounds as there are rows.
 *
 * <p>The native library is loaded at the first programme.
 */
public final class BoxedProgram {
    /**
     * A row of the constraints; a bound may be infinite.
     *
     * @param columns numbers of the variables with a coefficient
     */
    @SuppressWarnings("ArrayRecordComponent") // numbers of a solver, never compared
    public record Row(int[] columns, double[] coefficients, double least, double most) {}

    private BoxedProgram() {}

    /** The values of the variables at an optimal vertex, or null when nothing is feasible. */
    public static double @Nullable [] minimise(double[] costs, double[] upper, List<Row> rows) {
        Loader.loadNativeLibraries();
        MPSolver solver = MPSolver.createSolver("GLOP");
        try {
            MPVariable[] variables = new MPVariable[costs.length];
            MPObjective objective = solver.objective();
            for (int i = 0; i < costs.length; i++) {
                variables[i] = solver.makeNumVar(0, upper[i], "");
                objective.setCoefficient(variables[i], costs[i]);
            }
            objective.setMinimization();
            for (Row row : rows) {
                MPConstraint constraint = solver.makeConstraint(row.least, row.most);
                for (int i = 0; i < row.columns.length; i++) {
                    constraint.setCoefficient(variables[row.columns[i]], row.coefficients[i]);
                }
            }
            if (solver.solve() != MPSolver.ResultStatus.OPTIMAL) {
                return null;
            }
            double[] values = new double[costs.length];
            for (int i = 0; i < values.length; i++) {
                values[i] = Math.min(upper[i], Math.max(0, variables[i].solutionValue()));
            }
            return values;
        } finally {
            solver.delete();
        }
    }
}
