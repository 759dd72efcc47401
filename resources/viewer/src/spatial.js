// The mechanism in space, with three: orbit, zoom and pan. A bundle of its own, because reports of planar mechanisms do
// without it.
import {
  BoxGeometry,
  BufferGeometry,
  Color,
  CylinderGeometry,
  DirectionalLight,
  DoubleSide,
  EdgesGeometry,
  Float32BufferAttribute,
  GridHelper,
  Group,
  HemisphereLight,
  Line,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  PerspectiveCamera,
  Quaternion,
  Scene,
  SphereGeometry,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { groundColor } from './motion.js';
import { makeFrame } from './planar.js';

const vector = (p) => new Vector3(p[0], p[1], p[2]);
const quaternion = (q) => new Quaternion(q[1], q[2], q[3], q[0]);
const zAxis = new Vector3(0, 0, 1);
const yAxis = new Vector3(0, 1, 0);

globalThis.makeSpatialView = function makeSpatialView(canvas, motion, colors, redraw) {
  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
  const scene = new Scene();
  const frame = makeFrame(motion.scene);
  const { bounds } = motion;
  const camera = new PerspectiveCamera(32, 1, bounds.size / 100, bounds.size * 100);
  camera.up.copy(vector(frame.up));
  const controls = new OrbitControls(camera, canvas);
  controls.addEventListener('change', redraw);

  const lamp = new DirectionalLight('#ffffff', 1.6);
  lamp.position.copy(
    vector(frame.towards).addScaledVector(vector(frame.up), 1.2).addScaledVector(vector(frame.right), -0.5),
  );
  scene.add(new HemisphereLight('#ffffff', '#9aa0a6', 1.9), lamp);
  scene.getObjectByProperty('isHemisphereLight', true).position.copy(vector(frame.up));

  const thin = 0.008 * bounds.size;
  const makeShapes = (shapes, color) => shapes.map((shape) => makeShape(shape, shape.color ?? color, thin));
  const bodies = motion.scene.bodies.map((body, i) => new Group().add(...makeShapes(body.shapes, motion.colors[i])));
  const ground = makeShapes(motion.scene.ground.shapes, groundColor);
  scene.add(...bodies, ...ground);

  const inked = new MeshLambertMaterial();
  const line = new LineBasicMaterial();
  const joints = motion.scene.joints
    .filter((joint) => joint.type !== 'free')
    .map((joint) => {
      const mesh = joint.axis
        ? new Mesh(new CylinderGeometry(1.25 * thin, 1.25 * thin, 3.2 * thin, 24), inked)
        : new Mesh(new SphereGeometry(1.5 * thin, 24, 16), inked);
      scene.add(mesh);
      return { joint, mesh };
    });
  const springs = motion.scene.springs.map((spring) => {
    const mesh = new Line(makeHelix(), line);
    scene.add(mesh);
    return { spring, mesh };
  });
  const paths = new Group().add(
    ...motion.scene.bodies.map((_, i) => {
      const points = motion.path(i).map(vector);
      return new Line(new BufferGeometry().setFromPoints(points), new LineBasicMaterial({ color: motion.colors[i] }));
    }),
  );
  const arrows = motion.reactions.map(() => makeArrow(thin));
  scene.add(paths, ...arrows);
  const grid = makeGrid(bounds, frame);
  if (grid) scene.add(grid);

  function reset() {
    // the sphere around everything fits both ways
    const distance =
      (0.52 * bounds.size) / Math.sin((camera.fov / 2) * (Math.PI / 180)) / Math.min(1, Math.max(0.6, camera.aspect));
    controls.target.copy(vector(bounds.middle));
    camera.position.copy(vector(bounds.middle)).addScaledVector(vector(frame.towards), distance);
    controls.update();
  }

  function draw(time, options) {
    const [w, h] = [canvas.clientWidth, canvas.clientHeight];
    const first = camera.aspect === 1;
    renderer.setPixelRatio(window.devicePixelRatio || 1);
    renderer.setSize(w, h, false);
    camera.aspect = w / h === 1 ? 1.0001 : w / h;
    camera.updateProjectionMatrix();
    if (first) reset();
    const { ink, paper, line: faint } = colors();
    line.color = new Color(ink);
    inked.color = new Color(ink).lerp(new Color(paper), 0.3);
    if (grid) grid.material.color = new Color(faint);

    const poses = motion.poses(time);
    bodies.forEach((group, i) => {
      group.position.copy(vector(poses[i].position));
      group.quaternion.copy(quaternion(poses[i].quaternion));
    });
    for (const { joint, mesh } of joints) {
      mesh.position.copy(vector(motion.anchor(poses, joint.child)));
      if (joint.axis) mesh.quaternion.setFromUnitVectors(yAxis, vector(motion.axis(poses, joint)).normalize());
    }
    for (const { spring, mesh } of springs) {
      const from = vector(motion.anchor(poses, spring.from));
      const along = vector(motion.anchor(poses, spring.to)).sub(from);
      mesh.position.copy(from);
      mesh.scale.set(2.2 * thin, 2.2 * thin, along.length() || 1e-9);
      mesh.quaternion.setFromUnitVectors(zAxis, along.normalize());
    }
    paths.visible = options.paths;
    const forces = options.reactions ? motion.arrows(poses, time) : [];
    arrows.forEach((arrow, i) =>
      arrow.point(
        ...(forces[i] ?? [
          [0, 0, 0],
          [0, 0, 0],
        ]),
      ),
    );
    renderer.render(scene, camera);
  }

  return {
    draw,
    reset,
    zoomAt(factor) {
      camera.position.sub(controls.target).divideScalar(factor).add(controls.target);
      controls.update();
    },
    move() {},
    handlesPointer: true,
    // Names are text beside the picture's points: where they are on the sheet.
    labels: () =>
      joints.map(({ joint, mesh }) => {
        const p = mesh.position.clone().project(camera);
        return {
          name: joint.name,
          x: ((p.x + 1) / 2) * canvas.clientWidth,
          y: ((1 - p.y) / 2) * canvas.clientHeight,
          seen: p.z < 1,
        };
      }),
  };
};

function makeShape(shape, color, thin) {
  const material = new MeshLambertMaterial({ color, side: DoubleSide });
  const group = new Group();
  if (shape.points) {
    const closed = shape.shape === 'polygon';
    const points = shape.points.map(vector);
    points.forEach((p, i) => {
      if (i > 0) group.add(makeBar(points[i - 1], p, thin, material));
      group.add(
        Object.assign(new Mesh(new SphereGeometry(thin, 16, 12), material))
          .translateX(p.x)
          .translateY(p.y)
          .translateZ(p.z),
      );
    });
    if (closed) group.add(makeBar(points[points.length - 1], points[0], thin, material), makeFan(points, material));
    return group;
  }
  const [x, y, z] = shape.size ?? [4 * thin, 4 * thin, 4 * thin];
  const geometry =
    shape.shape === 'box'
      ? new BoxGeometry(x, y, z)
      : shape.shape === 'cylinder'
        ? new CylinderGeometry(0.5, 0.5, 1, 48).rotateX(Math.PI / 2).scale(x, y, z)
        : new SphereGeometry(0.5, 40, 24).scale(x, y, z);
  group.add(new Mesh(geometry, material));
  if (shape.shape === 'box' || shape.shape === 'cylinder') {
    const edges = new LineBasicMaterial({ color: new Color(color).multiplyScalar(0.55) });
    group.add(new LineSegments(new EdgesGeometry(geometry, 40), edges));
  }
  group.position.copy(vector(shape.position));
  if (shape.quaternion) group.quaternion.copy(quaternion(shape.quaternion));
  return group;
}

function makeBar(a, b, thin, material) {
  const along = b.clone().sub(a);
  const bar = new Mesh(new CylinderGeometry(thin, thin, along.length(), 20), material);
  bar.position.copy(a).addScaledVector(along, 0.5);
  bar.quaternion.setFromUnitVectors(yAxis, along.normalize());
  return bar;
}

// The inside of a polygon (convex ones exactly), seen from both sides.
function makeFan(points, material) {
  const geometry = new BufferGeometry().setFromPoints(points);
  geometry.setIndex(points.slice(2).flatMap((_, i) => [0, i + 1, i + 2]));
  geometry.computeVertexNormals();
  const clear = material.clone();
  Object.assign(clear, { transparent: true, opacity: 0.55 });
  return new Mesh(geometry, clear);
}

function makeHelix(turns = 10) {
  const points = [];
  for (let i = 0; i <= 24 * turns; ++i) {
    const part = i / (24 * turns);
    const radius = Math.min(1, 12 * part, 12 * (1 - part));
    points.push(radius * Math.cos(2 * Math.PI * turns * part), radius * Math.sin(2 * Math.PI * turns * part), part);
  }
  return new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points, 3));
}

function makeArrow(thin) {
  const material = new MeshLambertMaterial({ color: '#c9504f' });
  const shaft = new Mesh(new CylinderGeometry(0.5 * thin, 0.5 * thin, 1, 12).translate(0, 0.5, 0), material);
  const head = new Mesh(new CylinderGeometry(0, 1.5 * thin, 4 * thin, 20), material);
  const group = new Group().add(shaft, head);
  group.point = (from, along) => {
    const length = Math.hypot(...along);
    group.visible = length > thin;
    if (!group.visible) return;
    group.position.copy(vector(from));
    group.quaternion.setFromUnitVectors(yAxis, vector(along).normalize());
    shaft.scale.y = length;
    head.position.y = length;
  };
  return group;
}

// A floor across the vertical, below everything, with lines at round distances.
function makeGrid(bounds, frame) {
  const step = 10 ** Math.floor(Math.log10(bounds.size / 2));
  const count = 2 * Math.ceil((0.8 * bounds.size) / step);
  if (!Number.isFinite(step) || count < 2 || count > 60) return null;
  const grid = new GridHelper(count * step, count, '#ffffff', '#ffffff');
  grid.material.vertexColors = false;
  grid.material.transparent = true;
  grid.material.opacity = 0.7;
  grid.quaternion.setFromUnitVectors(yAxis, vector(frame.up));
  const heights = bounds.points.map((p) => vector(p).dot(vector(frame.up)));
  const lowest = heights.reduce((least, h) => Math.min(least, h), Infinity);
  const middle = vector(bounds.middle);
  grid.position
    .copy(middle)
    .addScaledVector(vector(frame.up), lowest - middle.dot(vector(frame.up)) - 0.02 * bounds.size);
  return grid;
}
