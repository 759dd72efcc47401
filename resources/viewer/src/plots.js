// Plots over time that share their range and show the clock's time. Dragging moves the time; Shift and dragging, or
// Ctrl and the wheel, or the buttons zoom.
import uPlot from 'uplot';
import { findPlace, interpolate, numberText } from './data.js';
import { element, pageColors } from './dom.js';
import { isPrinting } from './theme.js';

// Lines are told apart by color and by dash, so that print without color can be read.
const lineColors = ['#2f74b5', '#d07a12', '#2f8f5d', '#c14645', '#7d5bb5', '#3c98a6', '#9a6830', '#b95e95'];
const dashes = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
export const lineStyle = (index, runIndex = 0) => ({
  color: lineColors[index % lineColors.length],
  dash: dashes[(Math.floor(index / lineColors.length) + runIndex) % dashes.length],
});

const paper = { width: 345, height: 150 }; // two plots side by side

export class Plots {
  constructor(clock) {
    this.clock = clock;
    this.panels = new Set();
    this.whole = [clock.start, clock.stop];
    this.range = this.whole;
    clock.onChange(() => this.panels.forEach((panel) => panel.showTime()));
  }

  setRange(from, to) {
    const [start, stop] = this.whole;
    const width = Math.min(stop - start, Math.max(to - from, 1e-9 * (stop - start)));
    const left = Math.min(Math.max(from, start), stop - width);
    this.range = [left, left + width];
    this.panels.forEach((panel) => panel.applyRange());
  }
  zoom(factor, about = this.clock.time) {
    const [from, to] = this.range;
    const middle = Math.min(to, Math.max(from, about));
    this.setRange(middle - (middle - from) * factor, middle + (to - middle) * factor);
  }
  reset() {
    this.setRange(...this.whole);
  }

  // lines: [{ name, unit, values, times, color, dash }]
  add(host, settings) {
    const panel = new Panel(this, host, settings);
    this.panels.add(panel);
    return panel;
  }
  remove(panel) {
    panel.destroy();
    this.panels.delete(panel);
  }
  redraw() {
    this.panels.forEach((panel) => panel.build());
  }
}

class Panel {
  constructor(plots, host, { title, lines, log = false, height = 190, least = 1e-9 }) {
    Object.assign(this, { plots, lines, log, height, least });
    this.legend = element('ul', { class: 'legend' });
    this.box = element('div', { class: 'plot' });
    this.root = element('figure', {}, element('figcaption', {}, title), this.box, this.legend);
    host.append(this.root);
    this.values = lines.map((line) => {
      const value = element('output');
      this.legend.append(element('li', {}, swatch(line), element('span', {}, line.name), value));
      return value;
    });
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.box);
    this.build();
  }

  size() {
    return isPrinting() ? paper : { width: Math.max(200, this.box.clientWidth), height: this.height };
  }

  build() {
    this.plot?.destroy();
    const { ink, faint, line, accent } = pageColors();
    const { clock } = this.plots;
    const axis = {
      stroke: faint,
      font: '11px system-ui, sans-serif',
      grid: { stroke: line, width: 1 },
      ticks: { stroke: line, width: 1, size: 4 },
    };
    const lines = this.lines.map((l) => ({
      label: l.name,
      stroke: l.color,
      dash: l.dash,
      width: 1.5,
      points: { show: false },
      spanGaps: false,
    }));
    this.plot = new uPlot(
      {
        ...this.size(),
        pxAlign: 0, // smooth curves, not stairs
        legend: { show: false },
        padding: [8, 12, 0, 0],
        scales: {
          x: { time: false, range: () => this.plots.range },
          y: this.log ? { distr: 3 } : { range: (_, low, high) => roomyRange(low, high, this.least) },
        },
        axes: [
          { ...axis, size: 28, gap: 4, space: 60, values: (_, ticks) => ticks.map((t) => numberText(t)) },
          this.log
            ? {
                ...axis,
                size: axisWidth,
                splits: (_u, _i, low, high) => decades(low, high),
                filter: (_u, ticks) => ticks,
                values: (_, ticks) => ticks.map(powerText),
              }
            : { ...axis, size: axisWidth, space: 34, values: (_, ticks) => tickTexts(ticks) },
        ],
        series: [{}, ...lines],
        cursor: {
          show: true,
          y: false,
          points: { show: false },
          drag: { x: true, y: false, setScale: false },
          bind: { mousedown: onlyWithShift, dblclick: () => () => this.plots.reset() },
        },
        hooks: {
          setSelect: [(u) => this.zoomToSelection(u)],
          draw: [(u) => drawTime(u, clock.time, accent || ink)],
        },
      },
      alignTables(this.lines, this.log),
      this.box,
    );
    this.handlePointer(this.plot.over);
    this.showTime();
  }

  handlePointer(over) {
    const scrub = (event) =>
      this.plots.clock.set(this.plot.posToVal(event.clientX - over.getBoundingClientRect().left, 'x'));
    over.addEventListener('pointerdown', (event) => {
      if (event.shiftKey || event.button !== 0) return;
      over.setPointerCapture(event.pointerId);
      this.scrubbing = true;
      this.plots.clock.play(false);
      scrub(event);
    });
    over.addEventListener('pointermove', (event) => this.scrubbing && scrub(event));
    for (const end of ['pointerup', 'pointercancel']) over.addEventListener(end, () => (this.scrubbing = false));
    over.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        this.plots.zoom(Math.exp(0.002 * event.deltaY), this.plot.posToVal(event.offsetX, 'x'));
      },
      { passive: false },
    );
  }

  zoomToSelection(u) {
    if (u.select.width < 4) return;
    const [from, to] = [u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x')];
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.plots.setRange(from, to);
  }

  applyRange() {
    const [min, max] = this.plots.range;
    this.plot.setScale('x', { min, max });
  }

  showTime() {
    this.plot.redraw(false, false);
    this.lines.forEach((line, i) => {
      const value = interpolate(line.values, findPlace(line.times, this.plots.clock.time));
      this.values[i].textContent = numberText(value) + (line.unit ? `\u2009${line.unit}` : '');
    });
  }

  resize() {
    const size = this.size();
    if (Math.abs(size.width - this.plot.width) >= 1) this.plot.setSize(size);
  }

  destroy() {
    this.observer.disconnect();
    this.plot.destroy();
    this.root.remove();
  }
}

// One table for lines with times of their own (several runs).
function alignTables(lines, log) {
  const isDrawn = log ? (v) => v > 0 : Number.isFinite;
  const withGaps = (values) => (values.every(isDrawn) ? values : Array.from(values, (v) => (isDrawn(v) ? v : null)));
  const tables = lines.map((l) => [l.times, withGaps(l.values)]);
  const same = lines.every((l) => l.times === lines[0].times);
  return same ? [lines[0].times, ...tables.map((t) => t[1])] : uPlot.join(tables);
}

const onlyWithShift = (_u, _target, handler) => (event) => (event.shiftKey ? handler(event) : undefined);

// A range with air, not blown up to what rounding leaves.
function roomyRange(low, high, least) {
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (low === null || high === null || size < least) return [-1, 1];
  const width = Math.max(high - low, 1e-5 * size);
  const air = 0.06 * width + (width - (high - low)) / 2 || 1;
  return [low - air, high + air];
}

function tickTexts(ticks) {
  const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : 0;
  const most = ticks.reduce((a, t) => Math.max(a, Math.abs(t)), 0);
  const digits = step > 0 && most > 0 ? Math.min(12, Math.max(1, Math.ceil(Math.log10(most / step) + 1))) : 4;
  return ticks.map((t) => numberText(Math.abs(t) < 1e-9 * step ? 0 : t, digits + 1));
}

// The same for all plots, so that they stand in line, unless the numbers need more.
const axisWidth = (_u, texts) => Math.max(52, 16 + 6.4 * Math.max(0, ...(texts ?? []).map((text) => text.length)));

// Powers of ten, not more than eight.
function decades(low, high) {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const step = Math.max(1, Math.ceil((last - first + 1) / 8));
  const powers = [];
  for (let power = first; power <= last; power += step) powers.push(10 ** power);
  return powers;
}

const powerText = (value) => `1e${Math.round(Math.log10(value))}`.replace('-', '−');

function drawTime(u, time, color) {
  const { left, top, width, height } = u.bbox;
  const x = u.valToPos(time, 'x', true);
  if (!(x >= left - 1 && x <= left + width + 1)) return;
  u.ctx.save();
  Object.assign(u.ctx, { strokeStyle: color, lineWidth: Math.max(1, window.devicePixelRatio || 1) });
  u.ctx.setLineDash([]);
  u.ctx.beginPath();
  u.ctx.moveTo(x, top);
  u.ctx.lineTo(x, top + height);
  u.ctx.stroke();
  u.ctx.restore();
}

function swatch({ color, dash }) {
  const ns = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(ns, 'svg');
  const line = document.createElementNS(ns, 'path');
  svg.setAttribute('viewBox', '0 0 26 8');
  svg.setAttribute('aria-hidden', 'true');
  for (const [name, value] of Object.entries({
    d: 'M1 4H25',
    stroke: color,
    'stroke-width': 2.2,
    'stroke-dasharray': dash.join(' '),
  }))
    line.setAttribute(name, value);
  svg.append(line);
  return svg;
}
