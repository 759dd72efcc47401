// The numbers of a report. A column is { o, d }: o + a base64 text of 32-bit floats, so that small changes of large
// values (the energy) keep their digits; without d it is constant.

export function readData() {
  const data = JSON.parse(document.getElementById('data').textContent);
  data.scene = data.scene ? JSON.parse(data.scene) : null;
  for (const run of data.runs) {
    run.time = decode(run.time, run.rows);
    run.columns = run.columns.map((column) => column && decode(column, run.rows));
  }
  if (data.poses) data.poses = data.poses.map((body) => body.map((c) => decode(c, data.runs[0].rows)));
  for (const reaction of data.reactions ?? []) reaction.force = reaction.force.map((c) => decode(c, data.runs[0].rows));
  data.indexOf = new Map(data.variables.map((variable, index) => [variable.name, index]));
  return data;
}

function decode({ o, d }, rows) {
  const values = new Float64Array(rows).fill(o);
  if (!d) return values;
  const bytes = Uint8Array.from(atob(d), (c) => c.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < rows; ++i) values[i] += view.getFloat32(4 * i, true);
  return values;
}

// The last row at or before `time`, and how far it is to the next one (0 ... 1).
export function findPlace(times, time) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  const step = low + 1 < times.length ? times[low + 1] - times[low] : 0;
  return { row: low, part: step > 0 ? Math.min(1, Math.max(0, (time - times[low]) / step)) : 0 };
}

export function interpolate(values, { row, part }) {
  return part > 0 ? values[row] + part * (values[row + 1] - values[row]) : values[row];
}

// Significant digits, with a true minus and no trailing noise.
export function numberText(value, digits = 5) {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  const isPlain = size === 0 || (size >= 1e-4 && size < 1e6);
  const text = !isPlain
    ? value.toExponential(digits - 1)
    : size >= 10 ** digits
      ? String(Math.round(value))
      : value.toPrecision(digits);
  const [mantissa, exponent] = text.split('e');
  const short = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
  return (short + (exponent ? `e${exponent.replace('+', '')}` : '')).replace(/-/g, '−');
}

// "N.m" -> "N·m", "rad/s2" -> "rad/s²"
export function unitText(unit) {
  return unit
    .replace(/\./g, '·')
    .replace(/(?<=[a-zA-Z])-?\d+/g, (n) => [...n].map((c) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(c)]).join(''));
}
