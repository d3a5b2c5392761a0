/** A software authenticator (WebAuthn, 6): creates discoverable credentials and signs with them, correctly or with ordered mistakes. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { encodeCbor } from './authenticatorCbor.js';

export interface Options {
  challenge: string;
  rp?: { id?: string };
  rpId?: string;
  user?: { id: string };
}

/** Deviations from the requested answer. */
export interface Deviation {
  challenge?: string;
  origin?: string;
  rpId?: string;
  counter?: number;
  userHandle?: string | null;
  /** Signs with the key of another credential. */
  forged?: boolean;
  /** Reports that no user was present. */
  absent?: boolean;
  type?: string;
  /** Number of bytes to leave out at the end of the signature. */
  cut?: number;
  attestation?: { fmt: string; attStmt: Record<string, unknown> };
}

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 };
const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();
const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

export class Authenticator {
  readonly credentialId = base64url(randomBytes(32));
  userHandle = '';
  /** Counter in each signature; a test sets it. */
  counter = 0;
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  /** @param origin of the page or app that uses it */
  constructor(private readonly origin: string) {}

  /** Answers `navigator.credentials.create()`. */
  create(options: Options, deviation: Deviation = {}) {
    this.userHandle = options.user?.id ?? '';
    const { fmt, attStmt } = deviation.attestation ?? { fmt: 'none', attStmt: {} };
    const authData = this.authenticatorData(options, deviation, FLAGS.attested, this.attestedCredential());
    return {
      ...this.envelope(),
      response: {
        clientDataJSON: base64url(this.clientData('webauthn.create', options, deviation)),
        attestationObject: base64url(encodeCbor(new Map<string, unknown>(Object.entries({ fmt, attStmt, authData })))),
        transports: ['internal'],
      },
    };
  }

  /** Answers `navigator.credentials.get()`. */
  get(options: Options, deviation: Deviation = {}) {
    const authData = this.authenticatorData(options, deviation, 0);
    const clientData = this.clientData('webauthn.get', options, deviation);
    const handle = deviation.userHandle === undefined ? this.userHandle : deviation.userHandle;
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.signingKey(deviation));
    return {
      ...this.envelope(),
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(signature.subarray(0, signature.length - (deviation.cut ?? 0))),
        ...(handle === null ? {} : { userHandle: handle }),
      },
    };
  }

  private envelope() {
    const id = this.credentialId;
    return { id, rawId: id, type: 'public-key', authenticatorAttachment: 'platform', clientExtensionResults: {} };
  }

  private signingKey({ forged = false }: Deviation): KeyObject {
    return forged ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : this.keys.privateKey;
  }

  private clientData(type: string, options: Options, { challenge, origin, type: other }: Deviation): Buffer {
    return json({
      type: other ?? type,
      challenge: challenge ?? options.challenge,
      origin: origin ?? this.origin,
      crossOrigin: false,
    });
  }

  /** WebAuthn, 6.1: hash of the RP id, flags, counter, and the rest. */
  private authenticatorData(options: Options, deviation: Deviation, flags: number, rest = Buffer.alloc(0)): Buffer {
    const rpId = deviation.rpId ?? options.rpId ?? options.rp?.id ?? '';
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(deviation.counter ?? this.counter);
    const presence = deviation.absent ? 0 : FLAGS.present | FLAGS.verified;
    return Buffer.concat([sha256(rpId), Buffer.from([presence | flags]), counter, rest]);
  }

  /** WebAuthn, 6.5.1: AAGUID, credential id, COSE key (RFC 9053, 7.1). */
  private attestedCredential(): Buffer<ArrayBuffer> {
    const id = Buffer.from(this.credentialId, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const { x, y } = this.keys.publicKey.export({ format: 'jwk' }) as { x: string; y: string };
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    return Buffer.concat([Buffer.alloc(16), length, id, encodeCbor(key)]);
  }
}
