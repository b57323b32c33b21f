"""Runs policy.onnx on the recorded decision in observation.json; needs onnxruntime and numpy."""

import json
from pathlib import Path

import numpy as np
import onnxruntime as ort

folder = Path(__file__).resolve().parent
recorded = json.loads((folder / "observation.json").read_text())
inputs = {
    name: np.array(tensor["data"], dtype=tensor["dtype"]).reshape(tensor["shape"])
    for name, tensor in recorded["inputs"].items()
}
session = ort.InferenceSession(str(folder / "policy.onnx"), providers=["CPUExecutionProvider"])
names = [output.name for output in session.get_outputs()]
outputs = dict(zip(names, session.run(names, inputs)))

best = int(np.ravel(outputs["best"])[0])
probability = float(np.exp(np.ravel(outputs["log_probabilities"])[best]))
legal = int(np.count_nonzero(inputs["mask"]))
print(f"best choice {best}, one of {legal} legal ones, probability {probability:.4f}")
if best != recorded["expected"]["best"]:
    raise SystemExit(f"Java chose {recorded['expected']['best']}")
