/** The page on which a person enters an identity at the network and consents. */
import { escapeHtml, page } from '../kit/html.js';
import type { Answer } from '../kit/exchange.js';
import type { Grants } from './grants.js';

const HIDDEN_FIELDS = ['client_id', 'redirect_uri', 'response_type', 'scope', 'state'];

export function agreePage(grants: Grants, question: URLSearchParams): Answer {
  const problem = grants.problemOf(question);
  if (problem) return page('The request is not valid', `<p role="alert">${problem}</p>`, 400);
  const hidden = HIDDEN_FIELDS.map(
    (name) => `<input type="hidden" name="${name}" value="${escapeHtml(question.get(name) ?? '')}">`,
  );
  return page(
    'Professional network (stand-in)',
    `<p>The membership platform asks for: ${escapeHtml(question.get('scope') ?? '')}.</p>
<form method="post">
${hidden.join('\n')}
<label>Name <input name="name" value="Jordan Rivera" required></label>
<label>E-mail <input name="email" type="email" value="jordan.rivera@network.example" required></label>
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny" formnovalidate>Cancel</button>
</form>`,
  );
}
