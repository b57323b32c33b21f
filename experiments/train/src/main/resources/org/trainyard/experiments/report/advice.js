/* The answer of advise: its sentences, its table, waits by size, the log over time. */

function advice(answer) {
  for (const sentence of answer.sentences) {
    const at = sentence.search(/:( |$)/);
    const subject = sentence.slice(0, at);
    show(element("p", subject === "Trust" ? "trust " + answer.trust : null, element("b", null, subject), sentence.slice(at)));
  }
  const [titles, ...rows] = answer.table;
  table(titles, rows.map(cells => [...cells.slice(0, -1), cell(cells[cells.length - 1], "words")]));
  note(answer.footnotes.join(" "));
  if (answer.wait_by_size.length) waitBySize(answer.wait_by_size);
  if (data.timelines.runs.length) timelines(data.timelines);
}

function waitBySize(sizes) {
  heading("Wait by GPUs");
  table(
      ["GPUs", "jobs", ...sizes[0].schedulers.map(one => one.name)],
      sizes.map(size => [size.gpus, size.jobs, ...size.schedulers.map(one => human(one.mean) + " (" + human(one.p95) + ")")]));
  note("Mean wait, and in parentheses its 95th percentile.");
}
