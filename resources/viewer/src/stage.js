// The animated mechanism: canvas, names, switches.
import { byId, element, pageColors } from './dom.js';
import { numberText } from './data.js';
import { Motion } from './motion.js';
import { makePlanarView } from './planar.js';

export function makeStage(data, clock) {
  const host = byId('stage');
  if (!data.scene || data.scene.bodies.length === 0) {
    byId('motion').remove();
    return { redraw() {} };
  }
  const motion = new Motion(data);
  const canvas = element('canvas', { role: 'img', 'aria-label': `${data.model} in motion` });
  const names = element('div', { class: 'names', 'aria-hidden': 'true' });
  host.append(canvas, names);

  const options = { reactions: false, names: false, paths: false };
  let asked = false;
  const redraw = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => ((asked = false), drawNow()));
  };
  let view = null;
  if (!data.scene.planar && globalThis.makeSpatialView) {
    try {
      view = globalThis.makeSpatialView(canvas, motion, pageColors, redraw);
    } catch {
      byId('stage-note').textContent = 'This browser has no WebGL: shown in parallel projection, from one side.';
      canvas.replaceWith(element('canvas')); // the old one is WebGL's for ever
    }
  }
  view ??= makePlanarView(host.querySelector('canvas'), motion, pageColors);

  function drawNow() {
    if (host.clientWidth === 0) return;
    if (view.aspect) host.style.setProperty('--wanted', `${Math.round(view.aspect * host.clientWidth)}px`);
    view.draw(clock.time, options);
    if (view.labels) names.replaceChildren(...(options.names ? view.labels().map(makeLabel) : []));
  }

  addSwitch('Names', 'names', data.scene.joints.length > 0);
  addSwitch('Paths', 'paths', motion.moves);
  addSwitch('Reactions', 'reactions', motion.largestReaction > 0);
  byId('switches').append(
    element('button', { type: 'button', onclick: () => (view.reset(), redraw()), title: 'the whole mechanism' }, 'Fit'),
  );
  host.querySelector('canvas').addEventListener('dblclick', () => (view.reset(), redraw()));
  if (!view.handlesPointer) handlePointer(host.querySelector('canvas'), view, redraw);
  if (!motion.moves)
    byId('stage-note').append(' Start pose: neither the states (state.*) nor poses of all bodies were recorded.');
  new ResizeObserver(redraw).observe(host);
  clock.onChange(redraw);
  drawNow();
  return { redraw, drawNow };

  function addSwitch(label, option, possible) {
    if (!possible) return;
    const box = element('input', {
      type: 'checkbox',
      id: `show-${option}`,
      onchange: () => choose(option, box.checked),
    });
    byId('switches').append(element('label', {}, box, label));
  }

  function choose(option, on) {
    options[option] = on;
    byId('arrow-note').textContent = options.reactions
      ? `Longest arrow of the run: ${numberText(motion.largestReaction, 3)}\u2009N.`
      : '';
    redraw();
  }
}

const makeLabel = ({ name, x, y, seen }) =>
  element('span', { style: `left:${x + 8}px;top:${y - 18}px`, hidden: !seen }, name);

// Wheel and pinch zoom, the mouse and two fingers move; one finger scrolls the page.
function handlePointer(canvas, view, redraw) {
  const pointers = new Map();
  const place = (event) => [event.offsetX, event.offsetY];
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return { distance: Math.hypot(a[0] - b[0], a[1] - b[1]), middle: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] };
  };
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      view.zoomAt(Math.exp(-0.0015 * event.deltaY), place(event));
      redraw();
    },
    { passive: false },
  );
  canvas.addEventListener('pointerdown', (event) => {
    pointers.set(event.pointerId, place(event));
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const now = place(event);
    if (pointers.size === 2) {
      const before = spread();
      pointers.set(event.pointerId, now);
      const after = spread();
      view.move(after.middle[0] - before.middle[0], after.middle[1] - before.middle[1]);
      if (before.distance > 0) view.zoomAt(after.distance / before.distance, after.middle);
    } else if (event.pointerType === 'mouse') {
      view.move(now[0] - last[0], now[1] - last[1]);
    }
    pointers.set(event.pointerId, now);
    redraw();
  });
  for (const end of ['pointerup', 'pointercancel'])
    canvas.addEventListener(end, (event) => pointers.delete(event.pointerId));
}
