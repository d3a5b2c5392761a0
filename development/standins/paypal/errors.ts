import type { Fields } from './state.js';

/** An error in PayPal's format. */
export class PaypalRefusal extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    readonly issue: string | null = null,
  ) {
    super(issue ?? title);
  }

  get body(): Fields {
    const details = this.issue ? { details: [{ issue: this.issue, description: `PayPal says ${this.issue}.` }] } : {};
    return { name: this.title, message: `PayPal says ${this.title}.`, debug_id: 'f0f0f0f0f0f0f', ...details };
  }
}

export const malformed = (issue: string) => new PaypalRefusal(400, 'INVALID_REQUEST', issue);
export const notFound = () => new PaypalRefusal(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID');
export const unprocessable = (issue: string) => new PaypalRefusal(422, 'UNPROCESSABLE_ENTITY', issue);
