/* Waits, slowdowns and fairness of a summary, and who waits. */

/** Schedulers whose groups have columns: more do not fit. */
const GROUP_COLUMNS = 4;

function waiting(summary, ranked) {
  heading("Waiting and slowdown");
  table(
      ["scheduler", "mean wait", "median", "p95", "p99", "mean slowdown", "median", "p95", "p99"],
      ranked.map(score => row(summary, score, duration(score.wait_s.mean), duration(score.wait_s.median), duration(score.wait_s.p95),
          duration(score.wait_s.p99), ...ratios(score.jct_slowdown))));
  note("Wait: time of a job without GPUs before its completion. Slowdown: its JCT over the time its work takes alone on the best placement"
      + " of the empty cluster.");
  if (summary.ranking) timeIntervals(summary.ranking);
  heading("Where the time of a job goes");
  charts({id: "jct-parts", spec: stacked("mean JCT, hours", ranked.flatMap(partRows))});
  table(
      ["scheduler", "mean JCT", "undisturbed", "queueing", "restarts", "neighbours and links", "placement"],
      ranked.map(score => row(summary, score, duration(score.jct_s.mean), duration(score.jct_parts_s.undisturbed), duration(score.jct_parts_s.queueing),
          duration(score.jct_parts_s.restart), duration(score.jct_parts_s.interference), duration(score.jct_parts_s.placement))));
  note("The parts add up to the mean JCT. Restarts: restart costs and work lost to outages. Placement: more than on the best placement,"
      + " by links between servers and by slower GPUs; negative where jobs ran on more GPUs than they asked for.");
  fairness(summary, ranked);
  for (const [key, title] of [["gpus", "GPUs"], ["user", "user"], ["group", "group"], ["virtual_cluster", "virtual cluster"], ["account", "account"],
      ["qos", "QOS"]]) {
    if (ranked[0].by[key]) groups(ranked.slice(0, GROUP_COLUMNS), key, title);
  }
}

function ratios(distribution) {
  return [distribution.mean, distribution.median, distribution.p95, distribution.p99].map(value => value.toFixed(2));
}

/** The ranking of one trace, with what is too close to call. */
function timeIntervals(ranking) {
  const isTime = !ranking.metric.endsWith("slowdown");
  const shown = value => isTime ? human(value) : value.toFixed(2);
  const interval = bounds => bounds ? bounds.map(shown).join(" .. ") : "";
  heading("Ranked by " + ranking.metric.replaceAll("-", " ").replace("jct", "JCT"));
  table(
      ["scheduler", "value", "95 % interval", "more than the best", ""],
      ranking.schedulers.map((one, i) => [one.name, shown(one.value), interval(one.interval), interval(one.from_best),
        i === 0 ? "best" : one.too_close_to_call ? "too close to call" : ""]));
  note("Intervals: " + ranking.method + ".");
}

/** Rows of the stacked bars of one scheduler; a negative part has none. */
function partRows(score) {
  return [["undisturbed", "undisturbed"], ["queueing", "queueing"], ["restart", "restarts"], ["interference", "neighbours and links"], ["placement", "placement"]]
      .map(([key, part], order) => ({scheduler: score.name, part, order, hours: Math.max(0, score.jct_parts_s[key]) / 3600}));
}

function fairness(summary, ranked) {
  const index = value => value === null ? "-" : value.toFixed(3);
  heading("Fairness");
  table(
      ["scheduler", "Jain, users", "Jain, virtual clusters", "mean rho", "median", "p95", "p99", "rho above 1"],
      ranked.map(score => row(summary, score, index(score.fairness.jain_users), index(score.fairness.jain_virtual_clusters),
          ...ratios(score.fairness.finish_time), (100 * score.fairness.unfair_share).toFixed(1) + " %")));
  note("Jain's index of the mean slowdowns of users or virtual clusters: 1 when all are equal. Finish-time fairness rho (Themis): the JCT of"
      + " a job over the time it would take on a 1/n share of the cluster, n the mean number of jobs that waited or ran with it.");
}

/** Mean and p95 of the wait by group, under the first schedulers of the ranking. */
function groups(schedulers, key, title) {
  heading("Wait by " + title);
  const byName = schedulers.map(score => new Map(score.by[key].map(group => [group.name, group])));
  table(
      [title, "jobs", ...schedulers.map(score => score.name)],
      schedulers[0].by[key].map(group => [group.name, group.jobs, ...byName.map(groups => {
        const wait = groups.get(group.name).wait_s;
        return human(wait.mean) + " (" + human(wait.p95) + ")";
      })]));
  note("Mean wait, and in parentheses its 95th percentile.");
}
