// The mechanism on a sheet: parallel projection, drawn with the 2-D canvas. For mechanisms that move in a plane, and
// for all others where there is no WebGL.
import { cornersOf, groundColor } from './motion.js';
import { cross, dot, place, scale, subtract, unit } from './vectors.js';

export function makePlanarView(canvas, motion, colors) {
  const context = canvas.getContext('2d');
  const frame = makeFrame(motion.scene);
  const flat = (p) => [dot(p, frame.right), dot(p, frame.top)];
  const box = findBox(motion.bounds.points.map(flat));
  const locals = motion.scene.bodies.map((body) => body.shapes.map((shape) => ({ shape, corners: cornersOf(shape) })));
  const still = motion.scene.ground.shapes.map((shape) => ({ shape, corners: cornersOf(shape) }));
  const paths = motion.scene.bodies.map((_, index) => motion.path(index).map(flat));
  let zoom = 1;
  let shift = [0, 0];

  // Pixels of a point; the view fits all that is seen during the run.
  const layout = () => {
    const [w, h] = [canvas.clientWidth, canvas.clientHeight];
    const margin = Math.min(48, 0.1 * w);
    const fit = Math.min((w - 2 * margin) / box.width, (h - 2 * margin) / box.height) * zoom;
    return ([x, y]) => [w / 2 + fit * (x - box.middle[0]) + shift[0], h / 2 - fit * (y - box.middle[1]) + shift[1]];
  };

  function draw(time, options) {
    const ratio = window.devicePixelRatio || 1;
    const [w, h] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    context.lineCap = context.lineJoin = 'round';
    const onSheet = layout();
    const toSheet = (p) => onSheet(flat(p));
    const poses = motion.poses(time);
    const pen = makePen(context, colors());

    if (options.paths)
      paths.forEach((path, i) => pen.line(path.map(onSheet), { color: motion.colors[i], width: 1, opacity: 0.5 }));
    const hinges = motion.scene.joints.map((joint) => ({ joint, at: toSheet(motion.anchor(poses, joint.child)) }));
    for (const { joint, at } of hinges)
      if (joint.parent.body === 'ground' && joint.type !== 'free') drawGround(pen, at);
    for (const { shape, corners } of still) drawShape(pen, shape, corners.map(toSheet), shape.color ?? groundColor);
    locals.forEach((shapes, i) => {
      for (const { shape, corners } of shapes)
        drawShape(
          pen,
          shape,
          corners.map((p) => toSheet(place(poses[i], p))),
          shape.color ?? motion.colors[i],
        );
    });
    for (const spring of motion.scene.springs)
      pen.line(zigzag(toSheet(motion.anchor(poses, spring.from)), toSheet(motion.anchor(poses, spring.to))), {
        width: 1.5,
      });
    for (const { joint, at } of hinges) drawJoint(pen, joint, at, motion, poses, toSheet);
    if (options.reactions)
      for (const [from, vector] of motion.arrows(poses, time))
        drawArrow(pen, toSheet(from), toSheet(sum(from, vector)));
    if (options.names)
      for (const { joint, at } of hinges) if (joint.type !== 'free') pen.text(joint.name, [at[0] + 10, at[1] - 9]);
  }

  return {
    draw,
    aspect: (0.8 * box.height) / box.width + 0.2, // height for a width
    reset: () => ((zoom = 1), (shift = [0, 0])),
    // Keeps the place under the pointer.
    zoomAt(factor, [x, y]) {
      const next = Math.min(50, Math.max(0.2, zoom * factor));
      const middle = [canvas.clientWidth / 2, canvas.clientHeight / 2];
      shift = shift.map((s, i) => [x, y][i] - middle[i] - (([x, y][i] - middle[i] - s) * next) / zoom);
      zoom = next;
    },
    move: (dx, dy) => (shift = [shift[0] + dx, shift[1] + dy]),
    handlesPointer: false,
  };
}

const sum = (a, b) => a.map((x, i) => x + b[i]);

// Right and up on the sheet, as in the drawing of the documentation: against gravity is up, x runs to the right; what
// moves in space is seen from the right and a little above.
export function makeFrame(scene) {
  const main = (v) => v.reduce((best, x, i) => (Math.abs(x) > Math.abs(v[best]) + 1e-9 ? i : best), 0);
  const axis = (i) => [0, 1, 2].map((k) => (k === i ? 1 : 0));
  const across = (v, n) => subtract(v, scale(dot(v, n), n));
  const up = Math.hypot(...scene.gravity) > 1e-9 ? unit(scale(-1, scene.gravity)) : axis(2);
  if (scene.planar) {
    const normal = unit(scene.normal);
    let top = across(up, normal);
    if (Math.hypot(...top) < 1e-6) top = across(axis((main(normal) + 2) % 3), normal);
    top = unit(top);
    let right = cross(top, normal);
    if (right[main(right)] < 0) right = scale(-1, right);
    return { right, top, towards: cross(right, top), up };
  }
  const e1 = unit(across(axis(main(up) === 0 ? 1 : 0), up));
  const e2 = cross(up, e1);
  const [azimuth, elevation] = [34, 24].map((degrees) => (degrees * Math.PI) / 180);
  const mix = (a, x, b, y) => sum(scale(a, x), scale(b, y));
  const right = mix(Math.cos(azimuth), e1, Math.sin(azimuth), e2);
  const front = mix(Math.sin(azimuth), e1, -Math.cos(azimuth), e2);
  const towards = mix(Math.cos(elevation), front, Math.sin(elevation), up);
  return { right, top: mix(Math.cos(elevation), up, -Math.sin(elevation), front), towards, up };
}

function findBox(points) {
  const range = (i) =>
    points.reduce(([low, high], p) => [Math.min(low, p[i]), Math.max(high, p[i])], [Infinity, -Infinity]);
  const [[left, right], [bottom, top]] = [range(0), range(1)];
  const least = 0.05 * Math.max(right - left, top - bottom, 1e-3);
  return {
    middle: [(left + right) / 2, (bottom + top) / 2],
    width: Math.max(right - left, least),
    height: Math.max(top - bottom, least),
  };
}

function makePen(context, { ink, paper }) {
  const trace = (points, closed) => {
    context.beginPath();
    points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
    if (closed) context.closePath();
  };
  const stroke = ({ color = ink, width = 1.5, opacity = 1 }) => {
    Object.assign(context, { strokeStyle: color, lineWidth: width, globalAlpha: opacity });
    context.stroke();
    context.globalAlpha = 1;
  };
  const fill = (color, opacity = 1) => {
    Object.assign(context, { fillStyle: color, globalAlpha: opacity });
    context.fill();
    context.globalAlpha = 1;
  };
  return {
    ink,
    paper,
    line: (points, style) => (trace(points, false), stroke(style)),
    area: (points, color, style) => (trace(points, true), fill(color, style.fill), stroke({ color, ...style })),
    circle(at, radius, color, style) {
      context.beginPath();
      context.arc(at[0], at[1], radius, 0, 2 * Math.PI);
      fill(color, style?.fill);
      if (style) stroke(style);
    },
    text(text, [x, y]) {
      Object.assign(context, { font: '12px system-ui, sans-serif', lineWidth: 3, strokeStyle: paper, fillStyle: ink });
      context.strokeText(text, x, y);
      context.fillText(text, x, y);
    },
  };
}

function drawShape(pen, shape, points, color) {
  if (shape.shape === 'point') pen.circle(points[0], 6, color);
  else if (shape.shape === 'line') pen.line(points, { color, width: 6 });
  else if (shape.shape === 'polygon') pen.area(points, color, { fill: 0.3, width: 2.5 });
  else pen.area(convexHull(points), color, { fill: 0.3, width: 1.5 });
}

function drawGround(pen, [x, y]) {
  pen.line(
    [
      [x, y],
      [x - 9, y + 14],
      [x + 9, y + 14],
      [x, y],
    ],
    { color: groundColor },
  );
  pen.line(
    [
      [x - 13, y + 14],
      [x + 13, y + 14],
    ],
    { color: groundColor },
  );
  for (let k = -10; k <= 12; k += 5.5)
    pen.line(
      [
        [x + k, y + 14],
        [x + k - 4, y + 19],
      ],
      { color: groundColor, width: 1 },
    );
}

function drawJoint(pen, joint, at, motion, poses, toSheet) {
  if (joint.type === 'free') return;
  if (joint.type === 'prismatic' && joint.axis) {
    const from = motion.anchor(poses, joint.child);
    const tip = toSheet(sum(from, motion.axis(poses, joint)));
    const length = Math.hypot(tip[0] - at[0], tip[1] - at[1]);
    if (length > 1e-6) {
      const [dx, dy] = [(8 * (tip[0] - at[0])) / length, (8 * (tip[1] - at[1])) / length];
      const side = ([a, b], s) => [a - 0.6 * s * dy, b + 0.6 * s * dx];
      const [a, b] = [
        [at[0] - dx, at[1] - dy],
        [at[0] + dx, at[1] + dy],
      ];
      pen.area([side(a, 1), side(b, 1), side(b, -1), side(a, -1)], pen.paper, { color: pen.ink, width: 1.5 });
      return;
    }
  }
  pen.circle(at, 4.5, pen.paper, { color: pen.ink, width: 1.5 });
}

function drawArrow(pen, from, to) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (length < 2) return;
  const [dx, dy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const head = Math.min(9, 0.5 * length);
  const wing = (s) => [to[0] - head * dx - s * 0.45 * head * dy, to[1] - head * dy + s * 0.45 * head * dx];
  pen.line([from, to], { color: '#c9504f', width: 2 });
  pen.area([to, wing(1), wing(-1)], '#c9504f', { fill: 1, width: 1 });
}

function zigzag(a, b, turns = 9) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(dx, dy) || 1;
  const at = (part, side) => [a[0] + part * dx - (side * 6 * dy) / length, a[1] + part * dy + (side * 6 * dx) / length];
  const points = [a, at(0.12, 0)];
  for (let i = 0; i < turns; ++i) points.push(at(0.12 + (0.76 * (i + 0.5)) / turns, i % 2 ? -1 : 1));
  return [...points, at(0.88, 0), b];
}

function convexHull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (list) => {
    const hull = [];
    for (const p of list) {
      while (hull.length >= 2 && turn(hull[hull.length - 2], hull[hull.length - 1], p) <= 1e-6) hull.pop();
      hull.push(p);
    }
    hull.pop();
    return hull;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}
