import { z } from 'zod';
import { rowJson } from '../../../models/database/model/schemas.js';
import { Passkey } from '../../../models/identity/passkeys/Passkey.js';
import { pageQuery } from '../../http/pagination.js';
import { AccountJson, AccountOrganizationJson, organizationField, tokenFields } from '../schema.js';
import { moment } from '../../../models/fields.js';

const WEBAUTHN = 'https://www.w3.org/TR/webauthn-3/';

const bytes = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .regex(/^[A-Za-z0-9_-]+$/, 'Must be base64url.')
    .meta({ example: 'aGVsbG8' });

const attachment = z.string().max(40).nullish();

/** Fields of a credential. Further fields that browsers add are ignored. */
const credentialFields = {
  id: bytes(1364).meta({ description: 'The credential id, base64url like all bytes here.' }),
  rawId: bytes(1364),
  type: z.literal('public-key'),
  authenticatorAttachment: attachment,
  clientExtensionResults: z.record(z.string(), z.unknown()).optional(),
};

const RegistrationCredential = z
  .object({
    ...credentialFields,
    response: z.object({
      clientDataJSON: bytes(8192),
      attestationObject: bytes(65_536),
      transports: z
        .array(z.string().max(32).meta({ example: 'internal' }))
        .max(10)
        .optional(),
    }),
  })
  .meta({ id: 'RegistrationCredential', description: `RegistrationResponseJSON (${WEBAUTHN}).` });

export const AuthenticationCredential = z
  .object({
    ...credentialFields,
    response: z.object({
      clientDataJSON: bytes(8192),
      authenticatorData: bytes(8192),
      signature: bytes(8192),
      userHandle: bytes(128).nullish(),
    }),
  })
  .meta({ id: 'AuthenticationCredential', description: `AuthenticationResponseJSON (${WEBAUTHN}).` });

const nameField = z.string().trim().min(1).max(100).meta({ example: 'Laptop' });

export const RegisterBody = z
  .object({
    credential: RegistrationCredential,
    name: nameField.default('Passkey').meta({ description: 'A name that the owner chooses.' }),
  })
  .meta({ id: 'PasskeyRegistration' });

export const AuthenticateBody = z
  .object({
    credential: AuthenticationCredential,
    organization: organizationField
      .optional()
      .meta({ description: 'Id or slug. Default: the last used organization, else the oldest affiliation.' }),
  })
  .meta({ id: 'PasskeyAuthentication' });

export const NameBody = z.object({ name: nameField }).meta({ id: 'PasskeyName' });
export const PasskeyQuery = z.object(pageQuery);

export const CreationOptionsJson = z
  .object({
    rp: z.object({ id: z.string().optional(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.string() })),
    timeout: z.int().optional().meta({ description: 'Milliseconds.' }),
    excludeCredentials: z
      .array(z.object({ id: z.string(), type: z.string(), transports: z.array(z.string()).optional() }))
      .optional(),
    authenticatorSelection: z
      .object({ residentKey: z.string(), requireResidentKey: z.boolean(), userVerification: z.string() })
      .partial()
      .optional(),
    hints: z.array(z.string()).optional(),
    attestation: z.string().optional(),
    extensions: z.object({ credProps: z.boolean().optional() }).optional(),
  })
  .meta({ id: 'PasskeyCreationOptions', description: `PublicKeyCredentialCreationOptionsJSON (${WEBAUTHN}).` });

export const RequestOptionsJson = z
  .object({
    challenge: z.string(),
    timeout: z.int().optional().meta({ description: 'Milliseconds.' }),
    rpId: z.string().optional(),
    userVerification: z.string().optional(),
  })
  .meta({ id: 'PasskeyRequestOptions', description: `PublicKeyCredentialRequestOptionsJSON (${WEBAUTHN}).` });

export const PasskeyJson = rowJson(Passkey);

export const PasskeySignedInJson = z
  .object({
    user: AccountJson,
    organization: AccountOrganizationJson.nullable().meta({
      description: 'Null for platform admins, who name theirs with X-Organization-Id.',
    }),
    ...tokenFields,
  })
  .meta({ id: 'PasskeySignedIn' });

export const EnrollmentJson = z
  .object({
    show: z.boolean().meta({ description: 'Whether to suggest to the person that they register a passkey.' }),
    has_passkey: z.boolean(),
    dismissed_until: moment.nullable(),
  })
  .meta({ id: 'PasskeyEnrollment' });
