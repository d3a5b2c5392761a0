/** The colour of an organization as a theme of Cloudscape. */
import { generateThemeStylesheet } from '@cloudscape-design/components/theming';
import { BUTTON_TEXT, readableIn } from './contrast';

/**
 * Applies a colour in the modes in which it is readable. A constructed style sheet is used, because the policy of the
 * page blocks style elements. @param color `#rrggbb`
 */
export function applyColor(color: string): void {
  const modes = readableIn(color);
  const inThem = (value: (mode: (typeof modes)[number]) => string) =>
    Object.fromEntries(modes.map((mode) => [mode, value(mode)]));
  const background = inThem(() => color);
  const text = inThem((mode) => BUTTON_TEXT[mode]);
  const hover = inThem((mode) => mix(color, mode === 'light' ? 'black' : 'white'));
  const theme = {
    tokens: {
      colorBackgroundButtonPrimaryDefault: background,
      colorBackgroundButtonPrimaryHover: hover,
      colorBackgroundButtonPrimaryActive: hover,
      colorBorderButtonPrimaryDefault: background,
      colorBorderButtonPrimaryHover: hover,
      colorBorderButtonPrimaryActive: hover,
      colorTextButtonPrimaryDefault: text,
      colorTextButtonPrimaryHover: text,
      colorTextButtonPrimaryActive: text,
    },
    contexts: {
      'top-navigation': {
        tokens: {
          colorBackgroundContainerContent: background,
          colorTextTopNavigationTitle: text,
          colorTextInteractiveDefault: text,
          colorTextInteractiveHover: text,
          colorTextInteractiveActive: text,
          colorTextAccent: text,
        },
      },
    },
  };
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(generateThemeStylesheet({ theme }));
  document.adoptedStyleSheets = [sheet];
}

/** A little darker or lighter, so that text on it gains contrast. */
const mix = (color: string, other: string): string => `color-mix(in srgb, ${color} 85%, ${other})`;
