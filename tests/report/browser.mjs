// A headless Chromium driven through its DevTools protocol over two pipes: no package is needed.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class Browser {
  static start(program) {
    const browser = new Browser();
    browser.profile = mkdtempSync(join(tmpdir(), 'mechfmu-browser-'));
    browser.process = spawn(
      program,
      [
        '--headless=new',
        '--no-sandbox',
        '--disable-gpu',
        '--enable-unsafe-swiftshader',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-dev-shm-usage',
        '--hide-scrollbars',
        '--remote-debugging-pipe',
        `--user-data-dir=${browser.profile}`,
      ],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
    );
    const [input, output] = [browser.process.stdio[3], browser.process.stdio[4]];
    browser.input = input;
    browser.waiting = new Map();
    browser.listeners = [];
    browser.count = 0;
    let text = '';
    output.setEncoding('utf8');
    output.on('data', (part) => {
      const messages = (text + part).split('\0');
      text = messages.pop();
      messages.forEach((message) => browser.receive(JSON.parse(message)));
    });
    return browser;
  }

  receive(message) {
    const call = this.waiting.get(message.id);
    if (!call) return this.listeners.forEach((listener) => listener(message));
    this.waiting.delete(message.id);
    if (message.error) call.reject(new Error(`${call.method}: ${message.error.message}`));
    else call.resolve(message.result);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.count;
    this.input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.waiting.set(id, { method, resolve, reject }));
  }

  // Opens a file; what goes wrong in it, and every address that it asks for, is kept.
  async open(url, { width = 1280, height = 900, mobile = false, dark = false } = {}) {
    const { targetId } = await this.send('Target.createTarget', {
      url: 'about:blank',
    });
    const { sessionId } = await this.send('Target.attachToTarget', {
      targetId,
      flatten: true,
    });
    const page = new Page(this, sessionId, targetId);
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await page.send(`${domain}.enable`);
    await page.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      mobile,
    });
    await page.send('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }],
    });
    const loaded = page.next('Page.loadEventFired');
    await page.send('Page.navigate', { url });
    await loaded;
    return page;
  }

  async stop() {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.send('Browser.close').catch(() => {});
    const late = setTimeout(() => this.process.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(late);
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Page {
  constructor(browser, session, target) {
    Object.assign(this, { browser, session, target, errors: [], requests: [] });
    browser.listeners.push(({ method, params, sessionId }) => {
      if (sessionId !== session) return;
      if (method === 'Runtime.exceptionThrown')
        this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
      if (method === 'Runtime.consoleAPICalled' && ['error', 'warning'].includes(params.type))
        this.errors.push(params.args.map((a) => a.value ?? a.description).join(' '));
      if (method === 'Log.entryAdded' && ['error', 'warning'].includes(params.entry.level))
        this.errors.push(params.entry.text);
      if (method === 'Network.requestWillBeSent') this.requests.push(params.request.url);
    });
  }

  send(method, params = {}) {
    return this.browser.send(method, params, this.session);
  }

  next(method) {
    return new Promise((resolve) => {
      const listener = (message) => {
        if (message.method !== method || message.sessionId !== this.session) return;
        this.browser.listeners.splice(this.browser.listeners.indexOf(listener), 1);
        resolve(message.params);
      };
      this.browser.listeners.push(listener);
    });
  }

  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails)
      throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value;
  }

  // Until the expression is true, or a second of the page's time has passed.
  async waitFor(expression, tries = 100) {
    for (let i = 0; i < tries; ++i) {
      if (await this.evaluate(expression)) return true;
      await this.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 10)))');
    }
    return false;
  }

  mouse(type, x, y) {
    return this.send('Input.dispatchMouseEvent', {
      type,
      x,
      y,
      button: 'left',
      buttons: 1,
      clickCount: 1,
    });
  }

  async screenshot(whole = false) {
    const { data } = await this.send('Page.captureScreenshot', {
      captureBeyondViewport: whole,
    });
    return Buffer.from(data, 'base64');
  }

  async pdf() {
    const { data } = await this.send('Page.printToPDF', {
      printBackground: false,
    });
    return Buffer.from(data, 'base64');
  }

  close() {
    return this.browser.send('Target.closeTarget', { targetId: this.target });
  }
}
