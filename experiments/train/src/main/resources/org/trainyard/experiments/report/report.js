/* The sections of the report, from the JSON in this page; `summary` is summary.json as it lies beside the page. */

const data = JSON.parse(document.getElementById("data").textContent);
document.title = data.title;
show(element("h1", null, data.title));
if (data.advice) advice(data.advice);
if (data.log) audit(data.log);
if (data.sweep) sweep(data.sweep);
if (data.plans) plans(data.plans);
if (data.summary) {
  show(element("p", "result", result(data.summary)));
  if (data.training_curves && data.training_curves.length) learning(data.training_curves[0]);
  if (data.seed_curves && data.seed_curves.length) learningBySeed(data.seed_curves[0]);
  evaluation(data.summary, data.evaluation);
}
if (data.seed_curves && data.seed_curves.length > 1) seedCurves(data.seed_curves.slice(1));
if (data.training_curves && data.training_curves.length > 1) trainingCurves(data.training_curves.slice(1));
if (data.interference) interference(data.interference);
if (data.configuration !== undefined) {
  heading("Configuration");
  show(element("pre", null, data.configuration));
}
if (data.notes && data.notes.length) {
  heading("What to bear in mind");
  show(element("ul", "remarks", ...data.notes.map(text => element("li", null, text))));
}

/** The schedulers of a summary, least mean JCT first. */
function ranking(summary) {
  return [...summary.schedulers].sort((a, b) => a.jct_s.mean - b.jct_s.mean);
}

/** The name of the reference scheduler, or null. */
function reference(summary) {
  return summary.comparison && summary.comparison.reference;
}

/** A row that begins with the scheduler's name. */
function row(summary, score, ...cells) {
  return {className: score.name === reference(summary) ? "reference" : null, cells: [score.name, ...cells]};
}

/** Mean difference with its interval, and the verdict. */
function difference(compared) {
  const interval = compared.interval
      ? "[" + compared.interval.map(end => signed(end, 1)).join(", ") + "]"
      : "[undefined]";
  return [
    signed(compared.jct_difference_percent, 1) + " % " + interval,
    cell(compared.verdict, compared.verdict.replaceAll(" ", "-"))
  ];
}

/** The two cells that compare a scheduler with the reference. */
function againstReference(summary, score) {
  const compared = summary.comparison && summary.comparison.schedulers.find(one => one.name === score.name);
  return compared ? difference(compared) : ["", score.name === reference(summary) ? "reference" : ""];
}

/** The result in words by the metric that ranks one trace. */
function ofRanking(ranking) {
  const words = ranking.metric.replaceAll("-", " ").replace("jct", "JCT");
  const shown = one => ranking.metric.endsWith("slowdown") ? one.value.toFixed(2) : human(one.value);
  const [first, second] = ranking.schedulers;
  return first.name + " has the least " + words + ", " + shown(first)
      + (second ? "; " + second.name + " follows with " + shown(second) + (second.too_close_to_call ? " (too close to call)" : "") : "") + ".";
}

/** The result in words: the trained policy against its nearest rival and others, or the least mean JCT and what follows. */
function result(summary) {
  const ranked = ranking(summary).filter(score => data.evaluation.schedulers.find(one => one.name === score.name).role !== "FLOOR");
  const time = name => human(summary.schedulers.find(score => score.name === name).jct_s.mean);
  if (summary.duels.length) {
    const policy = summary.duels[0].name;
    const duels = summary.duels.filter(duel => duel.name === policy);
    const best = duels.find(duel => duel.against === reference(summary)) || duels[0];
    const counted = word => duels.filter(duel => duel.verdict === word).length;
    const others = [["better", "better than"], ["worse", "worse than"]]
        .map(([word, shown]) => [counted(word), shown]).filter(([number]) => number).map(([number, shown]) => shown + " " + number);
    return policy + " has a mean JCT of " + time(policy) + ", " + inWords(best) + " " + best.against + " (" + time(best.against) + ")"
        + (others.length ? "; of " + duels.length + " schedulers it is " + others.join(" and ") : "") + ".";
  }
  if (summary.ranking && summary.ranking.metric !== "mean-jct") return ofRanking(summary.ranking);
  const [first, second] = ranked.length ? ranked : summary.schedulers;
  if (!second) return first.name + " has a mean JCT of " + human(first.jct_s.mean) + ".";
  const compared = summary.comparison && [first, second]
      .map(score => summary.comparison.schedulers.find(one => one.name === score.name)).find(one => one && one.interval);
  return first.name + " has the least mean JCT, " + human(first.jct_s.mean) + "; " + second.name + " follows with " + human(second.jct_s.mean)
      + (compared && [first.name, second.name].includes(reference(summary)) ? " (" + compared.verdict + ")" : "") + ".";
}

/** A difference and how sure it is, before the name of the rival. */
function inWords(compared) {
  const percent = compared.jct_difference_percent;
  const size = Math.abs(percent).toFixed(1) + " % " + (percent < 0 ? "less" : "more") + " than that of";
  return compared.interval
      ? size.replace(" than", " (" + compared.interval.map(end => signed(end, 1)).join(" .. ") + " %: " + compared.verdict + ") than")
      : size;
}

/** The first learning curve, which chose the policy that is kept: the shorter the better. */
function learning(curve) {
  heading("Learning");
  const [word, points] = inHours(curve);
  charts({id: "curve-0", spec: learningCurve(word, points)});
}

function learningBySeed(figure) {
  heading("Learning, seed by seed");
  charts({id: "seeds-0", title: figure.name, spec: updates(seedPoints(figure), true)});
}

/** The points of a curve whose name says seconds, in hours. */
function inHours(curve) {
  const points = curvePoints(curve).filter(point => point.value !== null);
  return curve.name.endsWith(", seconds")
      ? [curve.name.replace(", seconds", ", hours"), points.map(point => ({...point, value: point.value / 3600, label: human(point.value)}))]
      : [curve.name, points.map(point => ({...point, label: String(point.value)}))];
}

function evaluation(summary, extra) {
  completionTimes(summary, extra);
  utilities(summary);
  freezing(summary);
  heading("Job completion times");
  note("Share of jobs completed within a time; further left and up is better. The time axis is logarithmic."
      + (summary.schedulers.length > COLOURS.length ? " Point at a grey line for its name." : ""));
  const details = new Map(extra.schedulers.map(one => [one.name, one]));
  const ranked = ranking(summary);
  charts({id: "jct-cdf", spec: jctCdf(
      ranked.flatMap(score => cdf(score.name, details.get(score.name).jct_cdf)), highlighted(summary, ranked))});
  if (summary.comparison && summary.comparison.schedulers.length) {
    heading("Against " + reference(summary) + ", episode by episode");
    note("Each dot is an episode, the diamond the mean, the bar its 95 % interval. Left of the dashed line is better; a row with an"
        + " arrow lies outside. Schedulers such as random, which only mark the floor, are in the table alone.");
    charts({id: "differences", spec: differences(differenceRows(summary, ranked, details))});
  }
  if (summary.duels.length) duels(summary);
  if (summary.pool) seeds(summary);
  if (data.timelines && data.timelines.runs.length) timelines(data.timelines);
  operations(summary, ranked);
  waiting(summary, ranked);
}

function completionTimes(summary, extra) {
  show(element("p", "lead", extra.episodes + (extra.episodes === 1 ? " episode, " : " episodes, ") + extra.jobs
      + " jobs in all, the same for every scheduler."));
  table(
      ["scheduler", "mean JCT", "against the reference", "", "median", "p95", "p99"],
      ranking(summary).map(score => row(summary, score, duration(score.jct_s.mean), ...againstReference(summary, score),
          duration(score.jct_s.median), duration(score.jct_s.p95), duration(score.jct_s.p99))));
  const rejections = summary.schedulers.filter(score => score.rejected).map(score => score.name + " rejected " + score.rejected
      + (score.rejected === 1 ? " job" : " jobs") + "; its times are those of the others, and do not compare.");
  if (rejections.length) show(element("ul", "remarks", ...rejections.map(text => element("li", null, text))));
  const compared = reference(summary)
      ? "Reference: " + reference(summary) + ", the heuristic with the least mean JCT on these episodes"
          + (rejections.length ? " (schedulers that complete all jobs go first)" : "") + "; being chosen on them"
          + " favours it. Brackets: 95 % interval (" + summary.comparison.method + "); a verdict needs at least "
          + extra.verdict_episodes + " episodes" + (extra.episodes === 1 ? ", and a single episode has no interval." : ".")
          + verdicts(summary)
      : "No heuristic took part, so nothing is compared.";
  note("JCT: completion minus submission, over all jobs of all episodes; percentiles by linear interpolation between closest"
      + " ranks. Point at a time to see it in seconds. " + compared + kinds(summary));
  if (summary.training_gain.length) show(element("p", "lead", ...summary.training_gain.map(gain => element("span", null, gain.sentence + " "))));
  if (summary.coincidences.length) show(element("ul", "remarks", ...summary.coincidences.map(one => element("li", null, coincidence(one)))));
}

/** What rows are, by kind, as under the tables of a terminal; textbook orders and trained policies are left out. */
function kinds(summary) {
  const words = [...new Set(summary.schedulers.map(score => score.kind))].filter(kind => kind && kind !== "textbook").sort();
  const names = kind => ranking(summary).filter(score => score.kind === kind).map(score => score.name).join(", ");
  return words.length ? " Rows by kind: " + words.map(kind => kind + ": " + names(kind)).join("; ") + "." : "";
}

/** The utilities, the largest total first; nothing when no job has one. */
function utilities(summary) {
  const scores = summary.schedulers.filter(score => score.utility).sort((a, b) => b.utility.total_mean - a.utility.total_mean);
  if (!scores.length) return;
  heading("Utility");
  const percent = share => share === null ? "" : (100 * share).toFixed(1) + " %";
  const interval = ({total_mean: mean, total_interval: width}) =>
      width === null ? "undefined" : (mean - width).toFixed(2) + " .. " + (mean + width).toFixed(2);
  table(["scheduler", "total utility", "95 % interval", "regret", "admitted", "gaining"],
      scores.map(score => row(summary, score, score.utility.total_mean.toFixed(2), interval(score.utility),
          percent(score.utility.regret), percent(score.utility.admitted), percent(score.utility.gaining))));
  note("Total utility: mean over episodes of the sum over jobs; that of a rejected job is 0. Regret: what the total lacks of an upper"
      + " bound for any schedule that sees all jobs beforehand. A gaining job has a utility above 0.");
}

/** The accuracy penalties beside the JCTs; nothing when no job allows frozen layers. */
function freezing(summary) {
  const scores = ranking(summary).filter(score => score.freezing);
  if (!scores.length) return;
  heading("Frozen layers");
  const percent = share => (100 * share).toFixed(3) + " %";
  table(["scheduler", "mean JCT", "accuracy penalty", "most", "with frozen layers", "of jobs"],
      scores.map(score => row(summary, score, duration(score.jct_s.mean), percent(score.freezing.accuracy_penalty_mean),
          percent(score.freezing.accuracy_penalty_most), (100 * score.freezing.frozen).toFixed(1) + " %", score.freezing.jobs)));
  note("Accuracy penalty: the mean over a job's time of the gradient energy in its frozen layers; mean over the jobs that allow"
      + " frozen layers, and the greatest of them. A shorter JCT at a greater penalty is no better schedule.");
}

/** What the verdicts against the reference rest on. */
function verdicts(summary) {
  const compared = summary.comparison;
  if (compared.windows_overlap) {
    return " Windows overlap: no verdict. Test episodes share jobs, so intervals are too narrow.";
  }
  const isDuel = one => summary.duels.some(duel => duel.name === one.name && duel.against === compared.reference);
  const rivals = summary.duels.filter(duel => duel.name === summary.duels[0].name).length;
  const others = compared.schedulers.filter(one => !isDuel(one)).length;
  const families = [
    ...(rivals > 1 ? ["a policy's for its " + rivals + " comparisons"] : []),
    ...(others > 1 ? [rivals ? "others against " + compared.reference + " for " + others
        : "those against " + compared.reference + " for " + others + " comparisons"] : [])
  ];
  return families.length
      ? " Verdicts corrected by Holm at 5 %: " + families.join(", ") + "; intervals are 95 % each, not corrected."
      : "";
}

/** A sentence on schedulers that did the same. */
function coincidence(one) {
  const names = one.schedulers.slice(0, -1).join(", ") + " and " + one.schedulers[one.schedulers.length - 1];
  return names + (one.same === "decisions"
      ? " made the same decisions in all episodes."
      : " decided otherwise but completed every job at the same time in all episodes.");
}

/** A p-value, or nothing without a verdict. */
function probability(p) {
  return p === null ? "" : p < 0.0001 ? "< 0.0001" : p.toFixed(4);
}

/** The points of one distribution; schedulers that have none (the seeds of a pool) add no line. */
function cdf(scheduler, points) {
  return points ? points.map(([seconds, share]) => ({scheduler, seconds, share, label: human(seconds)})) : [];
}

/** Up to six schedulers to look at: trained policies, the reference, what clusters run, the untrained policy, then the best. */
function highlighted(summary, ranked) {
  const names = ranked.map(score => score.name).filter(name => data.evaluation.schedulers.find(one => one.name === name).jct_cdf);
  const wanted = [...new Set(summary.duels.map(duel => duel.name)), reference(summary), "slurm", "fifo", "untrained", ...names];
  return [...new Set(wanted.filter(name => names.includes(name)))].slice(0, COLOURS.length);
}

/** Rows of the chart of differences; floors are left out unless nothing else is compared, for they would squeeze the rest. */
function differenceRows(summary, ranked, details) {
  const isFloor = one => details.get(one.name).role === "FLOOR";
  const onlyFloors = summary.comparison.schedulers.every(isFloor);
  return ranked
      .map(score => summary.comparison.schedulers.find(one => one.name === score.name))
      .filter(compared => compared && (onlyFloors || !isFloor(compared)))
      .flatMap(compared => {
        const common = {scheduler: compared.name, verdict: compared.verdict};
        const rows = [{...common, kind: "mean", percent: compared.jct_difference_percent}];
        if (compared.interval) {
          rows.push({...common, kind: "interval", low: compared.interval[0], high: compared.interval[1]});
        }
        details.get(compared.name).differences_percent.forEach(
            (percent, episode) => rows.push({...common, kind: "episode", episode, percent}));
        return rows;
      });
}

/** The trained policy against every other scheduler. */
function duels(summary) {
  heading("The trained policy against each scheduler");
  const several = summary.duels.some(duel => duel.name !== summary.duels[0].name);
  table(["against", ...(several ? ["policy"] : []), "mean JCT, paired", "", "p", "p by Holm"],
      summary.duels.map(duel => [duel.against, ...(several ? [duel.name] : []), ...difference(duel), probability(duel.p), probability(duel.p_corrected)]));
  const rivals = summary.duels.filter(duel => duel.name === summary.duels[0].name).length;
  if (rivals > 1) note("Verdicts of a policy corrected for its " + rivals + " comparisons by Holm at 5 %; intervals are 95 % each, not corrected.");
  if (summary.pool) note("The seeds of the policy are compared as one: " + summary.pool.method + ".");
}

/** The pool and its seeds, in their own order. */
function seeds(summary) {
  heading("Seed by seed");
  table(
      ["policy", "mean JCT", "against the reference", "", "median", "p99", "queueing", "preemptions"],
      summary.schedulers
          .filter(score => score.name === summary.pool.name || summary.pool.seeds.includes(score.name))
          .map(score => row(summary, score, duration(score.jct_s.mean), ...againstReference(summary, score),
              duration(score.jct_s.median), duration(score.jct_s.p99), duration(score.wait_s.mean), score.preemptions)));
  note("The first row is the mean over seeds, which is no policy that can run, with an interval over seeds and episodes; the interval of a single seed is over"
      + " episodes.");
}

function operations(summary, ranked) {
  heading("Queueing and interference");
  table(
      ["scheduler", "makespan", "queueing", "by neighbours", "GPUs held", "preemptions", "decisions"],
      ranked.map(score => row(summary, score, duration(score.makespan_s), duration(score.wait_s.mean),
          score.slowdown_mean.toFixed(3), (100 * score.gpu_utilisation).toFixed(1) + " %", score.preemptions, score.decisions)));
  note("Makespan: mean over episodes. Queueing: mean time without GPUs before completion. By neighbours: mean factor by which"
      + " co-located jobs slow a running job. GPUs held: share of all GPU time.");
  const delays = ranked.map(score => score.wait_s.mean);
  const [word, unit] = timeUnit(endOf(delays));
  const bar = (score, value, digits) => ({scheduler: score.name, value, label: value.toFixed(digits)});
  charts(
      {id: "queueing", spec: bars("mean queueing delay, " + word, ranked.map(score => bar(score, score.wait_s.mean / unit, 1)))},
      {id: "slowdown", spec: bars("mean slowdown by interference (1: none)", ranked.map(score => bar(score, score.slowdown_mean, 3)))});
}

/** The largest unit of which there are at least two, with its seconds. */
function timeUnit(seconds) {
  const units = [["days", 86400], ["hours", 3600], ["minutes", 60], ["seconds", 1]];
  return units.find(([, unit]) => seconds >= 2 * unit) || units[3];
}

function seedCurves(figures) {
  heading("Training, seed by seed");
  charts(...figures.map((figure, i) => ({
    id: "seeds-" + (i + 1),
    title: figure.name,
    spec: updates(seedPoints(figure), true)
  })));
}

function trainingCurves(curves) {
  heading("Training");
  charts(...curves.map((curve, i) => ({id: "curve-" + (i + 1), title: curve.name, spec: updates(curvePoints(curve), false)})));
}

function seedPoints(figure) {
  return figure.seeds.flatMap(seed => curvePoints(seed).map(point => ({...point, seed: seed.name})));
}

function curvePoints(curve) {
  return curve.points.map(([update, value]) => ({update, value}));
}

function interference(card) {
  show(element("p", null, "Predicts the slowdown of a job by each neighbour; the factors of several neighbours multiply. Seed "
      + card.seed + ". Never below 1, exactly 1 without neighbours, and no neighbour speeds a job up."));
  heading("Data");
  table(["file", "citation", "licence", "rows", "notes"],
      card.sources.map(source => [source.file + " sha256 " + source.sha256.slice(0, 12), wrapped(source.citation),
        wrapped(source.licence), source.rows, wrapped(source.notes.join("; "))]));
  heading("Errors");
  note("Of the ratio, on rows that were not trained on; rank is Spearman's, slope that of measured over predicted, the last column"
      + " the share of rows inside the 90 % interval.");
  const [titles, ...rows] = card.errors;
  table(titles, rows);
  if (card.noise.length) {
    heading("Measurement noise");
    show(element("ul", null, ...card.noise.map(text => element("li", null, text))));
  }
  heading("By the victim's architecture, random split");
  table(["architecture", "rows", "RMSE", "MAPE %"],
      card.architectures.map(one => [one.name, one.rows, one.rmse.toFixed(4), (100 * one.mape).toFixed(1)]));
  heading("Measured over predicted ratio");
  charts(...card.scatter.map((split, i) => ({id: "scatter-" + i, title: split.title, spec: scatter(split.points)})));
}

/** A cell of prose. */
function wrapped(text) {
  return cell(text, "prose");
}
