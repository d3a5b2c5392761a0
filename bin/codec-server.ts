/** Lets the Temporal UI and the `temporal` command decrypt payloads. For operators, on their own machine. */
import { randomBytes } from 'node:crypto';
import { config } from '../config.js';
import { payloadCodecs } from '../gateways/temporal/codec.js';
import { startCodecServer } from './codec/server.js';

async function main(): Promise<void> {
  const codecs = payloadCodecs();
  if (codecs.length === 0)
    throw new Error('TEMPORAL_PAYLOAD_KEYS is not set: nothing is encrypted, and there is nothing to decode.');
  const { CODEC_HOST: host, CODEC_PORT, CODEC_SECRET } = config;
  const secret = CODEC_SECRET ?? randomBytes(32).toString('base64url');
  const origin = new URL(config.TEMPORAL_UI_URL).origin;
  const server = await startCodecServer({ host, port: CODEC_PORT, secret, origin, codecs });
  // A configured secret is known to its user and stays out of logs.
  const shown = CODEC_SECRET ? '<CODEC_SECRET>' : secret;
  const endpoint = `http://${host}:${server.port}/${shown}`;
  console.log(`Codec server for ${origin}. In the Temporal UI, choose the glasses icon and set the endpoint to`);
  console.log(`  ${endpoint}`);
  console.log('On the command line:');
  console.log(`  temporal workflow show --workflow-id <id> --codec-endpoint ${endpoint}`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void server.close());
}

main().catch((error: NodeJS.ErrnoException) => {
  const taken = error.code === 'EADDRINUSE' ? `Port ${config.CODEC_PORT} is taken; CODEC_PORT chooses another.` : null;
  console.error(taken ?? error.message);
  process.exit(1);
});
