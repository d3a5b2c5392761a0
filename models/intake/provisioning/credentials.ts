/** Credentials of a provider. Each provider has its own schema. They can be written, but are never returned. */
import { z } from 'zod';
import { invalid } from '../../errors.js';
import { emailAddress } from '../../fields.js';
import type { Provider } from './vocabulary.js';

const visible = (maxLength: number) =>
  z.string().regex(new RegExp(`^[!-~]{1,${maxLength}}$`), 'Must be letters, digits and symbols, without spaces.');

export const WorkspaceCredentials = z
  .strictObject({
    client_email: emailAddress.meta({ example: 'provisioning@project.iam.example.org' }),
    private_key: z
      .string()
      .trim()
      .max(10_000)
      .regex(
        /^-----BEGIN (RSA )?PRIVATE KEY-----[\s\S]+-----END (RSA )?PRIVATE KEY-----$/,
        'Must be a private key as PEM.',
      ),
    delegated_admin: emailAddress.meta({ description: 'The user on whose behalf the service account acts.' }),
  })
  .meta({ id: 'WorkspaceCredentials' });

export const OfficeCredentials = z
  .strictObject({ tenant_id: z.uuid(), client_id: z.uuid(), client_secret: visible(500) })
  .meta({ id: 'OfficeCredentials' });

const SCHEMAS = { workspace_suite: WorkspaceCredentials, cloud_office: OfficeCredentials } as const;

export type Credentials = {
  [Name in Provider]: { provider: Name; credentials: z.output<(typeof SCHEMAS)[Name]> };
}[Provider];

/**
 * Validates credentials.
 * @throws Refusal validation_error, whose text contains none of the entered values
 */
export function credentialsOf(provider: Provider, entered: unknown): Credentials['credentials'] {
  const parsed = SCHEMAS[provider].safeParse(entered);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = ['credentials', ...(issue?.path ?? [])].join('.');
  throw invalid(field, issue?.message ?? 'Must be credentials of this provider.');
}
