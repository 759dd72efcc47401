// Light and dark: as the system has it, until the button is pressed. Paper is always light.
import { byId } from './dom.js';

const root = document.documentElement;
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
let chosen = null;
let printing = false;

export function startTheme(onChange) {
  try {
    chosen = localStorage.getItem('mechfmu-theme');
  } catch {
    // a page without storage follows the system
  }
  const apply = () => {
    const dark = !printing && (chosen ? chosen === 'dark' : prefersDark.matches);
    root.dataset.theme = dark ? 'dark' : 'light';
    byId('theme').textContent = dark ? 'Light' : 'Dark';
    onChange();
  };
  byId('theme').addEventListener('click', () => {
    chosen = root.dataset.theme === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem('mechfmu-theme', chosen);
    } catch {
      // as above
    }
    apply();
  });
  prefersDark.addEventListener('change', apply);
  addEventListener('beforeprint', () => ((printing = true), apply()));
  addEventListener('afterprint', () => ((printing = false), apply()));
  apply();
}

export const isPrinting = () => printing;
