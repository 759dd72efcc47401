// What a reader does with a report, in a real browser: node browser_test.mjs CHROMIUM PLANAR.html SPATIAL.html
// TABLE.html STILL.html [FOLDER for screenshots]. Prints each failure; exit code 1 if there is one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser } from './browser.mjs';

const [chromium, planar, spatial, table, still, folder] = process.argv.slice(2);
let failures = 0;
function expect(truth, what) {
  if (truth) return;
  console.error(`FAILED: ${what}`);
  ++failures;
}
async function keep(page, name, whole = false) {
  if (folder) writeFileSync(join(folder, `${name}.png`), await page.screenshot(whole));
}

// The pixels of the stage, as a number that differs when they do.
const stageHash = `(() => {
  const stage = document.querySelector('#stage canvas');
  const copy = document.createElement('canvas');
  Object.assign(copy, { width: stage.width, height: stage.height });
  const context = copy.getContext('2d', { willReadFrequently: true });
  context.drawImage(stage, 0, 0);
  const pixels = context.getImageData(0, 0, copy.width, copy.height).data;
  let hash = 7, painted = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    if (pixels[i + 3] > 0) ++painted;
    hash = (hash * 31 + pixels[i] + 3 * pixels[i + 1] + 5 * pixels[i + 2]) | 0;
  }
  return { hash, painted: painted / (copy.width * copy.height) };
})()`;
const settled =
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))';
const time = 'Number(document.getElementById("time").value)';
const setTime = (t) => `document.getElementById('time').value = ${t};
  document.getElementById('time').dispatchEvent(new Event('input')); ${settled}`;
const legend = `[...document.querySelectorAll('#plots .legend output')].map((o) => o.textContent).join('|')`;
const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

async function checkMotion(page, name) {
  const before = await page.evaluate(stageHash);
  expect(before.painted > 0.005, `${name}: the mechanism is drawn (${before.painted} of the stage is painted)`);
  await page.evaluate('document.getElementById("play").click()');
  expect(await page.waitFor(`${time} > 0.05`), `${name}: the time runs when play is pressed`);
  await page.evaluate('document.getElementById("play").click()');
  const stopped = await page.evaluate(time);
  await page.evaluate(settled);
  expect((await page.evaluate(time)) === stopped, `${name}: the time stands when it is pressed again`);
  const after = await page.evaluate(stageHash);
  expect(after.hash !== before.hash, `${name}: the mechanism moves`);

  const first = await page.evaluate(legend);
  await page.evaluate(setTime(0.7));
  const second = await page.evaluate(legend);
  expect(first !== second && first !== '', `${name}: values beside the plots follow the slider`);
  expect((await page.evaluate(stageHash)).hash !== after.hash, `${name}: the mechanism follows the slider`);
}

// Dragging on the stage turns or shifts the mechanism, a double click puts it back.
async function checkStage(page, name) {
  const [x, y] = await page.evaluate(`(() => {
    document.getElementById('stage').scrollIntoView({ block: 'center' });
    const box = document.getElementById('stage').getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  })()`);
  const before = await page.evaluate(stageHash);
  await page.mouse('mousePressed', x, y);
  await page.mouse('mouseMoved', x + 60, y + 20);
  await page.mouse('mouseReleased', x + 60, y + 20);
  await page.evaluate(settled);
  const dragged = await page.evaluate(stageHash);
  expect(dragged.hash !== before.hash && dragged.painted > 0.005, `${name}: dragging on the stage moves the view`);
  await page.evaluate(
    `document.querySelector('#stage canvas').dispatchEvent(new MouseEvent('dblclick', { bubbles: true })); ${settled}`,
  );
  expect((await page.evaluate(stageHash)).hash === before.hash, `${name}: a double click fits the view`);
}

// A click in the middle of a plot is the middle of the time; dragging goes on from there.
async function checkPlots(page, name) {
  const [x, y, width, stop] = await page.evaluate(`(() => {
    document.querySelector('#plots .u-over').scrollIntoView({ block: 'center' });
    const box = document.querySelector('#plots .u-over').getBoundingClientRect();
    return [box.left, box.top + box.height / 2, box.width, Number(document.getElementById('time').max)];
  })()`);
  await page.mouse('mousePressed', x + width / 2, y);
  await page.evaluate(settled);
  const middle = await page.evaluate(time);
  expect(Math.abs(middle / stop - 0.5) < 0.02, `${name}: a click in a plot moves the slider (to ${middle} of ${stop})`);
  await page.mouse('mouseMoved', x + 0.75 * width, y);
  await page.mouse('mouseReleased', x + 0.75 * width, y);
  await page.evaluate(settled);
  const later = await page.evaluate(time);
  expect(Math.abs(later / stop - 0.75) < 0.02, `${name}: dragging in a plot moves the slider (to ${later} of ${stop})`);
}

async function checkChoice(page, name) {
  const count = 'document.querySelectorAll("#plots figure").length';
  const before = await page.evaluate(count);
  expect(before > 0, `${name}: there are plots`);
  await page.evaluate('document.getElementById("clear").click()');
  expect((await page.evaluate(count)) === 0, `${name}: no plot is left when nothing is chosen`);
  await page.evaluate('document.querySelector("#choices input").click()');
  expect((await page.evaluate(count)) === 1, `${name}: a chosen variable has its plot`);
  const shown = await page.evaluate(`(() => {
    const search = document.getElementById('search');
    const count = () => [...document.querySelectorAll('#choices label')].filter((l) => !l.hidden).length;
    const all = count();
    search.value = document.querySelector('#choices label').textContent;
    search.dispatchEvent(new Event('input'));
    const found = count();
    search.value = 'no such variable';
    search.dispatchEvent(new Event('input'));
    return { all, found, none: count() };
  })()`);
  expect(
    shown.found >= 1 && shown.found < shown.all && shown.none === 0,
    `${name}: the search narrows the list (${JSON.stringify(shown)})`,
  );
}

async function checkPage(browser, file, name, { width, height, mobile, dark }, checks) {
  const page = await browser.open(pathToFileURL(file).href, {
    width,
    height,
    mobile,
    dark,
  });
  await page.evaluate(settled);
  expect(
    (await page.evaluate('document.querySelector("h1").textContent')) === (await page.evaluate('document.title')),
    `${name}: titled`,
  );
  expect((await page.evaluate(overflow)) <= 0, `${name}: no horizontal scrolling`);
  const theme = await page.evaluate('document.documentElement.dataset.theme');
  expect(theme === (dark ? 'dark' : 'light'), `${name}: ${theme} as the system wants it`);
  for (const check of checks) await check(page, name);
  await keep(page, name);
  const foreign = page.requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'));
  expect(page.requests.length === 1 && foreign.length === 0, `${name}: nothing is loaded (${page.requests.slice(1)})`);
  // the driver of a machine without a GPU complains of slow reads; that is not the page's doing
  const errors = page.errors.filter((error) => !error.includes('GL Driver Message'));
  expect(errors.length === 0, `${name}: nothing on the console: ${errors.join('; ')}`);
  await page.close();
}

async function checkTheme(page, name) {
  const paper = 'getComputedStyle(document.body).backgroundColor';
  const before = await page.evaluate(paper);
  await page.evaluate('document.getElementById("theme").click()');
  expect((await page.evaluate(paper)) !== before, `${name}: the button changes light and dark`);
  await page.evaluate('document.getElementById("theme").click()');
}

async function checkPrint(page, name) {
  await page.send('Emulation.setEmulatedMedia', { media: 'print' });
  const seen = await page.evaluate(
    `['transport', 'theme', 'search', 'switches'].filter((id) => document.getElementById(id)?.offsetParent)`,
  );
  expect(seen.length === 0, `${name}: paper shows no ${seen}`);
  expect(
    await page.evaluate('document.querySelector("#parameters tbody").children.length > 0'),
    `${name}: paper shows the parameters`,
  );
  expect((await page.pdf()).length > 20000, `${name}: it can be printed`);
  await page.send('Emulation.setEmulatedMedia', { media: '' });
}

// A table without states or poses: the mechanism stands, and the page says why.
async function checkStill(page, name) {
  expect((await page.evaluate(stageHash)).painted > 0.005, `${name}: the mechanism is drawn`);
  expect(
    (await page.evaluate('document.getElementById("stage-note").textContent')).includes('Start pose'),
    `${name}: says that it stands`,
  );
}

const browser = Browser.start(chromium);
const desk = { width: 1280, height: 900 };
const phone = { width: 390, height: 844, mobile: true };
try {
  await checkPage(browser, planar, 'planar', desk, [checkMotion, checkPlots, checkTheme, checkChoice]);
  await checkPage(browser, planar, 'planar-phone', phone, [checkMotion]);
  await checkPage(browser, planar, 'planar-print', desk, [checkPrint]);
  await checkPage(browser, spatial, 'spatial', { ...desk, dark: true }, [checkMotion, checkPlots]);
  await checkPage(browser, spatial, 'spatial-phone', phone, []);
  await checkPage(browser, still, 'still', desk, [checkStill]);
  await checkPage(browser, table, 'table', desk, [checkPlots, checkChoice]);
} catch (error) {
  expect(false, error.message);
} finally {
  await browser.stop();
}
process.exitCode = failures > 0 ? 1 : 0;
