import type { Fields } from './state.js';

/** An error in Square's format. */
export class SquareRefusal extends Error {
  constructor(
    readonly status: number,
    readonly category: string,
    readonly code: string,
    readonly more: Fields = {},
  ) {
    super(code);
  }

  get body(): Fields {
    return {
      errors: [{ category: this.category, code: this.code, detail: `Square says ${this.code}.` }],
      ...this.more,
    };
  }
}

export const badRequest = (code = 'BAD_REQUEST') => new SquareRefusal(400, 'INVALID_REQUEST_ERROR', code);
export const notFound = () => new SquareRefusal(404, 'INVALID_REQUEST_ERROR', 'NOT_FOUND');
export const unauthorized = () => new SquareRefusal(401, 'AUTHENTICATION_ERROR', 'UNAUTHORIZED');
