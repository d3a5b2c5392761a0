/** The control port: faults, phones, arrived messages, requests, and a page with the phones' screens. */
import { z } from 'zod';
import { type Answer, type Exchange, jsonAnswer } from '../kit/exchange.js';
import { phonesPage } from './phonesPage.js';
import type { Standin } from './standin.js';

const PhoneOrder = z.strictObject({
  platform: z.enum(['ios', 'android']),
  environment: z.enum(['production', 'sandbox']).default('production'),
});

/** Returns the rows whose columns match the query. */
function chosen<R extends object>(rows: readonly R[], query: URLSearchParams): R[] {
  return rows.filter((row) => [...query].every(([name, value]) => String(row[name as keyof R]) === value));
}

const ACTIONS: Record<string, (standin: Standin, exchange: Exchange, token: string) => Answer | Promise<Answer>> = {
  'GET /': ({ phones }) => phonesPage(phones.screens()),
  'GET /health': () => jsonAnswer(200, { ok: true }),
  'GET /faults': ({ faults }) => jsonAnswer(200, { faults: faults.list(), holding: faults.holding }),
  'POST /faults': async ({ faults }, exchange) => jsonAnswer(201, faults.order(await bodyOf(exchange))),
  'DELETE /faults': ({ faults }) => {
    faults.lift();
    return jsonAnswer(200, { faults: [] });
  },
  'POST /release': ({ faults }) => jsonAnswer(200, { released: faults.release() }),
  'GET /ledger': ({ phones }, { url }) => jsonAnswer(200, chosen(phones.arrivals(), url.searchParams)),
  'GET /requests': ({ requests }, { url }) => jsonAnswer(200, chosen(requests.list(), url.searchParams)),
  'GET /phones': ({ phones }) => jsonAnswer(200, phones.screens()),
  'POST /phones': async ({ phones }, exchange) => {
    const { platform, environment } = PhoneOrder.parse(await bodyOf(exchange));
    return jsonAnswer(201, phones.make(platform, environment));
  },
  'DELETE /phones/:token': ({ phones }, _, token) => {
    const phone = phones.remove(token);
    return phone ? jsonAnswer(200, phone) : jsonAnswer(404, { error: 'no phone has this token' });
  },
};

/** Serves one request on the control port. */
export async function control(standin: Standin, exchange: Exchange): Promise<Answer> {
  const [, token] = /^\/phones\/([^/]+)$/.exec(exchange.url.pathname) ?? [];
  const path = token === undefined ? exchange.url.pathname : '/phones/:token';
  const action = ACTIONS[`${exchange.method} ${path}`];
  if (!action) {
    const known = Object.keys(ACTIONS).join('; ');
    return jsonAnswer(404, { error: `unknown: ${exchange.method} ${path}; known: ${known}` });
  }
  try {
    return await action(standin, exchange, decodeURIComponent(token ?? ''));
  } catch (error) {
    if (error instanceof z.ZodError) return jsonAnswer(400, { error: z.prettifyError(error) });
    if (error instanceof SyntaxError || error instanceof URIError) return jsonAnswer(400, { error: error.message });
    throw error;
  }
}

async function bodyOf(exchange: Exchange): Promise<unknown> {
  return JSON.parse((await exchange.text()) || '{}') as unknown;
}
