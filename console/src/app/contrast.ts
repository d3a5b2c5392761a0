/** Contrast of colours as WCAG 2 defines it. */
const MIN_CONTRAST = 4.5;

/** Text on primary buttons in each mode. */
export const BUTTON_TEXT = { light: '#ffffff', dark: '#0f141a' } as const;

type Mode = keyof typeof BUTTON_TEXT;

/** Returns a colour as `#rrggbb`, as the browser understands it; null if it is none. @param color for example `hsl(…)` */
export function toHex(color: string): string | null {
  const context = document.createElement('canvas').getContext('2d');
  if (!context || !CSS.supports('color', color)) return null;
  context.fillStyle = color;
  return context.fillStyle;
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Returns the modes in which text on a colour is readable. */
export const readableIn = (color: string): Mode[] =>
  (['light', 'dark'] as const).filter((mode) => contrast(BUTTON_TEXT[mode], color) >= MIN_CONTRAST);
