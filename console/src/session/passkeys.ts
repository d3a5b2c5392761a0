/** Passkeys: the browser's part between the begin and the complete request. */
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import type { Schema } from 'chapter-membership-client';
import { client } from '../api/client';
import { RequestFailed, send } from '../api/send';

/** Asks the person for one of their passkeys. @throws RequestFailed, or an error of the browser when the person cancels */
export async function provePasskey(): Promise<Schema<'AuthenticationCredential'>> {
  const options = await client.POST('/api/auth/passkeys/authenticate/begin/');
  if (!options.ok) throw new RequestFailed(options);
  const proof = await startAuthentication({ optionsJSON: options.data as PublicKeyCredentialRequestOptionsJSON });
  return proof as Schema<'AuthenticationCredential'>;
}

/** Registers a passkey under a name. */
export async function registerPasskey(name: string): Promise<void> {
  const options = await send(() => client.POST('/api/auth/passkeys/register/begin/'));
  const credential = await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON });
  await send(() =>
    client.POST('/api/auth/passkeys/register/complete/', {
      body: { credential: credential as Schema<'RegistrationCredential'>, name },
    }),
  );
}

/** Returns a name for a passkey of this device, for example `Chrome on Windows`. */
export function deviceName(): string {
  const { userAgent } = navigator;
  const browser = /Edg\//.test(userAgent)
    ? 'Edge'
    : /Firefox\//.test(userAgent)
      ? 'Firefox'
      : /Chrome\//.test(userAgent)
        ? 'Chrome'
        : 'Safari';
  const system = /(Windows|Mac OS|Android|iPhone|iPad|Linux)/.exec(userAgent)?.[1] ?? 'this device';
  return `${browser} on ${system}`;
}

/** The person closed the browser's dialog, or no passkey was found. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name);
