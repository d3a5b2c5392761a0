/** The payload codec of Temporal: AES-256-GCM if a key is configured. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type DataConverter, defaultPayloadConverter, type Payload, type PayloadCodec } from '@temporalio/common';
import { temporal as protobuf } from '@temporalio/proto';
import { config } from '../../config.js';

const ENCODING = Buffer.from('binary/encrypted');

class Encryption implements PayloadCodec {
  constructor(private readonly keys: { id: string; secret: string }[]) {}

  encode(payloads: Payload[]): Promise<Payload[]> {
    const [key] = this.keys;
    if (!key) throw new Error('TEMPORAL_PAYLOAD_KEYS is empty.');
    return Promise.resolve(
      payloads.map((payload) => {
        const iv = randomBytes(12);
        const cipher = createCipheriv('aes-256-gcm', Buffer.from(key.secret, 'base64'), iv);
        const plain = protobuf.api.common.v1.Payload.encode(payload).finish();
        const sealed = Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
        return { metadata: { encoding: ENCODING, 'key-id': Buffer.from(key.id) }, data: sealed };
      }),
    );
  }

  decode(payloads: Payload[]): Promise<Payload[]> {
    return Promise.resolve(payloads.map((payload) => this.decodeOne(payload)));
  }

  private decodeOne(payload: Payload): Payload {
    const { metadata, data } = payload;
    if (!metadata?.['encoding'] || !data || !ENCODING.equals(metadata['encoding'])) return payload;
    const keyId = Buffer.from(metadata['key-id'] ?? []).toString();
    const key = this.keys.find(({ id }) => id === keyId);
    if (!key) throw new Error(`TEMPORAL_PAYLOAD_KEYS has no key ${keyId}.`);
    const sealed = Buffer.from(data);
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key.secret, 'base64'), sealed.subarray(0, 12));
    decipher.setAuthTag(sealed.subarray(-16));
    const plain = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
    return protobuf.api.common.v1.Payload.decode(plain);
  }
}

/** Returns the codecs of client and worker; none without a key. */
export const payloadCodecs = (): PayloadCodec[] =>
  config.TEMPORAL_PAYLOAD_KEYS ? [new Encryption(config.TEMPORAL_PAYLOAD_KEYS)] : [];

/** Returns the data converter of client and worker. With a key, failures are encrypted as well. */
export const dataConverter = (): DataConverter => ({
  payloadCodecs: payloadCodecs(),
  ...(config.TEMPORAL_PAYLOAD_KEYS && { failureConverterPath: require.resolve('./failureConverter') }),
});

/** Returns the value of a payload; null if none of our keys can decrypt it. */
export async function decodePayload(payload: Payload): Promise<unknown> {
  try {
    let payloads = [payload];
    for (const codec of payloadCodecs()) payloads = await codec.decode(payloads);
    return defaultPayloadConverter.fromPayload(payloads[0] as Payload);
  } catch {
    return null;
  }
}
