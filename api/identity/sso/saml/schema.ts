import { z } from 'zod';

export const LogoutJson = z.object({ redirect_to: z.string().nullable() }).meta({ id: 'SamlLogout' });

const base64 = (what: string) => z.string().meta({ description: `${what}, in base64.`, example: 'PHNhbWxwOi4uLi8+' });
const relayState = z.string().meta({ description: 'The RelayState of the request, unchanged.' });

/** The form that a provider lets a browser post to the ACS (SAML Bindings, 3.5). */
export const ResponseForm = z
  .looseObject({ SAMLResponse: base64('The response'), RelayState: relayState.optional() })
  .meta({ id: 'SamlResponseForm' });

/** A form with one of the two logout messages. */
export const LogoutForm = z
  .looseObject({
    SAMLRequest: base64('A logout request').optional(),
    SAMLResponse: base64('The response to our logout request').optional(),
    RelayState: relayState.optional(),
  })
  .meta({ id: 'SamlLogoutForm' });

const optionalParameter = (description: string) =>
  z
    .union([z.string(), z.array(z.string())])
    .optional()
    .meta({ description, override: { type: 'string' } });

/** The logout message as query parameters, deflated (SAML Bindings, 3.4). */
export const logoutQueryFields = {
  SAMLRequest: optionalParameter('A logout request, deflated, in base64.'),
  SAMLResponse: optionalParameter('The response to our logout request, deflated, in base64.'),
  RelayState: optionalParameter('The RelayState of the request, unchanged.'),
  SigAlg: optionalParameter('Algorithm of the signature, as a URI.'),
  Signature: optionalParameter('Signature of the query as it was sent, in base64.'),
};
