/* The answer of advise: its sentences, its table, the log over time, waits by size. */

function advice(answer) {
  for (const sentence of answer.sentences) {
    const at = sentence.indexOf(":");
    const subject = sentence.slice(0, at);
    show(element("p", subject === "Trust" ? "trust " + answer.trust : null, element("b", null, subject), sentence.slice(at)));
  }
  const [titles, ...rows] = answer.table;
  table(titles, rows.map(cells => [...cells.slice(0, -1), wrapped(cells[cells.length - 1])]));
  note(answer.footnotes.join(" "));
  if (data.timelines.runs.length) timelines(data.timelines);
  if (answer.wait_by_size.length) waitBySize(answer.wait_by_size);
}

function waitBySize(sizes) {
  heading("Wait by GPUs");
  table(
      ["GPUs", "jobs", ...sizes[0].schedulers.map(one => one.name)],
      sizes.map(size => [size.gpus, size.jobs, ...size.schedulers.map(one => human(one.mean) + " (" + human(one.p95) + ")")]));
  note("Mean wait, and in parentheses its 95th percentile.");
}
