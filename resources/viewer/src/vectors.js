// Points, directions and quaternions (scalar first) as arrays.

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const scale = (s, a) => [s * a[0], s * a[1], s * a[2]];
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const size = (a) => Math.hypot(...a);
export const unit = (a) => scale(1 / size(a), a);

// v + 2 e x (e x v + e0 v)
export function rotate(q, v) {
  const e = [q[1], q[2], q[3]];
  return add(v, scale(2, cross(e, add(cross(e, v), scale(q[0], v)))));
}
export const conjugate = (q) => [q[0], -q[1], -q[2], -q[3]];
export const place = (pose, p) => add(pose.position, rotate(pose.quaternion, p));

export function fromRollPitchYaw([r, p, y]) {
  const [cr, sr, cp, sp, cy, sy] = [r, p, y].flatMap((x) => [Math.cos(x / 2), Math.sin(x / 2)]);
  return [
    cr * cp * cy + sr * sp * sy,
    sr * cp * cy - cr * sp * sy,
    cr * sp * cy + sr * cp * sy,
    cr * cp * sy - sr * sp * cy,
  ];
}

// Between two orientations, the short way round.
export function blend(a, b, part) {
  const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
  const q = a.map((x, i) => x + part * (sign * b[i] - x));
  const length = Math.hypot(...q) || 1;
  return q.map((x) => x / length);
}
