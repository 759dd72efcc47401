// Which variables are plotted: boxes to tick, by unit, with a search field; one panel per unit.
import { unitText } from './data.js';
import { byId, element } from './dom.js';
import { lineStyle } from './plots.js';

const quantities = {
  m: 'Length',
  rad: 'Angle',
  deg: 'Angle',
  s: 'Time',
  kg: 'Mass',
  N: 'Force',
  'N.m': 'Torque',
  J: 'Energy',
  W: 'Power',
  'm/s': 'Velocity',
  'm/s2': 'Acceleration',
  'rad/s': 'Angular velocity',
  'rad/s2': 'Angular acceleration',
  '': 'Without unit',
};
export const groupTitle = (unit) => {
  const name = quantities[unit];
  return unit === '' ? name : name ? `${name} (${unitText(unit)})` : unitText(unit);
};

const shownAtFirst = 8;

export function makeChooser(data, plots) {
  const host = byId('plots');
  const groups = new Map(); // unit -> { indices, panel }
  data.variables.forEach((variable, index) => {
    if (!data.runs.some((run) => run.columns[index])) return;
    if (!groups.has(variable.unit)) groups.set(variable.unit, { indices: [], panel: null, slot: element('div') });
    groups.get(variable.unit).indices.push(index);
  });
  const all = [...groups.values()].flatMap((group) => group.indices);
  const proposed = all.filter((index) => data.variables[index].shown);
  const chosen = new Set((proposed.length > 0 ? proposed : all).slice(0, shownAtFirst));
  if (all.length === 0) {
    byId('plots-section').remove();
    return;
  }

  const boxes = new Map();
  for (const [unit, group] of groups) {
    host.append(group.slot);
    const items = group.indices.map((index) => {
      const { name, description } = data.variables[index];
      const box = element('input', {
        type: 'checkbox',
        checked: chosen.has(index),
        onchange: () => choose(index, box.checked, unit),
      });
      boxes.set(index, box);
      return element(
        'label',
        { title: description || null, 'data-search': `${name} ${description} ${unit}`.toLowerCase() },
        box,
        name,
      );
    });
    byId('choices').append(element('fieldset', {}, element('legend', {}, groupTitle(unit)), items));
    showGroup(unit);
  }
  byId('search').addEventListener('input', (event) => filter(event.target.value));
  byId('clear').addEventListener('click', () => {
    for (const box of boxes.values()) box.checked = false;
    chosen.clear();
    for (const unit of groups.keys()) showGroup(unit);
    showCount();
  });
  showCount();

  function choose(index, on, unit) {
    if (on) chosen.add(index);
    else chosen.delete(index);
    showGroup(unit);
    showCount();
  }

  function showGroup(unit) {
    const group = groups.get(unit);
    if (group.panel) plots.remove(group.panel);
    const lines = group.indices.filter((index) => chosen.has(index)).flatMap((index, k) => makeLines(data, index, k));
    group.panel = lines.length > 0 ? plots.add(group.slot, { title: groupTitle(unit), lines }) : null;
  }

  function filter(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    for (const set of byId('choices').children) {
      let any = false;
      for (const label of set.querySelectorAll('label')) {
        label.hidden = !words.every((word) => label.dataset.search.includes(word));
        any ||= !label.hidden;
      }
      set.hidden = !any;
    }
  }

  function showCount() {
    byId('chosen-count').textContent = `${chosen.size} of ${all.length} variables`;
  }
}

// A variable in every run that has it.
export function makeLines(data, index, position) {
  const { name, unit } = data.variables[index];
  return data.runs.flatMap((run, runIndex) =>
    run.columns[index]
      ? [
          {
            name: data.runs.length > 1 ? `${name} · ${run.name}` : name,
            unit: unitText(unit),
            values: run.columns[index],
            times: run.time,
            ...lineStyle(position, runIndex),
          },
        ]
      : [],
  );
}
