// Scene and recorded numbers -> where every body, joint and spring is at a time.
import { findPlace, interpolate } from './data.js';
import { add, blend, conjugate, fromRollPitchYaw, place, rotate, scale, size, subtract } from './vectors.js';

// Told apart on white and on black, also by people who do not see red and green.
const palette = ['#3b7dbd', '#e08a1e', '#3f9b6b', '#c9504f', '#8a6bbf', '#5aa9b5', '#b07a3c', '#c873a8'];
export const groundColor = '#8a9199';

const ground = { position: [0, 0, 0], quaternion: [1, 0, 0, 0] };

export class Motion {
  constructor(data) {
    this.scene = data.scene;
    this.run = data.runs[0];
    this.sources = this.scene.bodies.map((body, index) => findSource(data, body, index));
    // half a mechanism that moves would come apart
    this.moves = this.sources.length > 0 && this.sources.every((source) => source);
    if (!this.moves) this.sources.fill(null);
    this.bodyIndex = new Map(this.scene.bodies.map((body, index) => [body.name, index]));
    this.colors = this.scene.bodies.map((b, i) => b.shapes.find((s) => s.color)?.color ?? palette[i % palette.length]);
    const jointIndex = new Map(this.scene.joints.map((joint, index) => [joint.name, index]));
    this.reactions = (data.reactions ?? [])
      .filter((reaction) => jointIndex.has(reaction.joint))
      .map((reaction) => ({ joint: jointIndex.get(reaction.joint), force: reaction.force }));
    this.bounds = this.findBounds();
    this.largestReaction = Math.max(0, ...this.reactions.map(({ force }) => largest(force)));
  }

  // Poses of all bodies.
  poses(time) {
    const at = findPlace(this.run.time, time);
    return this.sources.map((source, index) => (source ? source(at) : this.scene.bodies[index].start));
  }

  poseOf(poses, name) {
    return name === 'ground' ? ground : (poses[this.bodyIndex.get(name)] ?? ground);
  }
  anchor(poses, { body, point }) {
    return place(this.poseOf(poses, body), point);
  }

  // The axis of a joint goes with its child (with its parent, where the child is the ground).
  axis(poses, joint) {
    const name = joint.child.body === 'ground' ? joint.parent.body : joint.child.body;
    const index = this.bodyIndex.get(name);
    if (index === undefined) return joint.axis;
    return rotate(poses[index].quaternion, rotate(conjugate(this.scene.bodies[index].start.quaternion), joint.axis));
  }

  // Arrows as [from, vector]; the longest of the run is a quarter of the mechanism.
  arrows(poses, time) {
    const at = findPlace(this.run.time, time);
    const length = this.largestReaction > 0 ? (0.25 * this.bounds.size) / this.largestReaction : 0;
    return this.reactions.map(({ joint, force }) => [
      this.anchor(poses, this.scene.joints[joint].child),
      scale(
        length,
        force.map((column) => interpolate(column, at)),
      ),
    ]);
  }

  // The way of a body's centre of mass over the run.
  path(index, count = 600) {
    const source = this.sources[index];
    if (!source) return [];
    const step = Math.max(1, Math.floor(this.run.rows / count));
    const points = [];
    for (let row = 0; row < this.run.rows; row += step)
      points.push(place(source({ row, part: 0 }), this.scene.bodies[index].center));
    return points.filter((p) => p.every(Number.isFinite));
  }

  // A box around all that is seen during the run, from 10 to 100 moments.
  findBounds() {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const points = [];
    const include = (p) => {
      if (!p.every(Number.isFinite)) return;
      points.push(p);
      for (let i = 0; i < 3; ++i) {
        low[i] = Math.min(low[i], p[i]);
        high[i] = Math.max(high[i], p[i]);
      }
    };
    const locals = this.scene.bodies.map((body) => body.shapes.flatMap(cornersOf));
    const corners = locals.reduce((count, list) => count + list.length, 1);
    const moments = Math.max(10, Math.min(100, 50000 / corners));
    const step = Math.max(1, Math.ceil(this.run.rows / moments));
    for (let row = 0; row < this.run.rows; row += this.moves ? step : this.run.rows) {
      const poses = this.poses(this.run.time[row]);
      poses.forEach((pose, i) => locals[i].forEach((p) => include(place(pose, p))));
      for (const joint of this.scene.joints) include(this.anchor(poses, joint.child));
      for (const s of this.scene.springs) [s.from, s.to].forEach((end) => include(this.anchor(poses, end)));
    }
    this.scene.ground.shapes.flatMap(cornersOf).forEach(include);
    if (points.length === 0) include([0, 0, 0]);
    return { low, high, points, size: Math.max(size(subtract(high, low)), 1e-3), middle: scale(0.5, add(low, high)) };
  }
}

// What moves a body: poses from the states, pose variables among the columns, or nothing.
function findSource(data, body, index) {
  if (data.poses) return makeSource(data.poses[index].slice(0, 3), data.poses[index].slice(3));
  const take = (names) => {
    const columns = (names ?? []).map((name) => data.runs[0].columns[data.indexOf.get(name)]);
    return columns.length > 0 && columns.every(Boolean) ? columns : null;
  };
  const { position, quaternion, rpy } = body.variables;
  const [p, e, angles] = [take(position), take(quaternion), take(rpy)];
  if (!p || !(e || angles)) return null;
  return e ? makeSource(p, e) : makeSource(p, angles, fromRollPitchYaw);
}

function makeSource(position, turn, toQuaternion = (q) => q) {
  const orientation = (row) => toQuaternion(turn.map((column) => column[row]));
  return (at) => ({
    position: position.map((column) => interpolate(column, at)),
    quaternion: at.part > 0 ? blend(orientation(at.row), orientation(at.row + 1), at.part) : orientation(at.row),
  });
}

function largest(force) {
  let most = 0;
  for (let i = 0; i < force[0].length; ++i)
    most = Math.max(most, Math.hypot(force[0][i], force[1][i], force[2][i]) || 0);
  return most;
}

// Points whose hull is a shape's outline, in the body.
export function cornersOf(shape) {
  if (shape.points) return shape.points;
  if (shape.shape === 'point') return [shape.position];
  const corners = [];
  const put = (x, y, z) =>
    corners.push(place(shape, [(shape.size[0] / 2) * x, (shape.size[1] / 2) * y, (shape.size[2] / 2) * z]));
  const circle = (radius, z, count) => {
    for (let i = 0; i < count; ++i)
      put(radius * Math.cos((2 * Math.PI * i) / count), radius * Math.sin((2 * Math.PI * i) / count), z);
  };
  if (shape.shape === 'box') for (const x of [-1, 1]) for (const y of [-1, 1]) for (const z of [-1, 1]) put(x, y, z);
  if (shape.shape === 'cylinder') [-1, 1].forEach((z) => circle(1, z, 40));
  if (shape.shape === 'sphere')
    for (let i = -6; i <= 6; ++i) circle(Math.cos((Math.PI * i) / 12), Math.sin((Math.PI * i) / 12), 24);
  return corners;
}
