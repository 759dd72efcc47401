// The page of a report, from the data that it carries. Sections without data remove themselves.
import { makeChooser } from './chooser.js';
import { Clock } from './clock.js';
import { numberText, readData, unitText } from './data.js';
import { byId, element } from './dom.js';
import { makeHealth, makeTable } from './health.js';
import { Plots } from './plots.js';
import { makeStage } from './stage.js';
import { startTheme } from './theme.js';

const data = readData();
const ends = data.runs.flatMap((run) => [run.time[0], run.time[run.rows - 1]]);
const clock = new Clock(Math.min(...ends), Math.max(...ends));
const plots = new Plots(clock);

for (const note of data.notes) byId('notes').append(element('li', {}, note));
byId('facts').append(
  ...data.facts.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
);
makeChooser(data, plots);
makeHealth(data, plots);
const stage = makeStage(data, clock);
makeTransport();
makeTables();
startTheme(() => {
  plots.redraw();
  (stage.drawNow ?? stage.redraw)();
});
for (const [id, action] of [
  ['zoom-in', () => plots.zoom(0.5)],
  ['zoom-out', () => plots.zoom(2)],
  ['zoom-all', () => plots.reset()],
])
  byId(id).addEventListener('click', action);

// Play, slider, speed. Space plays and stops, arrows move by a row.
function makeTransport() {
  const [slider, play, shown, speed] = ['time', 'play', 'time-text', 'speed'].map(byId);
  const run = data.runs[0];
  if (!(clock.stop > clock.start)) return byId('transport').remove();
  Object.assign(slider, { min: clock.start, max: clock.stop, step: 'any' });
  const digits = Math.min(6, Math.max(2, Math.ceil(-Math.log10((clock.stop - clock.start) / 500))));
  clock.onChange(() => {
    slider.value = clock.time;
    shown.textContent = `${clock.time.toFixed(digits)}\u2009s`;
    if (byId('print-time')) byId('print-time').textContent = `at ${shown.textContent}`;
    play.setAttribute('aria-pressed', clock.playing);
    play.setAttribute('aria-label', clock.playing ? 'pause' : 'play');
  });
  slider.addEventListener('input', () => (clock.play(false), clock.set(Number(slider.value))));
  play.addEventListener('click', () => clock.play(!clock.playing));
  speed.addEventListener('change', () => (clock.speed = Number(speed.value)));
  addEventListener('keydown', (event) => {
    if (event.target.closest('input, select, button, summary, textarea')) return;
    const step = ((clock.stop - clock.start) / Math.max(1, run.rows - 1)) * (event.shiftKey ? 10 : 1);
    const actions = {
      ' ': () => clock.play(!clock.playing),
      ArrowLeft: () => clock.set(clock.time - step),
      ArrowRight: () => clock.set(clock.time + step),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  });
  clock.tell();
}

function isNumber(text) {
  return text !== '' && Number.isFinite(Number(text));
}

function makeTables() {
  const put = (id, table) => (table ? byId(id).append(table) : byId(`${id}-section`).remove());
  const parameters = data.parameters.map((p) => [
    p.name,
    isNumber(p.value) ? numberText(Number(p.value), 8) : p.value,
    unitText(p.unit),
    p.description,
  ]);
  put('parameters', parameters.length > 0 && makeTable(['name', 'value', 'unit', 'description'], parameters, [1]));
  put('versions', data.versions.length > 0 && makeTable(['what', 'is'], data.versions));
}
