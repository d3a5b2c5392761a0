/** Converts an organization's colour for mail programs, with a readable text colour. */

export interface MailColor {
  background: string;
  text: string;
}

/** The colours for an organization without its own. */
const NEUTRAL: MailColor = { background: '#1a4f8a', text: '#ffffff' };

const NUMBERS = /^(?:hsl\()?\s*([\d.]+)[, ]+([\d.]+)%[, ]+([\d.]+)%\s*\)?$/;

/**
 * Returns the colours of a mail. They are computed as hexadecimal digits, so that no stored text gets into the mail's
 * styles.
 * @param hsl the stored colour, such as `hsl(210, 50%, 40%)` or `210 50% 40%`; any other text gives the neutral colours
 */
export function mailColor(hsl: string | null): MailColor {
  const [, hue, saturation, lightness] = NUMBERS.exec(hsl ?? '') ?? [];
  const numbers = [hue, saturation, lightness].map(Number) as [number, number, number];
  if (!numbers.every(Number.isFinite)) return NEUTRAL;
  const channels = channelsOf(numbers[0] % 360, Math.min(numbers[1], 100) / 100, Math.min(numbers[2], 100) / 100);
  return { background: hex(channels), text: luminance(channels) > BLACK_TEXT_LUMINANCE ? '#000000' : '#ffffff' };
}

/**
 * Background luminance at which black and white text have the same contrast. Black text is better above it, white text
 * below it; the better one always has a contrast of at least 4.5.
 */
const BLACK_TEXT_LUMINANCE = Math.sqrt(1.05 * 0.05) - 0.05;

/** Converts HSL to red, green and blue between 0 and 255 (CSS Color 4, 7.1). */
function channelsOf(hue: number, saturation: number, lightness: number): number[] {
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((offset) => {
    const at = (offset + hue / 30) % 12;
    return Math.round(255 * (lightness - chroma * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  });
}

/** Returns the relative luminance of a colour (WCAG 2.2). */
function luminance(channels: number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const hex = (channels: number[]): string => `#${channels.map((one) => one.toString(16).padStart(2, '0')).join('')}`;
