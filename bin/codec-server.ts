/** Lets the Temporal UI and the `temporal` command decrypt payloads. For operators, on their own machine. */
import { randomBytes } from 'node:crypto';
import { config } from '../config.js';
import { payloadCodecs } from '../gateways/temporal/codec.js';
import { startCodecServer } from './codec/server.js';

async function main(): Promise<void> {
  const codecs = payloadCodecs();
  if (codecs.length === 0)
    throw new Error('TEMPORAL_PAYLOAD_KEYS is not set: payloads are not encrypted and need no decoding.');
  const { CODEC_HOST: host, CODEC_PORT, CODEC_SECRET } = config;
  const secret = CODEC_SECRET ?? randomBytes(32).toString('base64url');
  const origin = new URL(config.TEMPORAL_UI_URL).origin;
  const server = await startCodecServer({ host, port: CODEC_PORT, secret, origin, codecs });
  // Print a placeholder for a configured secret: the person who configured it knows it, and it stays out of logs.
  const shownSecret = CODEC_SECRET ? '<CODEC_SECRET>' : secret;
  const endpoint = `http://${host}:${server.port}/${shownSecret}`;
  console.log(`Codec server for ${origin}. In the Temporal UI, choose the glasses icon and set the endpoint to`);
  console.log(`  ${endpoint}`);
  console.log('On the command line:');
  console.log(`  temporal workflow show --workflow-id <id> --codec-endpoint ${endpoint}`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void server.close());
}

main().catch((error: NodeJS.ErrnoException) => {
  const portInUse =
    error.code === 'EADDRINUSE' ? `Port ${config.CODEC_PORT} is in use; set CODEC_PORT to another port.` : null;
  console.error(portInUse ?? error.message);
  process.exit(1);
});
