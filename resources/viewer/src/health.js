// How far the numbers can be trusted: constraint residual, energy, statistics of the solver.
import { numberText } from './data.js';
import { byId, element } from './dom.js';
import { makeLines } from './chooser.js';
import { lineStyle } from './plots.js';

const residuals = ['constraint.residual', 'constraint.residual_velocity', 'constraint.residual_acceleration'];

export function makeHealth(data, plots) {
  const host = byId('health');
  const has = (name) => data.indexOf.has(name) && data.runs.some((run) => run.columns[data.indexOf.get(name)]);
  const lines = (names) => names.filter(has).flatMap((name, k) => makeLines(data, data.indexOf.get(name), k));

  const norms = lines(residuals).filter((line) => line.values.some((v) => v > 0));
  if (norms.length > 0) plots.add(host, { title: 'Constraint residual', lines: norms, log: true, height: 200 });
  const energies = lines(['energy.kinetic', 'energy.potential', 'energy.total']);
  if (energies.length > 0) plots.add(host, { title: 'Energy (J)', lines: energies });
  if (has('energy.total')) {
    const changes = lines(['energy.total']).map((line, k) => ({
      ...line,
      ...lineStyle(3, k),
      name: 'change of energy.total',
      values: line.values.map((v) => v - line.values[0]),
    }));
    plots.add(host, { title: 'Energy less its start value (J)', lines: changes, height: 150, least: 0 });
  }

  const run = data.runs[0];
  const duration = run.time[run.rows - 1] - run.time[0];
  const counts = data.variables.filter(
    ({ name }) => name.startsWith('solver.') && has(name) && /steps|evaluations|projections|rank_losses/.test(name),
  );
  const rows = counts.map(({ name, description }) => {
    const column = run.columns[data.indexOf.get(name)];
    const total = column ? column[run.rows - 1] : NaN;
    return [name, numberText(total, 9), duration > 0 ? numberText(total / duration, 4) : '–', description];
  });
  if (rows.length > 0)
    host.append(element('h3', {}, 'Solver'), makeTable(['counter', 'in all', 'per second', 'what'], rows, [1, 2]));
  if (host.children.length === 0) byId('health-section').remove();
}

export function makeTable(head, rows, numeric = []) {
  const cell = (tag) => (text, column) => element(tag, { class: numeric.includes(column) ? 'number' : null }, text);
  return element(
    'div',
    { class: 'table' },
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, head.map(cell('th')))),
      element(
        'tbody',
        {},
        rows.map((row) => element('tr', {}, row.map(cell('td')))),
      ),
    ),
  );
}
