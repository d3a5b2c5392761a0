/** OAuth configurations for sign-ins. */
import { Client } from '../../../support/api.js';
import type { World } from '../../../support/world.js';

/** Creates the configuration as an admin would. */
export async function aConfiguration(
  url: string,
  world: Pick<World, 'organizationId' | 'admin'>,
  slug: string,
  fields: Record<string, unknown>,
): Promise<{ id: string; version: number }> {
  const { status, body } = await new Client(url, { token: world.admin.token }).post(
    `/api/organizations/${world.organizationId}/oauth-configurations/`,
    {
      provider: 'generic',
      name: `Provider ${slug}`,
      slug,
      client_id: `client-${slug}`,
      client_secret: `secret-of-${slug}`,
      allowed_domains: ['example.org'],
      ...fields,
    },
  );
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}
