/** Square's stand-in for a test file, and organizations that use it. */
import { config } from '../../config.js';
import { type SquareStandin, startSquareStandin } from '../../development/standins/square/server.js';
import { connectAccount, type Ordered, ordered, statusesOf } from './cardStandin.js';
import type { Platform } from './platform.js';
import type { World } from './world.js';

export interface Square extends SquareStandin, Ordered {
  /** The statuses of its payments: authorized ones are APPROVED. */
  payments(): Promise<string[]>;
}

export async function startSquare(): Promise<Square> {
  const standin = await startSquareStandin({ port: 0, controlPort: 0 });
  config.SQUARE_API_URL = standin.url;
  const port = ordered('Square', standin.controlUrl);
  return { ...standin, ...port, payments: () => statusesOf(port) };
}

/** Connects a separate account, whose events go to its own address. @returns the processor's id */
export async function aSquareProcessor(platform: Pick<Platform, 'api'>, square: Square, world: World): Promise<string> {
  const secretsOf = (id: string) => ({
    credentials: { secret_key: `EAAA_${id.replaceAll('-', '')}`, location_id: 'LTEST' },
    webhookSecret: `signature_key_${id}`,
  });
  const id = await connectAccount(world, 'square', secretsOf);
  const { credentials, webhookSecret } = secretsOf(id);
  // The signed address is the platform's own, whichever address the request arrives at.
  config.backendUrl = platform.api.url;
  await square.order('POST', '/webhook-endpoints', {
    account_key: credentials.secret_key,
    url: `${platform.api.url}/api/finances/webhooks/processor/?processor=${id}`,
    secret: webhookSecret,
  });
  return id;
}
