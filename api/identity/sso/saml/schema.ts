import { z } from 'zod';

export const LogoutJson = z.object({ redirect_to: z.string().nullable() }).meta({ id: 'SamlLogout' });

const base64 = (what: string) => z.string().meta({ description: `${what}, in base64.`, example: 'PHNhbWxwOi4uLi8+' });
const relayState = z.string().meta({ description: 'What came with the request, unchanged.' });

/** What a provider has a browser post to the ACS (SAML Bindings, 3.5). */
export const ResponseForm = z
  .looseObject({ SAMLResponse: base64('The response'), RelayState: relayState.optional() })
  .meta({ id: 'SamlResponseForm' });

/** One of the two messages. */
export const LogoutForm = z
  .looseObject({
    SAMLRequest: base64('A logout request').optional(),
    SAMLResponse: base64('The answer to ours').optional(),
    RelayState: relayState.optional(),
  })
  .meta({ id: 'SamlLogoutForm' });

const said = (description: string) =>
  z
    .union([z.string(), z.array(z.string())])
    .optional()
    .meta({ description, override: { type: 'string' } });

/** The same in an address, deflated (SAML Bindings, 3.4). */
export const logoutQueryFields = {
  SAMLRequest: said('A logout request, deflated, in base64.'),
  SAMLResponse: said('The answer to ours, deflated, in base64.'),
  RelayState: said('What came with the request, unchanged.'),
  SigAlg: said('Algorithm of the signature, as a URI.'),
  Signature: said('Over the query as it was sent, in base64.'),
};
