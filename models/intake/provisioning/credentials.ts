/** What opens a provider: write-only, checked by its provider. */
import { z } from 'zod';
import { invalid } from '../../errors.js';
import { emailAddress } from '../../fields.js';
import type { Provider } from './vocabulary.js';

const visible = (longest: number) =>
  z.string().regex(new RegExp(`^[!-~]{1,${longest}}$`), 'Must be letters, digits and signs, without spaces.');

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
    delegated_admin: emailAddress.meta({ description: 'For whom the service account acts.' }),
  })
  .meta({ id: 'WorkspaceCredentials' });

export const OfficeCredentials = z
  .strictObject({ tenant_id: z.uuid(), client_id: z.uuid(), client_secret: visible(500) })
  .meta({ id: 'OfficeCredentials' });

const OF = { workspace_suite: WorkspaceCredentials, cloud_office: OfficeCredentials } as const;

export type Credentials = {
  [Name in Provider]: { provider: Name; credentials: z.output<(typeof OF)[Name]> };
}[Provider];

/** @throws Refusal validation_error, which tells no value */
export function credentialsOf(provider: Provider, given: unknown): Credentials['credentials'] {
  const parsed = OF[provider].safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = ['credentials', ...(issue?.path ?? [])].join('.');
  throw invalid(field, issue?.message ?? 'Must be those of this provider.');
}
