/** Light or dark: as the system says, unless the person chose one in this browser. */
import { applyMode, Mode } from '@cloudscape-design/global-styles';

export type DisplayMode = 'system' | 'light' | 'dark';

const KEY = 'console-display-mode';
const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');

export function chosenDisplayMode(): DisplayMode {
  const chosen = localStorage.getItem(KEY);
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

export function chooseDisplayMode(mode: DisplayMode): void {
  if (mode === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, mode);
  applyDisplayMode();
}

/** Applies the mode now, and again whenever the system changes. */
export function applyDisplayMode(): void {
  const chosen = chosenDisplayMode();
  const isDark = chosen === 'dark' || (chosen === 'system' && systemIsDark.matches);
  applyMode(isDark ? Mode.Dark : Mode.Light);
}

systemIsDark.addEventListener('change', applyDisplayMode);
