// Light and dark: as the system has it, unless the button says the opposite. Paper is always light.
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
    const wanted = root.dataset.theme === 'dark' ? 'light' : 'dark';
    chosen = wanted === (prefersDark.matches ? 'dark' : 'light') ? null : wanted;
    try {
      if (chosen) localStorage.setItem('mechfmu-theme', chosen);
      else localStorage.removeItem('mechfmu-theme');
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
