/** The page with the phones' screens. */
import type { Answer } from '../kit/exchange.js';
import { escapeHtml, page } from '../kit/html.js';
import type { ArrivedMessage, Phone } from './phones.js';

interface Screen {
  token: string;
  phone: Phone | undefined;
  shown: ArrivedMessage[];
}

export function phonesPage(screens: Screen[]): Answer {
  const body = screens.length > 0 ? screens.toReversed().map(screen).join('') : '<p>Nothing has been pushed yet.</p>';
  return page('Phones', body);
}

function screen({ token, phone, shown }: Screen): string {
  const { platform, environment } = phone ?? shown[0] ?? { platform: 'ios', environment: 'production' };
  const state = phone?.removed_at ? ', app removed' : '';
  const badge = shown.at(-1)?.badge;
  const rows = shown
    .toReversed()
    .map(
      ({ at, title, body, data: { target_url: opens } }) =>
        `<tr><td>${escapeHtml(at.slice(11, 19))}</td><td><b>${escapeHtml(title)}</b><br>${escapeHtml(body)}</td>` +
        `<td>${escapeHtml(typeof opens === 'string' ? opens : '')}</td></tr>`,
    );
  return (
    `<h2>${platform === 'ios' ? 'iPhone' : 'Android'} …${escapeHtml(token.slice(-8))} (${environment}${state}` +
    `${badge == null ? '' : `, badge ${badge}`})</h2>` +
    `<table><tr><th>Time (UTC)</th><th>Message</th><th>Opens</th></tr>${rows.join('')}</table>`
  );
}
