// The time that everything on the page shows.

export class Clock {
  constructor(start, stop) {
    Object.assign(this, { start, stop, time: start, speed: 1, playing: false, listeners: [] });
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  tell() {
    for (const listener of this.listeners) listener(this);
  }

  set(time) {
    this.time = Math.min(this.stop, Math.max(this.start, time));
    this.tell();
  }

  play(on) {
    if (on === this.playing || (on && !(this.stop > this.start))) return;
    this.playing = on;
    if (on && this.time >= this.stop) this.time = this.start;
    this.tell();
    let last = null;
    const frame = (now) => {
      if (!this.playing) return;
      const passed = last === null ? 0 : Math.min(0.1, (now - last) / 1000); // a sleeping tab does not jump
      last = now;
      const next = this.time + passed * this.speed;
      this.set(next > this.stop ? this.start : next);
      requestAnimationFrame(frame);
    };
    if (on) requestAnimationFrame(frame);
  }
}
