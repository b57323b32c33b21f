/* Plans of a pipeline: what each stage and each link does in one iteration. */

/** Kinds of work, each with its colour: those of stages, those of links, and what ends the iteration. */
const WORK = {forward: "#4c78a8", backward: "#f58518", activations: "#9ecae9", "their gradients": "#ffbf79", "all-reduce": "#54a24b"};

function plans(all) {
  show(element("p", null, all.profile + ". Time runs to the right; all charts have one scale."));
  const end = all.charts.flatMap(chart => chart.bars).reduce((last, bar) => Math.max(last, bar.to), 0);
  all.charts.forEach((chart, i) => {
    heading(chart.planner);
    show(element("p", null, chart.figures));
    charts({id: "plan-" + (i + 1), title: null, spec: passes(chart.bars, end)});
  });
}

/** The passes of micro-batches, a row for each stage and link. */
function passes(bars, end) {
  return {
    width: WIDE,
    height: {step: 22},
    data: {values: bars},
    mark: {type: "bar", height: {band: 0.8}, stroke: "#fff", strokeWidth: 0.5},
    encoding: {
      y: {field: "row", type: "nominal", sort: null, axis: SCHEDULER_LABELS},
      x: {field: "from", type: "quantitative", scale: {domain: [0, end], nice: false}, axis: {title: "seconds", tickCount: 8, gridOpacity: 0.5}},
      x2: {field: "to"},
      color: {field: "work", type: "nominal", scale: {domain: Object.keys(WORK), range: Object.values(WORK)}, legend: {title: null, orient: "bottom"}},
      tooltip: [{field: "work"}, {field: "micro_batch", title: "micro-batch"}, {field: "seconds", format: ".4~g"}]
    },
    transform: [{calculate: "datum.to - datum.from", as: "seconds"}]
  };
}
