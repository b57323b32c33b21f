/* The audit of a log: what its publisher and its readers have to know before they trust it. */

const WHOLE = new Intl.NumberFormat("en", {maximumFractionDigits: 0});

/** A whole number with separators. */
function many(value) {
  return WHOLE.format(value);
}

/** A number of hours; small ones with a decimal. */
function amount(value) {
  return value < 100 ? value.toFixed(value > 0 && value < 1 ? 2 : 1) : many(value);
}

function share(part) {
  return (100 * part).toFixed(part > 0 && part < 0.1 ? 1 : 0) + " %";
}

function audit(log) {
  const found = log.audit;
  show(element("p", "lead", many(log.jobs) + (log.jobs === 1 ? " job, " : " jobs, ") + amount(log.gpu_hours) + " GPU-hours, "
      + human(found.span) + " from the first submission to the last end."));
  if (log.oddities.length) show(element("ul", "remarks", ...log.oddities.map(text => element("li", null, text))));
  loadOverTime(found);
  runTimes(log, found);
  byWidth(log, found);
  identity(log, found);
  missing(log);
}

/** GPUs held and submissions over the time of the log. */
function loadOverTime(found) {
  const {part_seconds: part, gpus_held: held, submissions} = found.over_time;
  if (!held.length) return;
  const [word, unit] = timeUnit(found.span);
  const rows = values => values.map((value, i) => ({time: i * part / unit, end: (i + 1) * part / unit, value}));
  heading("Load over time");
  charts({id: "held", title: "GPUs held", spec: stepAreas(rows(held), word + " since the first submission")});
  charts({id: "submissions", title: "Jobs submitted", spec: stepAreas(rows(submissions), word + " since the first submission")});
  note("Each step is " + human(part) + ". At most " + many(found.most_gpus_held) + " GPUs were held at once, and for at most "
      + human(found.longest_gap) + " nothing was submitted. A log that begins or ends on a slope lacks the jobs that ran then. A job that was requeued is drawn as if it had"
      + " run without a break from its first start.");
}

/** Areas of steps over time. */
function stepAreas(values, title) {
  return {
    width: 640,
    height: 150,
    data: {values},
    mark: {type: "rect", color: "#5b8db8", tooltip: true},
    encoding: {
      x: {field: "time", type: "quantitative", axis: {title, tickCount: 8, gridOpacity: 0.5}, scale: {nice: false}},
      x2: {field: "end"},
      y: {field: "value", type: "quantitative", axis: {title: null, tickCount: 4, gridOpacity: 0.5}},
      y2: {datum: 0}
    }
  };
}

/** How long jobs ran, beside public traces. */
function runTimes(log, found) {
  const name = log.name;
  const rows = (scheduler, quantiles) => quantiles.map((seconds, i) => ({scheduler, seconds: Math.max(1e-3, seconds),
    share: i / (quantiles.length - 1), label: human(seconds)}));
  heading("Run times, beside public traces");
  const spec = jctCdf([...rows(name, found.run_time_quantiles), ...found.public_traces.flatMap(one => rows(one.name, one.run_time_quantiles))]);
  for (const layer of spec.layer) layer.mark.interpolate = "linear";
  spec.encoding.x.axis.title = spec.encoding.x.axis.title.replace("job completion time", "run time");
  spec.encoding.strokeWidth = {condition: {test: {field: "scheduler", equal: name}, value: 4}, value: 1.5};
  spec.encoding.tooltip = [{field: "scheduler", title: "trace"}, {field: "label", title: "run time"}, {field: "share", format: ".1%", title: "jobs that ran at most so long"}];
  spec.encoding.y.axis.title = "share of jobs";
  charts({id: "run-times", spec});
  const middle = quantiles => quantiles[(quantiles.length - 1) / 2];
  const at = (quantiles, part) => quantiles[Math.round((quantiles.length - 1) * part)];
  const line = (title, jobs, one, mean, quantiles, source) => [title, many(jobs), share(one), duration(middle(quantiles)), duration(mean),
    duration(at(quantiles, 0.9)), duration(quantiles[quantiles.length - 1]), cell(source, "prose")];
  table(
      ["trace", "jobs", "on one GPU", "median run time", "mean", "p90", "longest", "what it is"],
      [{className: "reference", cells: line(name, log.jobs, found.one_gpu_share, log.duration.mean, found.run_time_quantiles, "this log")},
        ...found.public_traces.map(one => line(one.name, one.jobs, one.one_gpu_share, one.mean, one.run_time_quantiles, one.source))]);
}

/** Jobs, GPU-hours and waits by width. */
function byWidth(log, found) {
  const hours = new Map();
  for (const [gpus, value] of Object.entries(log.gpu_hours_by_demand)) {
    const width = 2 ** Math.floor(Math.log2(Math.max(1, Number(gpus))));
    hours.set(width, (hours.get(width) || 0) + value);
  }
  const widths = Object.keys(found.widths).map(Number).sort((a, b) => a - b);
  const title = width => width === 1 ? "1" : width + "-" + (2 * width - 1);
  const total = [...hours.values()].reduce((a, b) => a + b, 0);
  heading("By number of GPUs");
  const bar = (width, value) => ({scheduler: title(width), value: 100 * value, label: share(value)});
  charts(
      {id: "jobs-by-width", title: "Jobs", spec: bars("% of the jobs", widths.map(width => bar(width, found.widths[width] / log.jobs)))},
      {id: "hours-by-width", title: "GPU-hours", spec: bars("% of the GPU-hours", widths.map(width => bar(width, total ? (hours.get(width) || 0) / total : 0)))});
  const wait = width => found.wait_by_width[width];
  const cells = width => wait(width) ? [duration(wait(width).median), duration(wait(width).p95), duration(wait(width).mean)] : ["-", "-", "-"];
  table(
      ["GPUs", "jobs", "GPU-hours", "median wait", "p95", "mean wait"],
      widths.map(width => [title(width), many(found.widths[width]), amount(hours.get(width) || 0), ...cells(width)]));
  note(Object.keys(found.wait_by_width).length
      ? "Wait: from when a job could start to its first start."
      : "The log does not say when jobs started, so waits are not known.");
}

/** Who the jobs are, and whether rows are rightly told apart. */
function identity(log, found) {
  heading("Identity");
  table(["", "", ""], [
    ["submitted at the instant of another", many(found.ties) + " jobs", cell("Many ties: the times are rounded, or arrays; their order is not known.", "prose")],
    ["ids that appear twice", many(found.repeated_ids), cell("Other than 0: rows were counted twice, or ids are used again after long.", "prose")],
    ["users", many(log.users), ""],
    ["groups of recurring jobs", many(log.groups), cell(share(found.recurring_share) + " of the jobs are of a group that their user ran before or again.", "prose")],
    ["virtual clusters or partitions", many(Object.keys(log.virtual_clusters).length), ""]]);
  const states = Object.entries(found.states).sort((a, b) => b[1] - a[1]);
  if (states.length) {
    heading("How jobs ended");
    table(["state", "jobs", "share"], states.map(([state, jobs]) => [state, many(jobs), share(jobs / log.jobs)]));
  }
  if (found.limits_used) {
    note(many(found.limits_used.jobs) + " jobs had a time limit; half of them used less than " + share(found.limits_used.median) + " of it.");
  }
}

/** What was left out, and rows that cannot be. */
function missing(log) {
  heading("What was left out");
  if (log.left_out.length) {
    table(
        ["reason", "jobs", "GPU-hours", "of the load"],
        log.left_out.map(one => ["jobs " + one.reason, many(one.jobs), amount(one.gpu_hours), one.percent_of_load.toFixed(1) + " %"]));
    note("GPU-hours as far as the log says them. Jobs that never ran have none.");
  } else {
    note("Nothing.");
  }
  if (log.does_not_fit && log.does_not_fit.length) {
    heading("What does not fit");
    table(["reason", "jobs", "GPU-hours", "of the load"],
        log.does_not_fit.map(one => ["jobs " + one.reason, many(one.jobs), amount(one.gpu_hours), one.percent_of_load.toFixed(1) + " %"]));
  }
  if (log.bad_line_count) {
    heading("Impossible rows");
    note(many(log.bad_line_count) + (log.bad_line_count > log.bad_lines.length ? " lines, the first of them:" : " lines:"));
    show(element("pre", null, log.bad_lines.join("\n")));
  }
}
